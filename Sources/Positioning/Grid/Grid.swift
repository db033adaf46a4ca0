/// Equal cells over the part of a site in which a position is looked for.
///
/// Cells are numbered layer by layer, row by row; in the plane there is one layer.
struct Grid {
  /// How many cells there are along x, y and the height.
  let columns: Int, rows: Int, layers: Int
  /// The sides of a cell, in metres.
  let width: Double, depth: Double, height: Double
  /// The middle of the first cell.
  let first: SpacePoint
  /// Whether a position can be in a cell of the plane: its middle is in a room.
  let isOpen: [Bool]

  /// - Parameters:
  ///   - bounds: where positions are looked for; its heights are ignored unless asked for.
  ///   - heights: the heights in which positions are looked for, in metres; nil in the plane.
  ///   - rooms: where positions can be; empty = anywhere.
  ///   - margin: how far outside a room's outline a cell still belongs to it, in metres.
  ///   - largestCell: the longest side a cell may have, in metres, whatever the number of cells.
  ///
  /// Nil where the bounds are not finite.
  init?(
    _ bounds: Bounds, heights: ClosedRange<Double>? = nil, rooms: [Zone] = [], margin: Double = 0,
    largestCell: Double = .infinity
  ) {
    let sides = (
      bounds.maximum.x - bounds.minimum.x, bounds.maximum.y - bounds.minimum.y,
      heights.map { $0.upperBound - $0.lowerBound } ?? 0
    )
    guard sides.0.isFinite, sides.1.isFinite, sides.2.isFinite,
      let side = Self.side(sides.0, sides.1, height: sides.2, isSpace: heights != nil)
    else { return nil }
    let cell = min(side, largestCell)
    (columns, width) = Self.divide(sides.0, by: cell)
    (rows, depth) = Self.divide(sides.1, by: cell)
    (layers, height) = heights == nil ? (1, 0) : Self.divide(sides.2, by: cell)
    let lowest = (heights?.lowerBound ?? 0) + height / 2
    first = SpacePoint(
      x: bounds.minimum.x + width / 2, y: bounds.minimum.y + depth / 2, z: lowest)
    isOpen = Self.openCells(
      columns: columns, rows: rows, first: first.planar, width: width, depth: depth, rooms: rooms,
      margin: margin)
  }

  /// How many cells there are in the plane, and in all.
  var area: Int { columns * rows }
  var count: Int { area * layers }

  /// The middle of a cell of the plane.
  func place(column: Int, row: Int) -> Point {
    Point(x: first.x + Double(column) * width, y: first.y + Double(row) * depth)
  }

  /// The height of a layer's middle, in metres.
  func height(ofLayer layer: Int) -> Double { first.z + Double(layer) * height }

  /// Divides a length into equal parts of about a side; a length of 0 is one part.
  private static func divide(_ length: Double, by side: Double) -> (count: Int, side: Double) {
    let count = max(1, Int((length / side).rounded(.toNearestOrAwayFromZero)))
    return (count, length / Double(count))
  }
}
