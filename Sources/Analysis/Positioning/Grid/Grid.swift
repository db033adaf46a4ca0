import Geometry
import RealModule

/// A grid of equal cells over the part of a site in which a position is searched.
///
/// Cells are numbered layer by layer and row by row; in the plane there is one layer.
struct Grid {
  /// The number of cells along x, y and the height.
  let columns: Int, rows: Int, layers: Int
  /// The sides of a cell, in metres.
  let width: Double, depth: Double, height: Double
  /// The centre of the first cell.
  let first: SpacePoint
  /// A Boolean value per cell of the plane that is true if its centre is in a room, so that it can
  /// hold a position.
  let isOpen: [Bool]

  /// A Boolean value that is true if the cells are larger than requested, to limit their number.
  let isCoarse: Bool

  /// Creates a grid, or returns `nil` if the bounds are not finite.
  ///
  /// - Parameters:
  ///   - bounds: The area to search; its heights are ignored.
  ///   - heights: The heights to search, in metres; `nil` in the plane.
  ///   - rooms: The rooms that can hold positions; empty for anywhere.
  ///   - margin: The distance outside a room's outline at which a cell still belongs to it, in
  ///     metres.
  ///   - smallestCell: The shortest allowed side of a cell, in metres.
  ///   - largestCell: The longest allowed side of a cell, in metres, unless there would be too many
  ///     cells.
  init?(
    _ bounds: Bounds, heights: ClosedRange<Double>? = nil, rooms: [Polygon] = [],
    margin: Double = 0, smallestCell: Double = 0, largestCell: Double = .infinity
  ) {
    guard
      let shape = Self.shape(
        bounds, heights: heights, rooms: rooms, margin: margin, smallestCell: smallestCell,
        largestCell: largestCell)
    else { return nil }
    (columns, rows, layers) = (shape.columns, shape.rows, shape.layers)
    (width, depth, height) = (shape.width, shape.depth, shape.height)
    (first, isCoarse) = (shape.first, shape.isCoarse)
    isOpen = Self.openCells(
      columns: columns, rows: rows, first: first.planar, width: width, depth: depth, rooms: rooms,
      margin: margin)
  }

  /// Returns the shape of a grid.
  ///
  /// If the bounds have too many cells, those in the rooms' bounding box suffice: all others are
  /// closed.
  static func shape(
    _ bounds: Bounds, heights: ClosedRange<Double>?, rooms: [Polygon], margin: Double,
    smallestCell: Double = 0, largestCell: Double
  ) -> GridShape? {
    guard
      let shape = GridShape(
        bounds, heights: heights, smallestCell: smallestCell, largestCell: largestCell)
    else { return nil }
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
      Bounds(minimum: low, maximum: high), heights: heights, smallestCell: smallestCell,
      largestCell: largestCell)
  }

  /// The number of cells in the plane.
  var area: Int { columns * rows }
  var count: Int { area * layers }

  /// Returns the centre of a cell of the plane.
  func place(column: Int, row: Int) -> Point {
    Point(x: first.x + Double(column) * width, y: first.y + Double(row) * depth)
  }

  /// Returns the height of a layer's centre, in metres.
  func height(ofLayer layer: Int) -> Double { first.z + Double(layer) * height }
}

extension Grid {
  /// The largest numbers of cells in the plane and in space.
  ///
  /// At 10,000 cells, those of a site of 25 m by 25 m are 0.25 m wide, a fifth of the best possible
  /// error there, and a product of ten likelihoods takes less than a millisecond.
  static let mostCells = (plane: 10_000.0, space: 40_000.0)

  /// Returns the side of a cell, in metres, or `nil` if it is not a number.
  ///
  /// 0.25 m is less than a person's width and adds 0.07 m to a position's standard deviation. On a
  /// small site the side is 1/40 of the longer side of the site; on a large one, the maximum number
  /// of cells determines it.
  static func side(_ width: Double, _ depth: Double, height: Double, isSpace: Bool) -> Double? {
    let longer = max(width, depth, height)
    guard longer.isFinite, longer >= 0 else { return nil }
    guard longer > 0 else { return 1 }
    let fine = min(0.25, longer / 40)
    // A side of length zero has one row of cells.
    let (a, b, c) = (max(width, fine), max(depth, fine), max(height, fine))
    let coarse =
      isSpace
      ? Double.root(a * b * c / mostCells.space, 3)
      : (a * b / mostCells.plane).squareRoot()
    return max(fine, coarse)
  }

  /// Returns a Boolean value per cell of the plane that is true if it belongs to a room, or if
  /// there are no rooms.
  ///
  /// A room too small to contain the centre of any cell gets the cell that contains its own centre.
  static func openCells(
    columns: Int, rows: Int, first: Point, width: Double, depth: Double, rooms: [Polygon],
    margin: Double
  ) -> [Bool] {
    guard !rooms.isEmpty else { return [Bool](repeating: true, count: columns * rows) }
    var open = [Bool](repeating: false, count: columns * rows)
    for room in rooms {
      guard let box = Bounds(around: room.corners) else { continue }
      var isFound = false
      let across = span(
        box.minimum.x - margin, box.maximum.x + margin, first: first.x, side: width, count: columns)
      let along = span(
        box.minimum.y - margin, box.maximum.y + margin, first: first.y, side: depth, count: rows)
      for row in along {
        for column in across {
          let place = Point(x: first.x + Double(column) * width, y: first.y + Double(row) * depth)
          guard room.contains(place) || (margin > 0 && room.outlineDistance(to: place) <= margin)
          else { continue }
          open[row * columns + column] = true
          isFound = true
        }
      }
      guard !isFound else { continue }
      let corners = Double(room.corners.count)
      let x = room.corners.reduce(0) { $0 + $1.x } / corners
      let y = room.corners.reduce(0) { $0 + $1.y } / corners
      let column = nearest((x - first.x) / width, of: columns)
      let row = nearest((y - first.y) / depth, of: rows)
      open[row * columns + column] = true
    }
    return open
  }

  /// Returns the range of columns, or rows, from one before the lower coordinate to the last one
  /// that the higher coordinate reaches.
  static func span(
    _ a: Double, _ b: Double, first: Double, side: Double, count: Int
  ) -> Range<Int> {
    guard side > 0, a.isFinite, b.isFinite else { return 0..<count }
    let low = ((min(a, b) - first) / side).rounded(.down) - 1
    let high = ((max(a, b) - first) / side).rounded(.up) + 1
    guard high >= 0, low < Double(count) else { return 0..<0 }
    return Int(max(low, 0))..<Int(min(high + 1, Double(count)))
  }

  private static func nearest(_ place: Double, of count: Int) -> Int {
    guard place > 0 else { return 0 }
    return Int(min(place.rounded(.toNearestOrAwayFromZero), Double(count - 1)))
  }
}

extension Polygon {
  /// Returns the distance from a place to the nearest point of the outline, in metres.
  func outlineDistance(to place: Point) -> Double {
    guard var previous = corners.last else { return .infinity }
    var shortest = Double.infinity
    for corner in corners {
      let (dx, dy) = (corner.x - previous.x, corner.y - previous.y)
      let squared = dx * dx + dy * dy
      let along = (place.x - previous.x) * dx + (place.y - previous.y) * dy
      let share = squared > 0 ? min(max(along / squared, 0), 1) : 0
      let foot = Point(x: previous.x + share * dx, y: previous.y + share * dy)
      shortest = min(shortest, foot.distance(to: place))
      previous = corner
    }
    return shortest
  }
}

/// The division of a rectangle, with its heights, into equal cells.
struct GridShape {
  /// The number of cells along x, y and the height.
  let columns: Int, rows: Int, layers: Int
  /// The sides of a cell, in metres.
  let width: Double, depth: Double, height: Double
  /// The centre of the first cell.
  let first: SpacePoint
  /// A Boolean value that is true if the cells are larger than requested, to limit their number.
  let isCoarse: Bool

  /// The largest number of cells of any grid: 0.4 m cells on a site of 400 m by 400 m.
  ///
  /// A million cells take 12 MB per anchor and 4 MB per state that a smoother keeps.
  static let mostCells = 1_000_000.0

  /// Creates a shape, or returns `nil` if the bounds are not finite.
  ///
  /// - Parameters:
  ///   - heights: The height range; `nil` in the plane.
  ///   - smallestCell: The shortest allowed side of a cell, in metres.
  ///   - largestCell: The longest allowed side of a cell, in metres; ignored if there would be too
  ///     many cells.
  init?(
    _ bounds: Bounds, heights: ClosedRange<Double>?, smallestCell: Double = 0, largestCell: Double
  ) {
    let sides = [
      bounds.maximum.x - bounds.minimum.x, bounds.maximum.y - bounds.minimum.y,
      heights.map { $0.upperBound - $0.lowerBound } ?? 0,
    ]
    guard sides.allSatisfy(\.isFinite),
      let finest = Grid.side(sides[0], sides[1], height: sides[2], isSpace: heights != nil)
    else { return nil }
    let side = max(finest, smallestCell)
    isCoarse = Self.count(sides, min(side, largestCell)) > Self.mostCells
    var cell = isCoarse ? max(side, Self.leastSide(sides)) : min(side, largestCell)
    while Self.count(sides, cell) > Self.mostCells { cell *= 1.05 }
    (columns, width) = Self.divide(sides[0], by: cell)
    (rows, depth) = Self.divide(sides[1], by: cell)
    (layers, height) = heights == nil ? (1, 0) : Self.divide(sides[2], by: cell)
    first = SpacePoint(
      x: bounds.minimum.x + width / 2, y: bounds.minimum.y + depth / 2,
      z: (heights?.lowerBound ?? 0) + height / 2)
  }

  /// Returns the side of a cell that gives about the largest number of cells, even if some sides
  /// are shorter than a cell.
  private static func leastSide(_ sides: [Double]) -> Double {
    let sides = sides.sorted(by: >)
    return max(
      sides[0] / mostCells, (sides[0] * sides[1] / mostCells).squareRoot(),
      Double.root(sides[0] * sides[1] * sides[2] / mostCells, 3))
  }

  private static func count(_ sides: [Double], _ cell: Double) -> Double {
    sides.reduce(1) { $0 * max(1, ($1 / cell).rounded(.toNearestOrAwayFromZero)) }
  }

  /// Divides a length into equal parts close to a given side; a length of 0 is one part.
  private static func divide(_ length: Double, by side: Double) -> (count: Int, side: Double) {
    let count = max(1, Int((length / side).rounded(.toNearestOrAwayFromZero)))
    return (count, length / Double(count))
  }
}
