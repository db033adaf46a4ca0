/// A place in space, in metres: a place in the plane and a height above the reference level.
public struct SpacePoint: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public var z: Double

  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  public init(_ point: Point, z: Double) { self.init(x: point.x, y: point.y, z: z) }

  /// The place straight below or above it in the plane.
  public var planar: Point { Point(x: x, y: y) }
}
