import Foundation
import Glibc
import Support
import TestSupport
import Testing

@testable import Plotting

@Suite struct RenderTests {
  private let sample = chart(
    Series("received", .points(x: [0, 1, 2], y: [-70, -71, -69]), role: .raw),
    Series("mean", .line(x: [0, 1, 2], y: [-70, -70.5, -70])))

  private func failure(_ body: () throws -> Void) throws -> RSSIError {
    try #require(#expect(throws: RSSIError.self) { try body() })
  }

  @Test(arguments: PictureFormat.allCases)
  func `the same chart makes the same bytes`(format: PictureFormat) throws {
    let first = try sample.picture(format, searchPath: searchPath)
    // The time of creation in a file is to the second.
    let second = time(nil)
    #expect(eventually { time(nil) != second })
    #expect(try sample.picture(format, searchPath: searchPath) == first)
  }

  @Test func `a PNG has the size asked for`() throws {
    var chart = sample
    (chart.width, chart.height, chart.density) = (640, 360, 3)
    let bytes = try chart.picture(PictureFormat(path: "a.PNG"))
    // The signature, and the lengths in the IHDR chunk (PNG specification, sections 5.2 and
    // 11.2.2).
    #expect(bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
    #expect(Array(bytes[16..<24]) == [0, 0, 1920 >> 8, 1920 & 255, 0, 0, 1080 >> 8, 1080 & 255])
  }

  @Test func `a PDF is one`() throws {
    let bytes = try sample.picture(.pdf, searchPath: searchPath)
    #expect(bytes.starts(with: Array("%PDF-".utf8)))
    #expect(bytes.suffix(6) == Array("%%EOF\n".utf8)[...])
    // 900 pixels of 1/96 inch are 675 points.
    #expect(bytes.firstRange(of: Array("/MediaBox [ 0 0 675 ".utf8)) != nil)
    #expect(bytes.firstRange(of: Array("CreationDate".utf8)) == nil)
  }

  @Test func `an SVG has the size asked for`() throws {
    var chart = sample
    (chart.width, chart.height) = (640, 360)
    #expect(try ask(try svg(chart), "print(root.attrib['viewBox'])") == ["0 0 640 360"])
  }

  @Test(arguments: ["a.jpg", "a", ".svg/a", "svg", "a.svg.txt", "", "a.svg "])
  func `another extension is refused`(name: String) throws {
    let error = try failure { _ = try PictureFormat(path: name) }
    #expect(error.kind == .usage)
    #expect(error.description == "cannot draw \(name): its name must end in .svg, .png or .pdf")
  }

  @Test(arguments: ["", ":", "/nonexistent:", "."])
  func `a missing gnuplot is reported`(path: String) throws {
    let error = try failure { _ = try sample.picture(.svg, searchPath: path) }
    #expect(error.kind == .unavailable)
    #expect(error.description == "gnuplot is not installed: sudo apt install gnuplot-nox")
  }

  /// A gnuplot that draws what it could reach: it would hold the locks of files that it inherits.
  @Test func `gnuplot inherits no open file`() throws {
    let directory = try TemporaryDirectory()
    let program = try directory.write("#!/bin/sh\nls -l /proc/self/fd\n", to: "gnuplot")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let open = try directory.write("", to: "open-here")
    let descriptor = Glibc.open(open, O_RDONLY)
    defer { close(descriptor) }
    try #require(descriptor >= 0)
    let seen = try sample.picture(.svg, searchPath: directory.url.path)
    let text = String(decoding: seen, as: UTF8.self)
    #expect(text.contains("/proc"))
    #expect(!text.contains("open-here"))
  }

  /// A gnuplot that writes half a picture, complains and fails.
  @Test func `a failing gnuplot is an error`() throws {
    let directory = try TemporaryDirectory()
    let program = try directory.write(
      "#!/bin/sh\necho '<svg'\nprintf '\\ngnuplot> x\\n   ^\\n  line 3: out of luck\\n' >&2\nexit 1\n",
      to: "gnuplot")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let error = try failure {
      _ = try sample.picture(.svg, searchPath: directory.url.path)
    }
    #expect(error.kind == .failed)
    #expect(error.description.contains("out of luck"))
  }

  @Test func `every colour of an SVG has one for readers whose system is dark`() throws {
    let panel = Panel(
      x: Axis("x"), y: Axis("y"),
      series: [
        Series("received", .points(x: [0, 1], y: [0, 1]), role: .raw),
        Series("truth", .line(x: [0, 1], y: [0, 1]), role: .truth),
        Series("band", .band(x: [0, 1], low: [0, 0], high: [1, 1])),
      ] + (0..<8).map { Series("\($0)", .line(x: [0, 1], y: [0, Double($0)])) })
    let bars = Panel(
      x: Axis("x"),
      bars: Bars(labels: ["0", "other"], values: [1, 2], low: [0, 1], high: [2, 3]))
    let script = """
      style = ''.join(e.text for e in root.iter(space + 'style'))
      names = ('fill', 'stroke', 'color')
      used = {(name, e.get(name)) for e in root.iter() for name in names
              if e.get(name) and not e.tag.startswith(space + 'fe')}
      plain = {'none', 'currentColor', 'black', '#FFFFFF', 'lightgrey'}
      rules = lambda name, value: f'[{name}="{value}"]{{{name}:#' in style
      print(len([1 for name, value in used if value not in plain]) > 10,
            sorted(value for name, value in used if value not in plain and not rules(name, value)))
      """
    let answer = try ask(try svg(Chart(title: "t", panels: [panel, bars])), script)
    #expect(answer == ["True []"])
  }

  @Test func `gnuplot itself fails in a sentence`() throws {
    let error = try failure {
      _ = try DrawingProgram.gnuplot(searchPath: searchPath).draw(
        "set terminal svg\nset foo bar\nplot x\n")
    }
    #expect(error.description.contains("unrecognized"))
  }

  @Test func `charts that cannot be drawn are refused`() throws {
    let axis = Axis("x")
    let charts = [
      Chart(panels: []),
      chart(Series("a", .line(x: [1, 2], y: [1]))),
      chart(Series("a", .band(x: [1], low: [1], high: []))),
      Chart(panels: [Panel(x: axis, bars: Bars(labels: ["a"], values: []))]),
      Chart(panels: [Panel(x: axis, bars: Bars(labels: ["a"], values: [1], low: [], high: [2]))]),
      chart(x: Axis("x", range: 0...1, scale: .logarithmic)),
      chart(x: Axis("x", range: 0...Double.infinity)),
      Chart(panels: sample.panels, width: 1_000_000),
    ]
    for chart in charts {
      #expect(try failure { _ = try svg(chart) }.kind == .usage)
    }
  }
}
