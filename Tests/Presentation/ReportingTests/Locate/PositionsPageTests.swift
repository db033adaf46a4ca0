import Evaluation
import Foundation
import Geometry
import Plotting
import Positioning
import Registries
import Sightings
import Support
import TestSupport
import Testing
import TracePipelines
import TraceStore

@testable import Reporting

/// Two walks of two nodes whose positions are known: node k walks along y = k + 1.
private struct Walks {
  var names = ["phone", "tag"]
  var traces = ["walk-1", "walk-2"]
  var site = Sample.site
  var seconds = 10
  /// The second at which all nodes take the stairs from the first floor to the second.
  var stairs: Int?

  var positions: [LocatedPosition] {
    traces.enumerated().flatMap { trace, traceName in
      (0..<seconds).flatMap { second in
        names.enumerated().map { number, name in
          let node = MovingNode(
            trace: UInt16(trace), role: .receiver, index: UInt32(number), traceName: traceName,
            id: name)
          var estimate = Estimate(
            position: Point(x: 1 + 0.25 * Double(second), y: Double(number) + 1),
            uncertainty: .covariance(Covariance(xx: 1, xy: 0, yy: 0.25)))
          estimate.floor = stairs.map { second < $0 ? 0 : 1 }
          var position = LocatedPosition(
            time: Int64(1_700_000_000 + 60 * trace + second) * 1_000_000_000, node: node,
            outcome: second == 5 ? .refused(.tooFewAnchors) : .located(estimate), anchors: 7)
          position.floor = stairs.map { site.floors[second < $0 ? 0 : 1] }
          position.room = second == 5 ? nil : site.rooms.first?.name
          return position
        }
      }
    }
  }

  func page(
    most: Int = EmbeddedPositions.most, at reference: EarthReference? = nil
  ) -> PositionsPage {
    PositionsPage(
      LocateReport(algorithm: "kalman", epoch: "1s", names: .none), [positions], on: site,
      at: reference, .none, title: traces[0],
      by: ToolIdentity(version: "1", commandLine: "rssi locate \(names[0])"),
      mostPositions: most)
  }
}

@Suite("The page of located positions")
struct PositionsPageTests {
  @Test func `each floor of a building has a panel, and paths end where the floor changes`() throws
  {
    var walks = Walks()
    walks.names = ["phone"]
    walks.traces = ["stairs"]
    walks.site.storeys = [.init(walks.site), .init(walks.site)]
    walks.site.floors = ["F1", "F2"]
    walks.stairs = 7
    let picture = walks.page().svg
    #expect(picture.contains(">F1</text>") && picture.contains(">F2</text>"))
    let path = try #require(picture.firstMatch(of: #/class="joined c0" d="([^"]*)"/#)).1
    #expect(path.count { $0 == "M" } == 2 && path.count { $0 == "L" } == 7)
    let places = try path.split(whereSeparator: "ML".contains).map { text in
      try text.split(separator: " ").map { try #require(Double($0)) }
    }
    let (scale, step) = (places[1][0] - places[0][0], 0.25)
    // Seconds 6 and 7, on either side of the stairs, of panels beside or below each other.
    let jump = (x: places[6][0] - places[5][0], y: places[6][1] - places[5][1])
    #expect(abs(jump.x - scale) > 100 || abs(jump.y) > 100, "\(jump), \(scale / step) per metre")
    #expect(walks.page().text.contains("\"f\":[0,0,0,0,0,0,0,1,1,1]"))
  }

  @Test func `is valid HTML, and its picture valid XML`() throws {
    var hostile = Walks()
    hostile.names = Hostile.names
    hostile.traces = Array(Hostile.names.prefix(3))
    for index in hostile.site.anchors.indices {
      hostile.site.anchors[index].name = Hostile.names[index]
    }
    hostile.site.spots[0].name = Hostile.names[0]
    for walks in [Walks(), hostile] {
      let scratch = try TemporaryDirectory()
      let page = try scratch.write(walks.page().text, to: "page.html")
      let picture = try scratch.write(walks.page().svg, to: "page.svg")
      let result = try runPython(
        """
        import sys, html5lib, xml.etree.ElementTree as xml
        html5lib.HTMLParser(strict=True).parse(open(sys.argv[1], encoding="utf-8", newline="").read())
        root = xml.parse(sys.argv[2]).getroot()
        paths = [path for path in root.iter("{http://www.w3.org/2000/svg}path")
                 if path.get("class", "").startswith("joined")]
        print(root.tag, len(paths))
        """, [page, picture])
      #expect(
        result.output
          == "{http://www.w3.org/2000/svg}svg \(walks.names.count * walks.traces.count)\n",
        "\(result.error)")
    }
  }

  @Test func `its picture has no variables, so that every program draws its colours`() throws {
    let svg = Walks().page().svg
    #expect(!svg.contains("var(") && !svg.contains("--"))
    let png = try PictureFormat.png.bytes(of: svg)
    let scratch = try TemporaryDirectory()
    try Data(png).write(to: scratch.url.appending(path: "page.png"))
    let result = try runPython(
      """
      import sys
      from PIL import Image
      image = Image.open(sys.argv[1]).convert("RGB")
      colours = {colour for count, colour in image.getcolors(1 << 20) if count > 100}
      print(image.width, image.height, (255, 255, 255) in colours, (0x3d, 0x44, 0x4d) in colours,
            (0x1b, 0x1f, 0x24) in colours)
      """, [scratch.path("page.png")])
    let words = result.output.split(separator: " ").map { $0.trimmingPrefix("\n") }
    #expect(words.suffix(3).allSatisfy { $0.hasPrefix("True") }, "\(result.output)\(result.error)")
    #expect((words.first.flatMap { Int($0) } ?? 0) >= 1000)
    let pdf = try PictureFormat.pdf.bytes(of: svg)
    #expect(pdf.starts(with: Array("%PDF".utf8)))
    #expect(try pdf == PictureFormat.pdf.bytes(of: svg))
  }

  @Test func `thins too many epochs, and reports it`() throws {
    let whole = Walks().page().text
    let thin = Walks().page(most: 20).text
    #expect(!whole.contains("shows one epoch in"))
    #expect(thin.contains("shows one epoch in 2."))
  }

  @Test func `its GeoJSON has a path of each node and a point of each position`() throws {
    #expect(Walks().page().geoJSON == nil)
    var walks = Walks()
    walks.names = Hostile.names
    let reference = EarthReference(
      of: Point(x: 1, y: 1), latitude: 48.2, longitude: 16.37, bearing: 90)
    let text = try #require(walks.page(at: reference).geoJSON)
    let scratch = try TemporaryDirectory()
    let result = try runPython(
      """
      import json, sys, shapely
      from shapely.geometry import shape
      document = json.load(open(sys.argv[1], encoding="utf-8"))
      assert document["type"] == "FeatureCollection" and "crs" not in document
      for feature in document["features"]:
          assert set(feature) == {"type", "geometry", "properties"}
          assert feature["type"] == "Feature" and shape(feature["geometry"]).is_valid
      of = lambda kind: [each for each in document["features"] if each["properties"]["kind"] == kind]
      print(len(of("path")), len(of("position")),
            sorted({each["properties"]["node"] for each in of("path")}) == sorted(json.loads(sys.argv[2])))
      first = of("position")[0]
      print(json.dumps([first["geometry"]["coordinates"], first["properties"]["bearing_deg"],
                        first["properties"]["semi_major_95_m"]]))
      print({each["geometry"]["type"] + str(len(each["geometry"]["coordinates"])) for each in of("path")})
      """,
      [
        try scratch.write(text, to: "positions.geojson"),
        String(decoding: try JSONEncoder().encode(walks.names), as: UTF8.self),
      ])
    let lines = result.output.split(separator: "\n")
    try #require(lines.count == 3, "\(result.error)")
    let nodes = walks.names.count * walks.traces.count
    #expect(lines[0] == "\(nodes) \(9 * nodes) True")
    // The first is at the reference; its x axis, along which the ellipse lies, points south.
    #expect(
      lines[1] == "[[16.37, 48.2], 180.0, 2.448]" || lines[1] == "[[16.37, 48.2], 0.0, 2.448]")
    #expect(lines[2] == "{'LineString9'}")
  }

  @Test func `a floor's picture lies where its pixels are`() throws {
    var walks = Walks()
    walks.site.floor = ReportedSite.Floor(
      name: "<ground>", uri: "data:image/png;base64,AAAA", width: 600, height: 400,
      x: .init(origin: 0, u: 0.02, v: 0), y: .init(origin: 8, u: 0, v: -0.02))
    let text = walks.page().text
    #expect(text.contains("<title>&lt;ground&gt;</title>"))
    let matrix = try #require(text.firstMatch(of: #/transform="matrix\(([^)]*)\)"/#)).1
      .split(separator: " ").compactMap { Double($0) }
    let data = try #require(
      text.firstMatch(of: #/data-left="([^"]*)" data-top="([^"]*)" data-scale="([^"]*)"/#))
    let (left, top, scale) = (Double(data.1), Double(data.2), Double(data.3))
    for (u, v, x, y) in [(0.0, 0.0, 0.0, 8.0), (600, 400, 12, 0)] {
      #expect(
        abs(matrix[0] * u + matrix[2] * v + matrix[4] - (x - (left ?? 0)) * (scale ?? 0)) < 0.01)
      #expect(
        abs(matrix[1] * u + matrix[3] * v + matrix[5] - ((top ?? 0) - y) * (scale ?? 0)) < 0.01)
    }
  }
}

@Suite(.enabled(if: Chromium.isThere, "needs Chromium: run scripts/bootstrap test"))
struct PositionsPageInBrowserTests {
  /// Steps that change the readout, and a part of it after each.
  private static let steps: [(script: String, expected: String)] = [
    ("", "time 2023-11-14 22:13:20 UTC since start +0.0 s phone position 1.00, 1.00"),
    ("", "95 % half axes 2.45 × 1.22 m room"), ("", "tag position 1.00, 2.00"),
    ("set('plan-epoch', 4, 'input')", "phone position 2.00, 1.00"),
    ("byId('plan-forward').click()", "no position too-few-anchors"),
    ("byId('plan-back').click()", "+4.0 s"),
    ("set('plan-node', 1, 'change')", "+4.0 s tag position 2.00, 2.00"),
    ("set('plan-trace', 1, 'change')", "22:14:20 UTC since start +0.0 s phone"),
    ("location.hash = '#trace=walk-1&node=tag&step=10'", "+9.0 s tag position 3.25, 2.00"),
    ("byId('plan-epoch').focus(); byId('plan-play').click()", "+9.0 s"),
  ]

  @Test(arguments: [1400, 1024, 500])
  func `sliders, choices, buttons and addresses change the readout, at any width`(width: Int) throws
  {
    let (said, page) = try Chromium.readouts(
      Walks().page().text, after: Self.steps.map(\.script), last: 3000, width: width)
    #expect(page.console == [])
    try #require(said.count == Self.steps.count)
    for (text, step) in zip(said, Self.steps) {
      #expect(text.contains(step.expected), "\(step.script)")
    }
    let excess = try #require(page.document.firstMatch(of: /data-excess="(-?\d+)"/))
    #expect(try #require(Int(excess.1)) <= 0)
  }

  @Test func `names that would be markup are inert, and come through whole`() throws {
    var walks = Walks()
    walks.names = Hostile.names
    walks.traces = Hostile.names
    let page = try Chromium.open(
      walks.page().text,
      script: """
        document.body.dataset.lengths = JSON.parse(document.getElementById('data').textContent)
          .traces.map(function (trace) { return Array.from(trace.name).length; });
        document.body.dataset.listed = document.querySelectorAll('#plan-node option').length;
        """)
    #expect(page.console == [])
    let isOwned = page.document.contains("data-owned")
    #expect(!isOwned)
    let lengths = try #require(page.document.firstMatch(of: /data-lengths="([^"]*)"/)).1
    #expect(
      lengths.split(separator: ",").compactMap { Int($0) }
        == Hostile.names.map(\.unicodeScalars.count))
    let isListed = page.document.contains("data-listed=\"\(Hostile.names.count + 1)\"")
    #expect(isListed)
  }

  @Test(arguments: [false, true])
  func `has ink: paths and positions in the palette's colours`(isDark: Bool) throws {
    let scratch = try TemporaryDirectory()
    let path = scratch.path("page.png")
    try Chromium.picture(
      Walks().page().text, width: 1280, height: 1600, isDark: isDark, to: path)
    let result = try runPython(
      """
      import sys
      from PIL import Image
      picture = Image.open(sys.argv[1]).convert("RGB")
      wanted = [tuple(int(c[i:i+2], 16) for i in (1, 3, 5)) for c in sys.argv[2:]]
      counts = {colour: count for count, colour in picture.getcolors(1 << 24)}
      print(*(counts.get(c, 0) for c in wanted))
      """,
      [path] + (isDark ? ["#14171b", "#4f9dff", "#ff8a3d"] : ["#ffffff", "#0072b2", "#c65000"]))
    try #require(result.exitCode == 0, "\(result.error)")
    let numbers = result.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    #expect(numbers[0] > 1280 * 1600 / 3, "the page's colour")
    #expect(numbers[1] > 100 && numbers[2] > 100, "the nodes' colours")
  }
}
