import Screens
import Support

/// A table that keeps to a width: less important columns are left out, long texts are shortened.
struct FittedTable {
  struct Column: Sendable {
    var heading: String
    /// The unit, on a line below the headings.
    var unit = ""
    var cells: [String]
    /// The columns to which a text may be shortened; nil for numbers, which never are.
    var least: Int?
    /// Whether texts are shortened in the middle, where they differ at the end.
    var keepsEnd = true
    /// Columns of less importance are left out first; 0 always stays.
    var rank = 0

    fileprivate var widest: Int {
      ([heading, unit] + cells).map { PrintableText($0).columns }.max() ?? 0
    }
    fileprivate var narrowest: Int {
      least.map { max(min($0, widest), PrintableText(heading).columns) } ?? widest
    }
  }

  private let columns: [Column]
  private let isUnicode: Bool

  /// - Parameters:
  ///   - columns: in their order; those without a cell that is not empty are left out.
  ///   - isUnicode: whether the terminal shows more than ASCII.
  init(_ columns: [Column], isUnicode: Bool) {
    self.columns = columns.map { column in
      var column = column
      func shown(_ text: String) -> String {
        PrintableText(text.printable, isUnicode: isUnicode).text
      }
      (column.heading, column.unit) = (shown(column.heading), shown(column.unit))
      column.cells = column.cells.map(shown)
      return column
    }.filter { $0.rank == 0 || $0.cells.contains { !$0.isEmpty } }
    self.isUnicode = isUnicode
  }

  /// Columns that all of it takes.
  var width: Int { Self.sum(columns.map(\.widest)) }

  /// The headings of the columns that do not go into a width, in order.
  func headingsLeftOut(width: Int) -> [String] {
    let shown = chosen(width)
    return columns.indices.filter { !shown.contains($0) }.map { columns[$0].heading }
  }

  /// The lines, each at most as wide as asked for unless the most important columns are wider; no
  /// headings where all are empty.
  ///
  /// - Parameter heading: what makes a line a heading.
  func text(width: Int, heading: (String) -> String = { $0 }) -> String {
    let shown = chosen(width).map { columns[$0] }
    var widths = shown.map(\.narrowest)
    for (place, column) in shown.enumerated() {
      let spare = max(0, width - Self.sum(widths))
      widths[place] += min(spare, column.widest - widths[place])
    }
    let headings = [shown.map(\.heading), shown.map(\.unit)]
      .filter { $0.contains { !$0.isEmpty } }
    let rows = (shown.first?.cells.indices ?? 0..<0).map { row in shown.map { $0.cells[row] } }
    return headings.map { heading(line($0, shown, widths)) + "\n" }.joined()
      + rows.map { line($0, shown, widths) + "\n" }.joined()
  }

  /// The places of the columns that go into a width.
  private func chosen(_ width: Int) -> [Int] {
    var chosen = Set(columns.indices.filter { columns[$0].rank == 0 })
    for place in columns.indices.sorted(by: { columns[$0].rank < columns[$1].rank }) {
      let tried = chosen.union([place])
      if Self.sum(tried.map { columns[$0].narrowest }) <= width { chosen = tried }
    }
    return chosen.sorted()
  }

  private func line(_ cells: [String], _ shown: [Column], _ widths: [Int]) -> String {
    var line = ""
    for (place, cell) in cells.enumerated() {
      let text = PrintableText(cell, isUnicode: isUnicode)
        .abbreviated(
          to: widths[place], keepsEnd: shown[place].keepsEnd, isUnicode: isUnicode)
      let padding = String(repeating: " ", count: widths[place] - PrintableText(text).columns)
      line +=
        (place > 0 ? "  " : "") + (shown[place].least == nil ? padding + text : text + padding)
    }
    let end = line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex
    return String(line[..<end])
  }

  private static func sum(_ widths: [Int]) -> Int {
    widths.reduce(0, +) + 2 * max(0, widths.count - 1)
  }
}
