import Geometry

/// The rectangle in which a position is searched, in metres.
struct SearchBox: Equatable {
  var minimum: Point
  var maximum: Point

  init(minimum: Point, maximum: Point) {
    (self.minimum, self.maximum) = (minimum, maximum)
  }

  /// Creates the anchors' bounding box, padded on each side by its longer side times a power of
  /// two.
  init(around anchors: some Collection<Point>, doublings: Int) {
    var low = Point(x: .infinity, y: .infinity)
    var high = Point(x: -.infinity, y: -.infinity)
    for a in anchors {
      low = Point(x: min(low.x, a.x), y: min(low.y, a.y))
      high = Point(x: max(high.x, a.x), y: max(high.y, a.y))
    }
    var padding = max(high.x - low.x, high.y - low.y)
    for _ in 0..<doublings { padding *= 2 }
    minimum = Point(x: low.x - padding, y: low.y - padding)
    maximum = Point(x: high.x + padding, y: high.y + padding)
  }

  /// Creates the bounds of a site or the rectangle of its rooms; `nil` if it has neither.
  init?(knownIn surroundings: Surroundings) {
    guard surroundings.bounds != nil || !surroundings.rooms.isEmpty,
      let bounds = surroundings.searchBounds
    else { return nil }
    (minimum, maximum) = (bounds.minimum, bounds.maximum)
  }

  /// Returns the number of doublings of the padding until it is twice the nearest anchor's range.
  static func doublings(over anchors: some Collection<Point>, nearestRange: Double) -> Int {
    guard let box = Bounds(around: anchors) else { return 0 }
    var padding = max(box.maximum.x - box.minimum.x, box.maximum.y - box.minimum.y)
    var doublings = 0
    // The tolerance keeps a range that equals half the padding from doubling it by rounding.
    while padding * (1 + 1e-9) < 2 * nearestRange, doublings < 200 {
      padding *= 2
      doublings += 1
    }
    return doublings
  }

  /// The longer side.
  var length: Double { max(maximum.x - minimum.x, maximum.y - minimum.y) }

  /// Returns the nearest point of the box.
  func clamp(_ p: Point) -> Point {
    Point(x: min(max(p.x, minimum.x), maximum.x), y: min(max(p.y, minimum.y), maximum.y))
  }

  /// Returns a Boolean value that is true if a point is inside and not on the edge.
  func hasInside(_ p: Point) -> Bool {
    p.x > minimum.x && p.x < maximum.x && p.y > minimum.y && p.y < maximum.y
  }

  /// Returns the distance from a point inside to the edge along a unit vector.
  func room(from p: Point, towards direction: Point) -> Double {
    let x = direction.x > 0 ? maximum.x - p.x : minimum.x - p.x
    let y = direction.y > 0 ? maximum.y - p.y : minimum.y - p.y
    return min(
      direction.x == 0 ? .infinity : x / direction.x, direction.y == 0 ? .infinity : y / direction.y
    )
  }

  /// Returns a Boolean value that is true if a place is on an edge across x, and descent along the
  /// gradient would leave the box there.
  func holdsX(_ p: Point, pull gradient: Double) -> Bool {
    (p.x <= minimum.x && gradient > 0) || (p.x >= maximum.x && gradient < 0)
  }

  /// Returns a Boolean value that is true if a place is on an edge across y, and descent along the
  /// gradient would leave the box there.
  func holdsY(_ p: Point, pull gradient: Double) -> Bool {
    (p.y <= minimum.y && gradient > 0) || (p.y >= maximum.y && gradient < 0)
  }
}
