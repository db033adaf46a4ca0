import Foundation
import TestSupport
import Testing

@testable import Plotting

/// A beacon may have any name; no name is ever more than a text.
@Suite struct LabelInjectionTests {
  /// A file that no name may make; short, as a long name is cut off.
  static let mark = "/tmp/injected-\(UInt32.random(in: 0...UInt32.max))"
  static let names = [
    "'; system('touch \(mark)'); '", "`touch \(mark)`", "\"; system('touch \(mark)'); \"",
    "'.system('touch \(mark)').'", "\\'; !touch \(mark)", "@GPVAL_TERM", "{/Symbol a}_{b}^{c}",
    "100% %g %s %n %%", "<script>&lt;&amp;&#65;</script>", "]]><b>", "$d0", "\\101\\n", "'", "''",
    "\"",
    "a # b", "=1", "1'2\"3`4", "\\", "mean:n=10",
    "naïve Ω 信标 🛰",
  ]

  @Test(arguments: names)
  func `a name is drawn as it is`(name: String) throws {
    let series = Series(name, .line(x: [0, 1], y: [0, 1]))
    let whole = Chart(
      title: name,
      panels: [
        Panel(title: name, x: Axis(name), y: Axis(name), series: [series]),
        Panel(x: Axis("x"), bars: Bars(labels: [name], values: [1])),
      ])
    let script = "import json\nprint(json.dumps(texts))"
    let answer = try ask(try svg(whole), script)[0]
    let texts = try JSONDecoder().decode([String].self, from: Data(answer.utf8))
    // The titles of the chart and of the panel, two axes, the legend and the bar.
    #expect(texts.filter { $0 == name }.count == 6, "\(texts)")
    #expect(!FileManager.default.fileExists(atPath: Self.mark))
  }

  @Test(arguments: [
    ("a\nset output '/x'\nb", "a set output '/x' b"), ("a\r\n!touch x", "a  !touch x"),
    ("a\u{0}\u{1b}[31mb", "a[31mb"), ("a\u{202e}b\u{fffe}c\u{2028}d", "abc d"), ("a\tb", "a b"),
  ])
  func `invisible characters are left out`(name: String, expected: String) throws {
    #expect(shown(name) == expected)
    let picture = try svg(chart(Series(name, .line(x: [0, 1], y: [0, 1]))))
    let texts = try ask(picture, "print('\\n'.join(texts))")
    // XML lets the parser keep two spaces; both are there.
    #expect(texts.contains(expected))
  }

  @Test func `a long name is cut off`() {
    #expect(shown(String(repeating: "x", count: 500)).unicodeScalars.count == 80)
    #expect(shown("e" + String(repeating: "\u{301}", count: 500)).unicodeScalars.count == 80)
  }
}
