/// What a terminal shows: a character and a style at each place.
///
/// Whatever is put onto it stays inside it and is printable, so that a line is never wider than the
/// terminal and data never become commands to it.
package struct Canvas: Equatable, Sendable {
  struct Cell: Equatable, Sendable {
    /// Empty for the right half of a wide character.
    var text = " "
    var style = ScreenStyle.plain
  }

  package let size: ScreenSize
  /// Whether the terminal knows more than ASCII.
  package let isUnicode: Bool
  private var cells: [Cell]

  package init(size: ScreenSize, isUnicode: Bool = true) {
    self.size = size
    self.isUnicode = isUnicode
    cells = Array(repeating: Cell(), count: size.columns * size.rows)
  }

  var area: ScreenArea { ScreenArea(row: 0, column: 0, rows: size.rows, columns: size.columns) }

  func row(_ row: Int) -> ArraySlice<Cell> {
    cells[row * size.columns..<(row + 1) * size.columns]
  }

  /// Puts text at a place, cut to a width with an ellipsis; returns how many columns it took.
  @discardableResult
  mutating func put(
    _ text: String, row: Int, column: Int, width: Int = .max, _ style: ScreenStyle = .plain
  ) -> Int {
    guard (0..<size.rows).contains(row), (0..<size.columns).contains(column) else { return 0 }
    let room = min(width, size.columns - column)
    let fitted = PrintableText(text, isUnicode: isUnicode).fitted(to: room, isUnicode: isUnicode)
    var at = column
    for element in fitted.elements where at + element.columns <= column + room {
      set(Cell(text: element.text, style: style), row, at)
      if element.columns == 2 { set(Cell(text: "", style: style), row, at + 1, isRightHalf: true) }
      at += element.columns
    }
    return at - column
  }

  /// Puts text so that it ends before a column.
  mutating func put(
    _ text: String, row: Int, endingAt end: Int, width: Int, _ style: ScreenStyle = .plain
  ) {
    let taken = min(PrintableText(text, isUnicode: isUnicode).columns, width)
    put(text, row: row, column: end - taken, width: taken, style)
  }

  /// Fills a part with a style, keeping what is there.
  mutating func paint(_ area: ScreenArea, _ style: ScreenStyle) {
    for row in area.row..<min(area.row + area.rows, size.rows) {
      for column in area.column..<min(area.column + area.columns, size.columns) {
        cells[row * size.columns + column].style = style
      }
    }
  }

  /// A wide character of which a half is written over is gone.
  private mutating func set(_ cell: Cell, _ row: Int, _ column: Int, isRightHalf: Bool = false) {
    let index = row * size.columns + column
    if !isRightHalf, column > 0, cells[index].text.isEmpty { cells[index - 1].text = " " }
    if column + 1 < size.columns, cells[index + 1].text.isEmpty { cells[index + 1].text = " " }
    cells[index] = cell
  }

  /// The lines as plain text, without spaces at their ends.
  package var lines: [String] {
    (0..<size.rows).map { row in
      var cells = self.row(row)
      while cells.last?.text == " " { cells.removeLast() }
      return cells.map(\.text).joined()
    }
  }
}
