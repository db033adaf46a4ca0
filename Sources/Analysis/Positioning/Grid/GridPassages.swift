import Geometry

extension Grid {
  /// The longest side of a cell where there are walls, in metres.
  ///
  /// A door of 0.8 m then has the line between two middles in it, also where its wall is aslant.
  static let longestBesideWalls = 0.4

  /// Whether there is a way from each cell to the next along x and to the next along y: 1 or 0.
  ///
  /// There is one where both are open and no wall crosses the straight line between their middles.
  /// A chain of walls without a gap is crossed by every way round through the middles of cells, so
  /// none leaks, whatever its slope. Linear in cells, and in walls times the cells beside them.
  func passages(walls: [Segment]) -> (x: [Float], y: [Float]) {
    var x = [Float](repeating: 0, count: area)
    var y = [Float](repeating: 0, count: area)
    for row in 0..<rows {
      for column in 0..<columns {
        let cell = row * columns + column
        guard isOpen[cell] else { continue }
        if column + 1 < columns, isOpen[cell + 1] { x[cell] = 1 }
        if row + 1 < rows, isOpen[cell + columns] { y[cell] = 1 }
      }
    }
    for wall in walls {
      let xs = Self.span(wall.from.x, wall.to.x, first: first.x, side: width, count: columns)
      let ys = Self.span(wall.from.y, wall.to.y, first: first.y, side: depth, count: rows)
      for row in ys {
        for column in xs {
          let (cell, here) = (row * columns + column, place(column: column, row: row))
          if x[cell] > 0, wall.crosses(here, place(column: column + 1, row: row)) { x[cell] = 0 }
          if y[cell] > 0, wall.crosses(here, place(column: column, row: row + 1)) { y[cell] = 0 }
        }
      }
    }
    return (x, y)
  }
}

extension Segment {
  /// Whether a straight way from one place to another goes through.
  ///
  /// What is exactly on a line counts as left of it, so that a way through the joint of two walls,
  /// or along a wall from one side to the other, is stopped once and not let through.
  func crosses(_ a: Point, _ b: Point) -> Bool {
    isLeft(a, of: from, to) != isLeft(b, of: from, to)
      && isLeft(from, of: a, b) != isLeft(to, of: a, b)
  }

  private func isLeft(_ p: Point, of a: Point, _ b: Point) -> Bool {
    (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) >= 0
  }
}
