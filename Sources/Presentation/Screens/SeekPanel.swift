package import NumericalMethods

/// The search for one beacon, legible from arm's length: the trend and the level.
struct SeekPanel {
  let seek: SeekState
  let names: ScreenNames

  /// The levels at the ends of the bar, in dBm: the limit of receivers, and next to a beacon.
  private static let scale = -100.0...(-30.0)

  /// The preferred number of rows.
  static let rows = 9

  func draw(on canvas: inout Canvas, in area: ScreenArea) {
    var rest = area
    guard !rest.isEmpty else { return }
    let isUnsure = seek.trend == .unsure
    let big = BigText(isUnsure ? "COLDER" : seek.trend.words, isUnicode: canvas.isUnicode)
    let isBig = rest.rows >= big.lines.count + 3 && rest.columns >= big.columns + 2
    if rest.rows >= 4 {
      let name = rest.takeTop(1)
      let whole = "seeking \(seek.name.full)"
      let fits = PrintableText(whole).columns <= name.columns
      canvas.put(
        fits ? whole : "seeking \(names.words(of: seek.name))", row: name.row, column: name.column,
        width: name.columns, .strong)
    }
    // What is not sure does not shout, in the rows of what is.
    let words =
      !isBig ? [seek.trend.words] : isUnsure ? ["", seek.trend.words, ""] : big.lines
    for line in words {
      let row = rest.takeTop(1)
      let wide = isUnsure ? line.count : big.columns
      let column = row.column + (isBig ? max((row.columns - wide) / 2, 0) : 0)
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
    text += bounded(seek.level, 1) + " dBm"
    if let distance = seek.distance { text += "   \(metres(distance)) m" }
    if let interval = seek.interval { text += " (95 % \(metres(interval)) m)" }
    canvas.put(text, row: row.row, column: row.column, width: row.columns, .strong)
  }
}

/// The state of the search for one beacon.
package struct SeekState: Equatable, Sendable {
  package enum Trend: Equatable, Sendable {
    case warmer, colder
    /// No clear change of the level.
    case unsure
    /// No sighting for a long time.
    case lost
  }

  package var name: BeaconName
  package var trend: Trend
  /// The distance in metres, with the bounds of its 95 % interval; nil if it is not known.
  package var distance: Double?
  package var interval: Interval?
  /// The filtered level in dBm; NaN if there is none.
  package var level: Double
  /// The levels in dBm, the newest last; NaN if nothing was heard.
  package var history: [Double]

  package init(
    name: BeaconName, trend: Trend, distance: Double?, interval: Interval?, level: Double,
    history: [Double]
  ) {
    (self.name, self.trend, self.distance) = (name, trend, distance)
    (self.interval, self.level, self.history) = (interval, level, history)
  }
}

extension SeekState.Trend {
  var words: String {
    switch self {
    case .warmer: "WARMER"
    case .colder: "COLDER"
    case .unsure: "no clear change"
    case .lost: "SIGNAL LOST"
    }
  }

  var style: ScreenStyle {
    switch self {
    case .warmer: .warm
    case .colder: .cold
    case .unsure: .quiet
    case .lost: .alarm
    }
  }
}

/// Capital letters five dots high, two dots per character if the terminal has half blocks.
struct BigText {
  let lines: [String]

  init(_ text: String, isUnicode: Bool) {
    let dots = (0..<5).map { row in
      text.map { Self.letters[$0]?[row] ?? "  " }.joined(separator: " ").map { $0 == "#" }
    }
    guard isUnicode else {
      lines = dots.map { String($0.map { $0 ? "#" : " " }) }
      return
    }
    lines = stride(from: 0, to: 5, by: 2).map { row in
      String(
        dots[row].indices.map { column -> Character in
          switch (dots[row][column], row < 4 && dots[row + 1][column]) {
          case (true, true): "█"
          case (true, false): "▀"
          case (false, true): "▄"
          case (false, false): " "
          }
        })
    }
  }

  var columns: Int { lines.map(\.count).max() ?? 0 }

  /// The letters in the words of a search.
  private static let letters: [Character: [String]] = [
    "A": [" ## ", "#  #", "####", "#  #", "#  #"], "C": [" ###", "#   ", "#   ", "#   ", " ###"],
    "D": ["### ", "#  #", "#  #", "#  #", "### "], "E": ["####", "#   ", "### ", "#   ", "####"],
    "G": [" ###", "#   ", "# ##", "#  #", " ###"], "H": ["#  #", "#  #", "####", "#  #", "#  #"],
    "I": ["###", " # ", " # ", " # ", "###"], "L": ["#   ", "#   ", "#   ", "#   ", "####"],
    "M": ["#   #", "## ##", "# # #", "#   #", "#   #"],
    "N": ["#   #", "##  #", "# # #", "#  ##", "#   #"],
    "O": [" ## ", "#  #", "#  #", "#  #", " ## "], "R": ["### ", "#  #", "### ", "# # ", "#  #"],
    "S": [" ###", "#   ", " ## ", "   #", "### "],
    "T": ["#####", "  #  ", "  #  ", "  #  ", "  #  "],
    "W": ["#   #", "#   #", "# # #", "## ##", "#   #"],
  ]
}
