/// A place in a site's plane, in metres.
public struct Point: Hashable, Codable, Sendable {
  /// The x coordinate, in metres.
  public var x: Double
  /// The y coordinate, in metres.
  public var y: Double

  /// Creates a place from coordinates in metres.
  @inlinable public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Returns the straight-line distance to another place, in metres.
  @inlinable public func distance(to other: Point) -> Double {
    let dx = x - other.x
    let dy = y - other.y
    return (dx * dx + dy * dy).squareRoot()
  }
}

/// The straight line between two places, such as a segment of a wall, in metres.
public struct Segment: Hashable, Sendable {
  /// The start of the line.
  public var from: Point
  /// The end of the line.
  public var to: Point

  /// Creates a line between two places.
  @inlinable public init(from: Point, to: Point) {
    self.from = from
    self.to = to
  }
}

/// A place in space, in metres: a place in the plane and a height above the reference level.
public struct SpacePoint: Hashable, Codable, Sendable {
  /// The x coordinate, in metres.
  public var x: Double
  /// The y coordinate, in metres.
  public var y: Double
  /// The height above the reference level, in metres.
  public var z: Double

  /// Creates a place from coordinates in metres.
  @inlinable public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  @inlinable public init(_ point: Point, z: Double) { self.init(x: point.x, y: point.y, z: z) }

  /// The place in the plane, without the height.
  @inlinable public var planar: Point { Point(x: x, y: y) }
}

/// The arithmetic of places in space as vectors from the origin.
extension SpacePoint {
  @inlinable package static func + (a: SpacePoint, b: SpacePoint) -> SpacePoint {
    SpacePoint(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
  }

  @inlinable package static func - (a: SpacePoint, b: SpacePoint) -> SpacePoint {
    SpacePoint(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
  }

  @inlinable package static func * (factor: Double, v: SpacePoint) -> SpacePoint {
    SpacePoint(x: factor * v.x, y: factor * v.y, z: factor * v.z)
  }

  @inlinable package func dot(_ other: SpacePoint) -> Double {
    x * other.x + y * other.y + z * other.z
  }

  @inlinable package func cross(_ other: SpacePoint) -> SpacePoint {
    SpacePoint(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  @inlinable package var length: Double { dot(self).squareRoot() }
}

/// The velocity of the truth in the plane, in metres per second.
package struct Velocity: Equatable, Codable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// The speed, in metres per second.
  package var speed: Double { (x * x + y * y).squareRoot() }
}

/// A rectangle along the axes and, in space, a range of heights, such as the search area of a
/// position.
public struct Bounds: Equatable, Codable, Sendable {
  /// The corner with the least coordinates.
  public var minimum: Point
  /// The corner with the greatest coordinates.
  public var maximum: Point
  /// The heights in metres above the reference level; `nil` in the plane.
  public var heights: ClosedRange<Double>?

  /// The area in the plane, in square metres.
  package var area: Double { (maximum.x - minimum.x) * (maximum.y - minimum.y) }

  /// - Precondition: no side is negative.
  @inlinable public init(minimum: Point, maximum: Point, heights: ClosedRange<Double>? = nil) {
    precondition(
      minimum.x <= maximum.x && minimum.y <= maximum.y, "expected a minimum below the maximum")
    self.minimum = minimum
    self.maximum = maximum
    self.heights = heights
  }

  /// Creates the smallest rectangle around some places, or returns `nil` without places.
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
