import Evaluation
import Foundation
import Geometry
import Positioning
import Reporting
import TestSupport
import Testing

@Suite(.enabled(if: Chromium.isThere, "needs Chromium: run scripts/bootstrap test"))
struct PageInBrowserTests {
  static let page = HTMLReport(Sample(walks: 3, questionsEach: 20).document).text

  @Test func `a broken script and a request to another place are noticed on the console`() throws {
    let page = try Chromium.open(
      Self.page,
      script: """
        var i = new Image(); i.src = 'http://127.0.0.1:9/x.png'; document.body.append(i); nothing.there();
        """)
    #expect(page.console.contains { $0.contains("is not defined") })
    #expect(page.console.contains { $0.contains("Security Policy") })
  }

  /// Steps that change the text of the plan, and a part of the text then.
  private static let steps: [(script: String, expected: String)] = [
    ("", "epoch 1 of 20 time +0.0 s truth 1.50, 1.50"), ("", "grid-filter error"),
    ("set('plan-epoch', 4, 'input')", "epoch 5 of 20"),
    ("byId('plan-forward').click()", "epoch 6 of 20"),
    ("byId('plan-back').click()", "epoch 5 of 20"),
    ("set('plan-algorithm', 1, 'change')", "likelihood error"),
    ("set('plan-beside', 2, 'change')", "squares error"),
    ("set('plan-trace', 1, 'change')", "epoch 1 of 20"),
    ("document.querySelector('#worst-table tbody tr a').click()", "grid-filter error"),
    ("location.hash = '#trace=walk%202&algorithm=grid-filter&epoch=9'", "epoch 9 of 20"),
    ("byId('plan-play').click()", "epoch 20 of 20"),
  ]

  @Test func `sliders, choices, buttons and links change the text of the plan`() throws {
    let (said, page) = try Chromium.readouts(
      Self.page, after: Self.steps.map(\.script), last: 6000)
    #expect(page.console == [])
    try #require(said.count == Self.steps.count)
    for (text, step) in zip(said, Self.steps) {
      #expect(text.contains(step.expected), "\(step.script)")
    }
  }

  @Test func `tables are sorted, first up and then down, and curves and scales chosen`() throws {
    let page = try Chromium.open(
      Self.page,
      script: """
        function medians() {
          return Array.from(document.querySelectorAll('#leaderboard tbody tr'))
            .map(function (row) { return row.cells[2].textContent; }).join(' ');
        }
        var button = document.querySelectorAll('#leaderboard thead button')[2], data = document.body.dataset;
        button.click(); data.up = medians();
        button.click(); data.down = medians();
        document.querySelectorAll('.curve-choice')[0].click();
        document.querySelectorAll('input[name=scale]')[1].click();
        data.curves = [document.querySelectorAll('.curve.off').length,
          getComputedStyle(document.querySelector('.distribution[data-log="0"]')).display,
          getComputedStyle(document.querySelector('.distribution[data-log="1"]')).display].join(' ');
        """)
    let document = page.document
    let up = try #require(document.firstMatch(of: /data-up="([^"]*)"/)).1.split(separator: " ")
      .compactMap { Double($0) }
    let down = try #require(document.firstMatch(of: /data-down="([^"]*)"/)).1.split(separator: " ")
      .compactMap { Double($0) }
    #expect(up.count == 5 && up == up.sorted())
    #expect(down == up.reversed())
    let areCurvesChosen = document.contains("data-curves=\"2 none block\"")
    #expect(areCurvesChosen)
  }

  @Test func `the plan is zoomed about the pointer and moved`() throws {
    let page = try Chromium.open(
      Self.page,
      script: """
        function byId(name) { return document.getElementById(name); }
        var plan = byId('plan-picture'), answer = byId('plan-now').querySelector('.truth-now'), data = document.body.dataset;
        function box() { return plan.getAttribute('viewBox').split(' ').map(Number); }
        function send(kind, x, y, more) {
          var settings = Object.assign({ clientX: x, clientY: y, bubbles: true, cancelable: true }, more);
          plan.dispatchEvent(kind === 'wheel' ? new WheelEvent(kind, settings)
            : kind === 'click' ? new MouseEvent(kind, settings) : new PointerEvent(kind, settings));
        }
        function middle(part) { var r = part.getBoundingClientRect(); return { x: r.x + r.width / 2, y: r.y + r.height / 2 }; }
        var whole = box(), before = middle(answer);
        send('wheel', before.x, before.y, { deltaY: -400 });
        data.unmoved = String(box()[2] === whole[2]);
        send('wheel', before.x, before.y, { deltaY: -400, ctrlKey: true });
        var after = middle(answer);
        data.zoomed = (whole[2] / box()[2]).toFixed(2);
        // An event is at whole pixels, a quarter of which the zoom shows as one.
        data.still = String(Math.hypot(after.x - before.x, after.y - before.y) < 4.5);
        data.size = (answer.getBoundingClientRect().width).toFixed(0);
        send('pointermove', after.x, after.y);
        data.pointer = byId('plan-pointer').textContent;
        var here = box();
        send('pointerdown', after.x, after.y, { buttons: 1 });
        send('pointermove', after.x - 40, after.y, { buttons: 1 });
        data.moved = String(box()[0] > here[0]);
        send('click', after.x - 40, after.y);
        data.same = byId('plan-readout').innerText.replace(/\\s+/g, ' ').slice(0, 14);
        byId('plan-zoom-all').click();
        data.back = String(box().join() === whole.map(function (n) { return Number(n.toFixed(2)); }).join()
          && byId('plan-zoom-out').disabled);
        byId('plan-forward').click();
        byId('plan-forward').click();
        var third = middle(byId('plan-now').querySelector('.truth-now'));
        byId('plan-back').click();
        send('pointerdown', third.x, third.y, {});
        send('click', third.x, third.y);
        data.chosen = byId('plan-readout').innerText.replace(/\\s+/g, ' ').slice(0, 14);
        """)
    #expect(page.console == [])
    for (name, expected) in [
      ("unmoved", "true"), ("zoomed", "4.00"), ("still", "true"), ("moved", "true"),
      ("same", "epoch 1 of 20"), ("back", "true"), ("chosen", "epoch 3 of 20"),
    ] {
      let value = page.document.firstMatch(of: try Regex("data-\(name)=\"([^\"]*)\""))?.output[1]
        .substring
      #expect(value.map { $0.hasPrefix(expected) } == true, "\(name): \(value ?? "")")
    }
    let pointer = try #require(page.document.firstMatch(of: /data-pointer="([^"]*)"/)).1
    #expect(pointer.contains(/^x -?\d+\.\d\d m, y -?\d+\.\d\d m: epoch 1, \S+ \d+\.\d\d m off/))
  }

  @Test func `one map of errors, or none, is under the plan, with its legend`() throws {
    let page = try Chromium.open(
      Self.page,
      script: """
        var choice = document.getElementById('plan-heat'), shown = [];
        [-1, 0, 1, -1].forEach(function (value) {
          choice.value = value;
          choice.dispatchEvent(new Event('change'));
          shown.push(Array.from(document.querySelectorAll('[data-layer]'))
            .filter(function (part) { return getComputedStyle(part).display !== 'none'; })
            .map(function (part) { return part.tagName + part.dataset.layer; }).join('+'));
        });
        document.body.dataset.shown = shown.join(' ');
        """)
    #expect(page.console == [])
    let isShown = page.document.contains("data-shown=\" g0+DIV0 g1+DIV1 \"")
    #expect(isShown)
  }

  @Test
  func `an address leads to an answer, shown to the centimetre, also on a narrow window`() throws {
    let answers = Sample(walks: 3, questionsEach: 20).document.answers
    let outcome = try #require(answers.first { $0.name == "weighted-centroid:degree=2" }).outcomes[
      2][10]
    guard case .located(let estimate) = outcome else {
      Issue.record("the sample's centroid always answers")
      return
    }
    let page = try Chromium.open(
      Self.page, fragment: "#trace=walk%203&algorithm=weighted-centroid%3Adegree%3D2&epoch=11",
      script:
        "document.body.dataset.excess = document.documentElement.scrollWidth - window.innerWidth;",
      width: 500)
    let readout = try #require(page.text(of: "plan-readout"))
    let place = String(format: "answer %.2f, %.2f", estimate.position.x, estimate.position.y)
    for part in [
      "epoch 11 of 20 time +20.0 s", "weighted-centroid:degree=2 error", place,
      "ellipse none: no-error-model",
    ] {
      #expect(readout.contains(part))
    }
    let excess = try #require(page.document.firstMatch(of: /data-excess="(-?\d+)"/))
    // Nothing but tables, which scroll by themselves, is wider than the window.
    #expect(try #require(Int(excess.1)) <= 0)
  }

  @Test func `names that would be markup are inert, and come through whole`() throws {
    let page = try Chromium.open(
      HTMLReport(Hostile.document).text,
      script: """
        document.body.dataset.lengths = JSON.parse(document.getElementById('data').textContent)
          .traces.map(function (trace) { return Array.from(trace.name).length; });
        """)
    #expect(page.console == [])
    let isOwned = page.document.contains("data-owned")
    #expect(!isOwned)
    let first = page.text(of: "plan-readout") ?? ""
    #expect(first.contains("epoch 1 of 4"))
    let lengths = try #require(page.document.firstMatch(of: /data-lengths="([^"]*)"/)).1
    #expect(
      lengths.split(separator: ",").compactMap { Int($0) }
        == Hostile.names.map(\.unicodeScalars.count))
  }

  @Test(arguments: [false, true])
  func `has ink: the plan's answers and the curves in the palette's colours`(isDark: Bool) throws {
    let scratch = try TemporaryDirectory()
    let path = scratch.path("page.png")
    try Chromium.picture(Self.page, width: 1280, height: 3600, isDark: isDark, to: path)
    let result = try runPython(
      """
      import sys
      from PIL import Image
      picture = Image.open(sys.argv[1]).convert("RGB")
      wanted = [tuple(int(c[i:i+2], 16) for i in (1, 3, 5)) for c in sys.argv[2:]]
      counts = {colour: count for count, colour in picture.getcolors(1 << 24)}
      print(picture.width, picture.height, *(counts.get(c, 0) for c in wanted))
      """,
      [path] + (isDark ? ["#14171b", "#4f9dff", "#ff8a3d"] : ["#ffffff", "#0072b2", "#c65000"]))
    try #require(result.exitCode == 0, "\(result.error)")
    let numbers = result.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    #expect(numbers.prefix(2) == [1280, 3600])
    #expect(numbers[2] > 1280 * 3600 / 2, "the page's colour")
    #expect(numbers[3] > 500 && numbers[4] > 300, "the first two algorithms' colours")
  }
}
