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
