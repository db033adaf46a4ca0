import Screens
import Support

/// A table in a terminal of a width: less important columns are left out, long texts are shortened.
struct FittedTable {
  /// A text as a terminal shows it, and the columns that it takes there.
  private struct Text {
    let text: String
    let width: Int

    init(_ text: String, isUnicode: Bool) {
      if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
        (self.text, width) = (text, text.utf8.count)
      } else {
        let shown = PrintableText(text.printable, isUnicode: isUnicode)
        (self.text, width) = (shown.text, shown.columns)
      }
    }
  }

  private struct Column {
    let rank: Int
    let least: Int?
    let keepsEnd: Bool
    /// The heading and the unit.
    let head: [Text]
    let cells: [Text]

    var widest: Int { (head + cells).map(\.width).max() ?? 0 }
    var narrowest: Int { least.map { max(min($0, widest), head[0].width) } ?? widest }
  }

  private let columns: [Column]
  private let widest: [Int]
  private let narrowest: [Int]
  private let isUnicode: Bool

  /// - Parameters:
  ///   - table: columns without a cell that is not empty are left out, except those of rank 0.
  ///   - isUnicode: a Boolean value that is true if the terminal shows more than ASCII.
  init(_ table: ReportTable, isUnicode: Bool = true) {
    func shown(_ text: String) -> Text { Text(text, isUnicode: isUnicode) }
    columns = table.headings.enumerated().compactMap { place, heading in
      guard let rank = heading.rank else { return nil }
      let cells = table.rows.map { shown($0[place].textForTerminal) }
      guard rank == 0 || cells.contains(where: { !$0.text.isEmpty }) else { return nil }
      return Column(
        rank: rank, least: heading.least, keepsEnd: heading.keepsEnd,
        head: [shown(heading.textOnTerminal ?? heading.text), shown(heading.unit)], cells: cells)
    }
    widest = columns.map(\.widest)
    narrowest = columns.map(\.narrowest)
    self.isUnicode = isUnicode
  }

  /// The width of the whole table, in columns of the terminal.
  var width: Int { Self.sum(widest) }

  /// The headings of the columns that do not go into a width, in order.
  func headingsLeftOut(width: Int) -> [String] {
    let shown = chosen(width)
    return columns.indices.filter { !shown.contains($0) }.map { columns[$0].head[0].text }
  }

  /// The lines, each at most as wide as asked for unless the most important columns are wider; no
  /// headings where all are empty.
  ///
  /// - Parameter heading: turns a line into a heading.
  func text(width: Int = .max, heading: (String) -> String = { $0 }) -> String {
    let shown = chosen(width)
    var widths = shown.map { narrowest[$0] }
    for (place, column) in shown.enumerated() {
      let spare = max(0, width - Self.sum(widths))
      widths[place] += min(spare, widest[column] - widths[place])
    }
    var text = ""
    for part in 0...1 where shown.contains(where: { !columns[$0].head[part].text.isEmpty }) {
      text += heading(line(shown.map { columns[$0].head[part] }, shown, widths)) + "\n"
    }
    for row in shown.first.map({ columns[$0].cells.indices }) ?? 0..<0 {
      text += line(shown.map { columns[$0].cells[row] }, shown, widths) + "\n"
    }
    return text
  }

  /// The places of the columns that go into a width.
  private func chosen(_ width: Int) -> [Int] {
    var chosen = Set(columns.indices.filter { columns[$0].rank == 0 })
    for place in columns.indices.sorted(by: { columns[$0].rank < columns[$1].rank }) {
      let tried = chosen.union([place])
      if Self.sum(tried.map { narrowest[$0] }) <= width { chosen = tried }
    }
    return chosen.sorted()
  }

  private func line(_ cells: [Text], _ shown: [Int], _ widths: [Int]) -> String {
    var line = ""
    for (place, cell) in cells.enumerated() {
      let column = columns[shown[place]]
      var cell = cell
      if cell.width > widths[place] {
        let text = PrintableText(cell.text, isUnicode: isUnicode)
          .abbreviated(to: widths[place], keepsEnd: column.keepsEnd, isUnicode: isUnicode)
        cell = Text(text, isUnicode: isUnicode)
      }
      let padding = String(repeating: " ", count: widths[place] - cell.width)
      line += (place > 0 ? "  " : "")
      line += column.least == nil ? padding + cell.text : cell.text + padding
    }
    while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
    return line
  }

  private static func sum(_ widths: [Int]) -> Int {
    widths.reduce(0, +) + 2 * max(0, widths.count - 1)
  }
}

extension ReportTable {
  /// The table in a terminal or a file without a limit of width.
  var text: String { FittedTable(self).text() }
}

extension ReportTable.Cell {
  /// The text on a terminal, where counts are not grouped.
  fileprivate var textForTerminal: String {
    if let textOnTerminal { return textOnTerminal }
    if case .count(let count?) = value { return String(count) }
    return text
  }
}
