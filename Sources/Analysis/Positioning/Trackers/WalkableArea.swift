import Geometry

/// Where a target may be, and which ways walls leave to it.
struct WalkableArea {
  let bounds: Bounds
  let heights: ClosedRange<Double>?
  private let rooms: [(box: Bounds, room: Polygon)]
  private let walls: [Segment]

  init(_ surroundings: Surroundings, bounds: Bounds, anchors: [Anchor]) {
    self.bounds = bounds
    rooms = surroundings.rooms.compactMap { room in
      Bounds(around: room.corners).map { (box: $0, room: room) }
    }
    walls = surroundings.walls
    heights =
      switch surroundings.dimensions {
      case .plane: nil
      case .space: bounds.heights ?? Self.heights(about: anchors)
      }
  }

  /// From 3 m, a storey, below the lowest anchor to as much above the highest.
  private static func heights(about anchors: [Anchor]) -> ClosedRange<Double> {
    let heights = anchors.map(\.heightDifference)
    return ((heights.min() ?? 0) - 3)...((heights.max() ?? 0) + 3)
  }

  func contains(_ place: Point) -> Bool {
    guard bounds.contains(place) else { return false }
    return rooms.isEmpty || rooms.contains { $0.box.contains(place) && $0.room.contains(place) }
  }

  /// Whether one may go straight from a place to another.
  func allows(_ from: Point, _ to: Point) -> Bool {
    contains(to) && !walls.contains { $0.isCrossed(from: from, to: to) }
  }

  /// The nearest place of the bounds.
  func clamp(_ place: Point) -> Point {
    Point(
      x: min(max(place.x, bounds.minimum.x), bounds.maximum.x),
      y: min(max(place.y, bounds.minimum.y), bounds.maximum.y))
  }
}

extension Bounds {
  fileprivate func contains(_ place: Point) -> Bool {
    place.x >= minimum.x && place.x <= maximum.x && place.y >= minimum.y && place.y <= maximum.y
  }
}

extension Segment {
  /// Whether a way meets the wall; touching its end counts.
  func isCrossed(from a: Point, to b: Point) -> Bool {
    guard max(a.x, b.x) >= min(from.x, to.x), min(a.x, b.x) <= max(from.x, to.x),
      max(a.y, b.y) >= min(from.y, to.y), min(a.y, b.y) <= max(from.y, to.y)
    else { return false }
    func side(_ p: Point, _ q: Point, _ r: Point) -> Double {
      (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)
    }
    return side(from, to, a) * side(from, to, b) <= 0 && side(a, b, from) * side(a, b, to) <= 0
  }
}
