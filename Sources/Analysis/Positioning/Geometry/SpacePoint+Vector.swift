/// The arithmetic of places in space as vectors from the origin.
extension SpacePoint {
  static func + (a: SpacePoint, b: SpacePoint) -> SpacePoint {
    SpacePoint(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
  }

  static func - (a: SpacePoint, b: SpacePoint) -> SpacePoint {
    SpacePoint(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z)
  }

  static func * (factor: Double, v: SpacePoint) -> SpacePoint {
    SpacePoint(x: factor * v.x, y: factor * v.y, z: factor * v.z)
  }

  func dot(_ other: SpacePoint) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: SpacePoint) -> SpacePoint {
    SpacePoint(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }

  var length: Double { dot(self).squareRoot() }
}
