import Testing

@testable import Reporting

@Suite struct TextReportTests {
  private func shown(_ text: String, width: Int?) -> [String] {
    TextReport(text).text(in: TextLayout(width: width)).split(separator: "\n").map(String.init)
  }

  @Test func `lines end between words, and go on under the value of a label`() {
    #expect(
      shown("  warning: one two three four\nmade by   rssi import a.csv\n", width: 20) == [
        "  warning: one two", "    three four", "made by   rssi", "  import a.csv",
      ])
    #expect(
      shown("made by  rssi import --nodes nodes.csv b.csv\n", width: 30) == [
        "made by  rssi import --nodes", "         nodes.csv b.csv",
      ])
    // A word that is too long stays whole, and so does what a pipe gets.
    #expect(
      shown("a \(String(repeating: "b", count: 30)) c\n", width: 10) == [
        "a", "  " + String(repeating: "b", count: 30), "  c",
      ])
    let line = String(repeating: "word ", count: 60)
    #expect(shown(line, width: nil) == [line])
  }

  @Test(arguments: 12...60)
  func `lines keep to the width`(width: Int) {
    let words = "the quick brown fox jumps over the lazy dog and on"
    for line in shown("label  \(words)\n  \(words)\n", width: width) {
      #expect(line.count <= width, "\(line)")
    }
  }

  @Test func `headings are bold where that is asked for, and names cannot steer a terminal`() {
    var report = TextReport()
    report.add(heading: "a\u{1B}[2J\n")
    report.add("b\u{1B}c\n")
    #expect(report.text() == "a\\u{1b}[2J\\u{a}\nb\\u{1b}c\n")
    #expect(
      report.text(in: TextLayout(isBold: true))
        == "\u{1B}[1ma\\u{1b}[2J\\u{a}\u{1B}[0m\nb\\u{1b}c\n")
  }

  @Test func `columns that do not fit are named, in a pipe none is left out`() {
    var report = TextReport()
    report.add(
      table: ReportTable(
        of: ["a"],
        [
          .number("name") { .name($0) }, .number("q dB²/s", rank: 1) { _ in .count(1) },
          .number("r dB²", rank: 2) { _ in .count(2) },
        ]))
    #expect(report.text() == "name  q dB²/s  r dB²\n   a        1      2\n")
    #expect(
      report.text(in: TextLayout(width: 14))
        == "name  q dB²/s\n   a        1\ntoo wide for\n  this\n  terminal: r\n  dB²; the\n"
        + "  JSON report\n  has all\n")
    // Headings, too, are shown on terminals that know ASCII only.
    #expect(
      report.text(in: TextLayout(width: 80, isUnicode: false))
        == "name  q dB^2/s  r dB^2\n   a         1       2\n")
  }
}
