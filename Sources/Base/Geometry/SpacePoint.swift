/// A place in space, in metres: a place in the plane and a height above the reference level.
public struct SpacePoint: Hashable, Codable, Sendable {
  public var x: Double
  public var y: Double
  public var z: Double

  @inlinable public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  @inlinable public init(_ point: Point, z: Double) { self.init(x: point.x, y: point.y, z: z) }

  /// The place straight below or above it in the plane.
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
