/// Turns what a terminal is to show into what has to be sent to it: only the lines that changed.
///
/// Lines are written from their first column, without scrolling and without clearing the screen, so
/// that nothing flickers. Codes are those of ECMA-48.
package struct Painter: Sendable {
  private let isColoured: Bool
  /// What the terminal shows; nil = anything.
  private var shown: Canvas?

  package init(isColoured: Bool) { self.isColoured = isColoured }

  /// Forgets what the terminal shows, since something else wrote to it.
  package mutating func forget() { shown = nil }

  /// What makes a terminal show a canvas; empty where it shows it already.
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
