/// The search for one beacon, to be read from arm's length: where it goes, and how strong it is.
struct SeekPanel {
  let seek: SeekState
  let names: ScreenNames

  /// dBm at the ends of the bar: what receivers hear at their limit, and beside a beacon.
  private static let scale = -100.0...(-30.0)

  /// Rows that it would like to have.
  static let rows = 9

  func draw(on canvas: inout Canvas, in area: ScreenArea) {
    var rest = area
    guard !rest.isEmpty else { return }
    let big = BigText(seek.trend.words, isUnicode: canvas.isUnicode)
    let isBig = rest.rows >= big.lines.count + 3 && rest.columns >= big.columns + 2
    if rest.rows >= 4 {
      let name = rest.takeTop(1)
      let whole = "seeking \(seek.name.full)"
      let fits = PrintableText(whole).columns <= name.columns
      canvas.put(
        fits ? whole : "seeking \(names.words(of: seek.name))", row: name.row, column: name.column,
        width: name.columns, .strong)
    }
    let words = isBig ? big.lines : [seek.trend.words]
    for line in words {
      let row = rest.takeTop(1)
      let column = row.column + (isBig ? max((row.columns - big.columns) / 2, 0) : 0)
      canvas.put(
        line, row: row.row, column: column, width: row.columns,
        isBig && seek.trend == .lost ? .warm : seek.trend.style)
    }
    if rest.rows >= 4 { _ = rest.takeTop(1) }
    if rest.rows >= 1 { drawBar(on: &canvas, in: rest.takeTop(1)) }
    if rest.rows >= 1 { drawNumbers(on: &canvas, in: rest.takeTop(1)) }
    if rest.rows >= 1 {
      let row = rest.takeTop(1)
      let line = Sparkline(of: seek.history)
      canvas.put(
        line.text(seek.history, width: row.columns, isUnicode: canvas.isUnicode), row: row.row,
        column: row.column, width: row.columns, .quiet)
    }
  }

  private func drawBar(on canvas: inout Canvas, in row: ScreenArea) {
    let share =
      (seek.level - Self.scale.lowerBound) / (Self.scale.upperBound - Self.scale.lowerBound)
    let known = seek.trend == .lost || !share.isFinite ? 0 : min(max(share, 0), 1)
    let length = Int((known * Double(row.columns)).rounded())
    canvas.put(
      String(repeating: canvas.isUnicode ? "█" : "#", count: length), row: row.row,
      column: row.column, width: row.columns, seek.trend.style)
    canvas.put(
      String(repeating: canvas.isUnicode ? "░" : ".", count: row.columns - length), row: row.row,
      column: row.column + length, width: row.columns - length, .quiet)
  }

  private func drawNumbers(on canvas: inout Canvas, in row: ScreenArea) {
    var text = seek.trend == .lost ? "last heard at " : ""
    text += fixed(seek.level, 1) + " dBm"
    if let distance = seek.distance { text += "   \(metres(distance)) m" }
    if let interval = seek.interval { text += " (95 % \(metres(interval)) m)" }
    canvas.put(text, row: row.row, column: row.column, width: row.columns, .strong)
  }
}
