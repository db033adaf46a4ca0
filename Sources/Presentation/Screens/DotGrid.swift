/// A picture of dots, two columns and four rows of them in each character (braille), which makes
/// them about square; in ASCII one dot a character.
struct DotGrid {
  let columns: Int
  let rows: Int
  private var dots: [UInt8]
  private var styles: [ScreenStyle]

  /// - Parameters:
  ///   - columns: in characters.
  ///   - rows: in characters.
  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (max(columns, 0), max(rows, 0))
    dots = Array(repeating: 0, count: self.columns * self.rows)
    styles = Array(repeating: .plain, count: self.columns * self.rows)
  }

  /// Sets a dot, counted from the top left; outside nothing happens.
  mutating func set(x: Double, y: Double, _ style: ScreenStyle) {
    guard x >= 0, y >= 0, x < Double(columns * 2), y < Double(rows * 4) else { return }
    let (x, y) = (Int(x), Int(y))
    let index = y / 4 * columns + x / 2
    // U+2800: dots 1 2 3 7 down the left, 4 5 6 8 down the right.
    dots[index] |= [0x01, 0x02, 0x04, 0x40, 0x08, 0x10, 0x20, 0x80][x % 2 * 4 + y % 4]
    styles[index] = style
  }

  func draw(on canvas: inout Canvas, row: Int, column: Int) {
    for index in dots.indices where dots[index] != 0 {
      let braille = Unicode.Scalar(0x2800 + UInt32(dots[index])).map(String.init) ?? "."
      canvas.put(
        canvas.isUnicode ? braille : ".", row: row + index / columns,
        column: column + index % columns, styles[index])
    }
  }
}
