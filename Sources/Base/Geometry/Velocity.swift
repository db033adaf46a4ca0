/// How fast and where to the truth moves in the plane, in metres a second.
package struct Velocity: Equatable, Codable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Metres a second.
  package var speed: Double { (x * x + y * y).squareRoot() }
}
