import Testing

@testable import Reporting

@Suite struct FittedTableTests {
  private let columns: [FittedTable.Column] = [
    .init(heading: "device", cells: ["AA:BB:CC:DD:EE:FF", "b"], least: 10),
    .init(heading: "name", cells: ["門".repeated(8), ""], least: 8, keepsEnd: false, rank: 1),
    .init(heading: "empty", cells: ["", ""], rank: 1),
    .init(heading: "level", unit: "dBm", cells: ["-7", "-120"]),
    .init(heading: "extra", cells: ["123456789", "1"], rank: 2),
  ]

  private func lines(_ width: Int, isUnicode: Bool = true) -> [Substring] {
    FittedTable(columns, isUnicode: isUnicode).text(width: width).split(separator: "\n")
  }

  @Test func `what fits is shown whole`() {
    #expect(FittedTable(columns, isUnicode: true).width == 17 + 16 + 5 + 9 + 6)
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
