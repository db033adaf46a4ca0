import Geometry

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

  /// Whether cells are larger than asked for, because there would have been too many.
  let isCoarse: Bool

  /// - Parameters:
  ///   - bounds: where positions are looked for; its heights are ignored unless asked for.
  ///   - heights: the heights in which positions are looked for, in metres; nil in the plane.
  ///   - rooms: where positions can be; empty = anywhere.
  ///   - margin: how far outside a room's outline a cell still belongs to it, in metres.
  ///   - largestCell: the longest side a cell is to have, in metres, unless there would be too many
  ///     cells.
  ///
  /// Nil where the bounds are not finite.
  init?(
    _ bounds: Bounds, heights: ClosedRange<Double>? = nil, rooms: [Polygon] = [],
    margin: Double = 0,
    largestCell: Double = .infinity
  ) {
    guard
      let shape = Self.shape(
        bounds, heights: heights, rooms: rooms, margin: margin, largestCell: largestCell)
    else { return nil }
    (columns, rows, layers) = (shape.columns, shape.rows, shape.layers)
    (width, depth, height) = (shape.width, shape.depth, shape.height)
    (first, isCoarse) = (shape.first, shape.isCoarse)
    isOpen = Self.openCells(
      columns: columns, rows: rows, first: first.planar, width: width, depth: depth, rooms: rooms,
      margin: margin)
  }

  /// The shape of a grid, without what is open in it.
  ///
  /// Where the bounds have too many cells, those of the rooms' rectangle are enough: all others are
  /// closed.
  static func shape(
    _ bounds: Bounds, heights: ClosedRange<Double>?, rooms: [Polygon], margin: Double,
    largestCell: Double
  ) -> GridShape? {
    guard let shape = GridShape(bounds, heights: heights, largestCell: largestCell) else {
      return nil
    }
    guard shape.isCoarse, let drawn = Bounds(around: rooms.lazy.flatMap(\.corners)) else {
      return shape
    }
    let low = Point(
      x: max(bounds.minimum.x, drawn.minimum.x - margin),
      y: max(bounds.minimum.y, drawn.minimum.y - margin))
    let high = Point(
      x: min(bounds.maximum.x, drawn.maximum.x + margin),
      y: min(bounds.maximum.y, drawn.maximum.y + margin))
    guard low.x <= high.x, low.y <= high.y else { return shape }
    return GridShape(
      Bounds(minimum: low, maximum: high), heights: heights, largestCell: largestCell)
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
}
