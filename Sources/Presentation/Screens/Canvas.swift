import Proximity

/// The content of a terminal: a character and a style at each place.
///
/// Everything on it stays inside it and is printable, so that a line is never wider than the
/// terminal and data never become commands to it.
package struct Canvas: Equatable, Sendable {
  struct Cell: Equatable, Sendable {
    /// The character; empty for the right half of a wide one.
    var text = " "
    var style = ScreenStyle.plain
  }

  package let size: ScreenSize
  /// A Boolean value that is true if the terminal supports more than ASCII.
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

  /// Puts text at a place, cut to a width with an ellipsis; returns the number of columns it took.
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

  /// Fills an area with a style, keeping its characters.
  mutating func paint(_ area: ScreenArea, _ style: ScreenStyle) {
    for row in area.row..<min(area.row + area.rows, size.rows) {
      for column in area.column..<min(area.column + area.columns, size.columns) {
        cells[row * size.columns + column].style = style
      }
    }
  }

  /// Removes a wide character of which a half is overwritten.
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

/// A part of a screen, counted from 0 at the top left.
struct ScreenArea: Equatable, Sendable {
  var row: Int
  var column: Int
  var rows: Int
  var columns: Int

  var isEmpty: Bool { rows <= 0 || columns <= 0 }

  /// Cuts rows off at the top and returns them.
  mutating func takeTop(_ count: Int) -> ScreenArea {
    let count = min(max(count, 0), rows)
    let top = ScreenArea(row: row, column: column, rows: count, columns: columns)
    row += count
    rows -= count
    return top
  }

  /// Cuts rows off at the bottom and returns them.
  mutating func takeBottom(_ count: Int) -> ScreenArea {
    let count = min(max(count, 0), rows)
    rows -= count
    return ScreenArea(row: row + rows, column: column, rows: count, columns: columns)
  }

  /// Cuts columns off at the right and returns them.
  mutating func takeRight(_ count: Int) -> ScreenArea {
    let count = min(max(count, 0), columns)
    columns -= count
    return ScreenArea(row: row, column: column + columns, rows: rows, columns: count)
  }
}

/// The size of a terminal in characters.
package struct ScreenSize: Equatable, Sendable {
  package var columns: Int
  package var rows: Int

  /// Creates a size of at least one of each, whatever a terminal reports.
  package init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 1), 1000)
    self.rows = min(max(rows, 1), 1000)
  }
}

/// The role of a character, which decides its look.
package enum ScreenStyle: Equatable, Sendable {
  case plain, strong, quiet, heading
  case immediate, near, far
  case warm, cold, alarm

  init(_ zone: Zone) {
    switch zone {
    case .immediate: self = .immediate
    case .near: self = .near
    case .far: self = .far
    case .unknown: self = .quiet
    }
  }

  /// Returns the parameters of SGR (ECMA-48, 8.3.117): of the 16 colours only those that are
  /// readable both on a dark and on a light terminal, and no background except by inversion.
  package func code(isColoured: Bool) -> String {
    switch self {
    case .plain: "0"
    case .strong: "0;1"
    case .quiet: "0;2"
    case .heading: "0;7"
    case .immediate: isColoured ? "0;1;32" : "0;1"
    case .near: isColoured ? "0;36" : "0"
    case .far: "0"
    case .warm: isColoured ? "0;1;31" : "0;1"
    case .cold: isColoured ? "0;1;36" : "0"
    case .alarm: isColoured ? "0;1;7;31" : "0;1;7"
    }
  }
}

/// Turns the content of a terminal into the codes to send to it, for the changed lines only.
///
/// Lines are written from their first column, without scrolling and without clearing the screen, so
/// that nothing flickers. Codes are those of ECMA-48.
package struct Painter: Sendable {
  private let isColoured: Bool
  /// The current content of the terminal; nil = anything.
  private var shown: Canvas?

  package init(isColoured: Bool) { self.isColoured = isColoured }

  /// Forgets the content of the terminal, after something else wrote to it.
  package mutating func forget() { shown = nil }

  /// Returns the codes that show a canvas; empty if it is shown already.
  package mutating func paint(_ canvas: Canvas) -> String {
    let before = shown?.size == canvas.size ? shown : nil
    var codes = before == nil ? "\u{1B}[0m\u{1B}[2J" : ""
    for row in 0..<canvas.size.rows where before?.row(row) != canvas.row(row) {
      codes += "\u{1B}[\(row + 1);1H" + line(canvas, row)
    }
    shown = canvas
    return codes
  }

  private func line(_ canvas: Canvas, _ row: Int) -> String {
    var cells = canvas.row(row)
    while let last = cells.last, last == Canvas.Cell() { cells.removeLast() }
    var (text, style) = ("", ScreenStyle.plain)
    for cell in cells {
      if cell.style != style {
        text += "\u{1B}[" + cell.style.code(isColoured: isColoured) + "m"
        style = cell.style
      }
      text += cell.text
    }
    if style != .plain { text += "\u{1B}[0m" }
    // At the right edge the cursor stays on the last character, which would be erased.
    return cells.count < canvas.size.columns ? text + "\u{1B}[K" : text
  }
}
