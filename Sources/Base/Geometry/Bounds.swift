/// A rectangle along the axes and, in space, a range of heights: the part of a site in which
/// positions are searched.
public struct Bounds: Equatable, Codable, Sendable {
  public var minimum: Point
  public var maximum: Point
  /// Heights in metres above the reference level; nil in the plane.
  public var heights: ClosedRange<Double>?

  /// - Precondition: no side is negative.
  @inlinable public init(minimum: Point, maximum: Point, heights: ClosedRange<Double>? = nil) {
    precondition(minimum.x <= maximum.x && minimum.y <= maximum.y, "bounds have no negative sides")
    self.minimum = minimum
    self.maximum = maximum
    self.heights = heights
  }

  /// The smallest rectangle around some places; nil without places.
  @inlinable public init?(around places: some Sequence<Point>) {
    var low = Point(x: .infinity, y: .infinity)
    var high = Point(x: -.infinity, y: -.infinity)
    for place in places {
      low = Point(x: min(low.x, place.x), y: min(low.y, place.y))
      high = Point(x: max(high.x, place.x), y: max(high.y, place.y))
    }
    guard low.x <= high.x, low.y <= high.y else { return nil }
    self.init(minimum: low, maximum: high)
  }
}
