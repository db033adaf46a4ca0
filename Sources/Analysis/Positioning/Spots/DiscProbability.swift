package import Geometry
import RealModule

extension Estimate {
  /// Returns the probability that the target is within a distance of a place, in the plane.
  ///
  /// This is the integral of the Gaussian about the position over the disc. Along the longer axis
  /// of the ellipse it is summed with u = m + h sin θ, whose steps are short at the ends of the
  /// disc; across it is a difference of error functions:
  ///
  ///     P = ∫ φ(u; a, σ₁) [Φ((w - b) / σ₂) - Φ((-w - b) / σ₂)] du,  w² = radius² - u²,
  ///
  /// with the position (a, b) relative to the place along the axes. Accurate to 1e-6 unless one
  /// axis is more than a hundred times the other.
  ///
  /// In a building the place is on the floor of the position, and the probability includes that of
  /// the floor.
  ///
  /// - Parameter radius: The distance in metres, above 0.
  /// - Returns: The probability, or `nil` if the position has no covariance.
  package func probability(within radius: Double, of place: Point) -> Double? {
    guard case .covariance(let covariance) = uncertainty, let ellipse = ErrorEllipse(covariance)
    else {
      return nil
    }
    let (dx, dy) = (position.x - place.x, position.y - place.y)
    // A position that claims to be exact is either inside or outside.
    let shortest = 1e-6 * radius
    let (longer, shorter) = (
      max(ellipse.semiMajor, shortest), max(ellipse.semiMinor, shortest)
    )
    let (cosine, sine) = (Double.cos(ellipse.angle), Double.sin(ellipse.angle))
    let (a, b) = (cosine * dx + sine * dy, cosine * dy - sine * dx)
    let (low, high) = (max(-radius, a - 9 * longer), min(radius, a + 9 * longer))
    guard low < high, abs(b) < radius + 9 * shorter else { return 0 }
    let (middle, half) = ((low + high) / 2, (high - low) / 2)
    var sum = 0.0
    for step in 0..<Self.steps {
      let angle = ((Double(step) + 0.5) / Double(Self.steps) - 0.5) * Double.pi
      let u = middle + half * Double.sin(angle)
      let width = max(0, radius * radius - u * u).squareRoot()
      let score = (u - a) / longer
      let across = Self.normal((width - b) / shorter) - Self.normal((-width - b) / shorter)
      sum += Double.cos(angle) * Double.exp(-score * score / 2) * across
    }
    let density = 1 / (longer * (2 * Double.pi).squareRoot())
    let onFloor = min(1, max(0, sum * density * half * Double.pi / Double(Self.steps)))
    return (floorProbability ?? 1) * onFloor
  }

  private static let steps = 400

  private static func normal(_ z: Double) -> Double { Double.erfc(-z / 2.0.squareRoot()) / 2 }
}
