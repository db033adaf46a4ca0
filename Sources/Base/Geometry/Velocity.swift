/// How fast and where to the truth moves in the plane, in metres a second.
public struct Velocity: Equatable, Sendable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Metres a second.
  public var speed: Double { (x * x + y * y).squareRoot() }
}
