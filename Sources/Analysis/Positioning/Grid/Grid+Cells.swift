import Geometry
import RealModule

extension Grid {
  /// The most cells in a plane and in space.
  ///
  /// At 10,000 the cell of a site of 25 m by 25 m is 0.25 m, a fifth of the best error that levels
  /// allow there, and one product of ten likelihoods takes less than a millisecond.
  static let mostCells = (plane: 10_000.0, space: 40_000.0)

  /// The side of a cell, in metres; nil where no number is.
  ///
  /// 0.25 m: below a person's width, a cell adds 0.07 m to a position's deviation. On a small site
  /// a fortieth of the longer side, and on a large one what the most cells allow.
  static func side(_ width: Double, _ depth: Double, height: Double, isSpace: Bool) -> Double? {
    let longer = max(width, depth, height)
    guard longer.isFinite, longer >= 0 else { return nil }
    guard longer > 0 else { return 1 }
    let fine = min(0.25, longer / 40)
    // A side of no length has one row of cells.
    let (a, b, c) = (max(width, fine), max(depth, fine), max(height, fine))
    let coarse =
      isSpace
      ? Double.root(a * b * c / mostCells.space, 3)
      : (a * b / mostCells.plane).squareRoot()
    return max(fine, coarse)
  }

  /// Which cells of the plane belong to a room; all where there are no rooms.
  ///
  /// A room too small to hold the middle of a cell has the one in which its middle is.
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

  /// The columns, or rows, from one before the lower of two coordinates to the last that the higher
  /// reaches.
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
  /// The distance from a place to the nearest point of the outline, in metres.
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
