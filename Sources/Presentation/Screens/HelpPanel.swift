/// The keys, in the order in which they are needed.
struct HelpPanel {
  private static let keys: [(key: String, does: String)] = [
    ("?", "this help; any key closes it"),
    ("q, Ctrl-C", "quit"),
    ("Space", "pause, go on"),
    ("Up, Down", "select; also PgUp PgDn Home End"),
    ("Enter", "details of one beacon"),
    ("s", "sort by the next column"),
    ("/", "search names and identities"),
    ("Esc", "back, end of a search"),
    ("r", "radar off, on"),
    ("Ctrl-Z", "to the shell; fg returns"),
  ]

  func draw(on canvas: inout Canvas, in area: ScreenArea) {
    let width = Self.keys.map(\.key.count).max() ?? 0
    for (place, line) in Self.keys.prefix(area.rows).enumerated() {
      let row = area.row + place
      canvas.put(line.key, row: row, column: area.column, width: area.columns, .strong)
      // Where there is hardly room, the key and what it does follow each other.
      let indent = (area.columns >= 40 ? width : line.key.count) + 2
      canvas.put(
        line.does, row: row, column: area.column + indent, width: area.columns - indent)
    }
  }
}
