import Support
import TestSupport
import Testing

@testable import Plotting

/// Panels in rows, and what panels of a fit need beyond series and bars.
@Suite struct RowsPictureTests {
  private func panel(_ series: Series..., title: String = "") -> Panel {
    Panel(title: title, x: Axis("x"), y: Axis("y"), series: series)
  }

  private func line(_ name: String, colour: String? = nil) -> Series {
    Series(name, .line(x: [0, 1], y: [0, 1]), colourName: colour)
  }

  @Test func `panels lie in their rows`() {
    let panels = (0..<5).map { _ in panel(line("")) }
    let chart = Chart(panels: panels, arrangement: .rows([1, 2, 2]), width: 900)
    let layout = Layout(chart, legends: panels.map { _ in [] })
    let places = layout.places
    #expect(places[1].top == places[2].top && places[1].bottom == places[2].bottom)
    #expect(places[0].bottom < places[1].top && places[2].bottom < places[3].top)
    #expect(places[1].right < places[2].left)
    #expect(places[0].left == places[1].left && places[0].right == places[2].right)
    let widths = places.map { $0.right - $0.left }
    #expect(abs(widths[1] - widths[2]) < 1e-9)
    #expect(widths[0] > 2 * widths[1])
    #expect(layout.height > places[4].bottom)
  }

  @Test func `a panel has the height asked for`() {
    var tall = panel(line(""))
    tall.height = 400
    let layout = Layout(Chart(panels: [tall, panel(line(""))]), legends: [[], []])
    #expect(layout.places[0].bottom - layout.places[0].top == 400)
    #expect(layout.places[1].bottom - layout.places[1].top == 250)
  }

  @Test(arguments: [[1], [1, 2], [3, -1], [2, 0], []])
  func `rows that do not hold the panels are refused`(rows: [Int]) throws {
    let chart = Chart(panels: [panel(line("a")), panel(line("a"))], arrangement: .rows(rows))
    let error = try #require(
      #expect(throws: RSSIError.self) { try chart.picture(.svg, searchPath: searchPath) })
    #expect(error.kind == .usage)
  }

  @Test func `a name of several colours is explained once in grey`() throws {
    let band = Series.Shape.band(x: [0, 1], low: [0, 0], high: [1, 1])
    let picture = try svg(
      Chart(
        panels: [
          panel(line("a"), Series("band", band, colourName: "a")),
          panel(line("b"), Series("band", band, colourName: "b")),
        ], arrangement: .row))
    let script = """
      fills = [''.join(str(e.attrib).split()) for e in root.iter() if e.tag in (space + 'polygon', space + 'path', space + 'rect')]
      print(texts.count('band'), texts.count('a'), texts.count('b'))
      print(*[any(f'rgb({c})' in f for f in fills) for c in ('0,114,178', '198,80,0', '89,99,110')])
      """
    #expect(try ask(picture, script) == ["1 1 1", "True True True"])
  }

  @Test func `whiskers run from low to high`() throws {
    let series = Series("", .whiskers(x: [1, 2], low: [0, 1], high: [4, 3]))
    let script = """
      import re
      lengths = []
      for d in drawn(0, 114, 178):
        p = [tuple(map(float, w.split(','))) for w in re.findall(r'-?[0-9.]+,-?[0-9.]+', d)]
        lengths += [abs(a[1] - b[1]) for a, b in zip(p[::2], p[1::2]) if a[0] == b[0]]
      print(len(lengths), round(max(lengths) / min(lengths), 2))
      """
    #expect(try ask(try svg(chart(series)), script) == ["2 2.0"])
  }

  @Test func `points stand at their values and are not joined to zero`() throws {
    let bars = Bars(
      labels: ["a", "b", "c"], values: [-60, -58, .nan], low: [-61, -59, .nan],
      high: [-59, -57, .nan],
      decimals: 1, style: .points)
    let picture = try svg(Chart(panels: [Panel(x: Axis("P", mark: -59), bars: bars)]))
    let script = """
      print(len(list(root.iter(space + 'polygon'))), *[texts.count(t) for t in ('-60.0', '-58.0', 'c', '0')])
      """
    #expect(try ask(picture, script) == ["0 1 1 1 0"])
  }

  @Test func `labels that are not shown are not`() throws {
    let bars = Bars(labels: ["a"], values: [1], style: .points, showsLabels: false)
    let picture = try svg(Chart(panels: [Panel(x: Axis("x"), bars: bars)]))
    #expect(try ask(picture, "print(texts.count('a'), texts.count('1.00'))") == ["0 1"])
  }

  @Test(arguments: [
    (0.5...8.0, [0.5, 1, 2, 5]), (0.01...3.5, [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2]),
    (1.4...12.0, [1.5, 2, 3, 4, 5, 6, 8, 10]), (4.0...4.5, []), (1...1e5, []),
  ])
  func `a logarithmic axis has round ticks`(range: ClosedRange<Double>, ticks: [Double]) {
    let found = Extent(Axis("x", range: range, scale: .logarithmic), of: []).logarithmicTicks
    #expect(found.count == ticks.count)
    #expect(zip(found, ticks).allSatisfy { abs($0 - $1) < 1e-12 })
  }

  @Test func `a long label keeps its ends`() {
    #expect(shortened("abc", limit: 3) == "abc")
    #expect(shortened("abcdefghij", limit: 5) == "ab…ij")
    #expect(shortened("abcdefghij", limit: 6) == "abc…ij")
  }
}
