import Testing

@testable import Reporting

@Suite struct FittedTableTests {
  private let table = ReportTable(
    of: [
      ("AA:BB:CC:DD:EE:FF", "門".repeated(8), -7, 123_456_789), ("b", "", -120, 1),
    ],
    [
      .text("device", least: 10) { .name($0.0) },
      .text("name", rank: 1, least: 8, keepsEnd: false) { .name($0.1) },
      .number("empty", rank: 1) { _ in .text("") },
      .number("level", unit: "dBm") { .count($0.2) },
      .number("extra", rank: 2) { .count($0.3) },
      .text("page only", rank: nil) { .name($0.0) },
    ])

  private func lines(_ width: Int, isUnicode: Bool = true) -> [Substring] {
    FittedTable(table, isUnicode: isUnicode).text(width: width).split(separator: "\n")
  }

  @Test func `fitting columns are shown completely`() {
    #expect(FittedTable(table, isUnicode: true).width == 17 + 16 + 5 + 9 + 6)
    #expect(
      lines(53) == [
        "device             name              level      extra",
        "                                       dBm",
        "AA:BB:CC:DD:EE:FF  門門門門門門門門     -7  123456789",
        "b                                     -120          1",
      ])
  }

  @Test func `columns are left out and texts shortened, the important ones last`() {
    #expect(
      lines(30) == [
        "device         name      level",
        "                           dBm",
        "AA:B…DD:EE:FF  門門門…      -7",
        "b                         -120",
      ])
    #expect(lines(17)[2] == "AA:…:EE:FF     -7")
    // The most important columns stay whatever the width.
    #expect(lines(1)[2].hasSuffix("-7"))
  }

  @Test func `ASCII alone`() {
    for line in lines(30, isUnicode: false) { #expect(line.utf8.count == line.count, "\(line)") }
  }

  @Test(arguments: 17...60)
  func `lines keep to the width`(width: Int) {
    // Ideographs take two places.
    for line in lines(width) {
      let places = line.unicodeScalars.reduce(0) { $0 + ($1 == "門" ? 2 : 1) }
      #expect(places <= width, "\(line)")
    }
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
