import RealModule

/// The ellipse of one standard deviation about a position, from a covariance in the plane.
///
/// ```swift
/// let ellipse = ErrorEllipse(Covariance(xx: 1, xy: 0.2, yy: 0.5))?.scaled(toHold: 0.95)
/// print(ellipse?.semiMajor ?? .nan)
/// ```
public struct ErrorEllipse: Equatable, Sendable {
  /// Half of the longest diameter, in metres.
  public var semiMajor: Double
  /// Half of the shortest diameter, in metres.
  public var semiMinor: Double
  /// Angle of the longest diameter from the x axis anticlockwise, in radians above -π/2 and up to
  /// π/2; 0 for a circle.
  public var angle: Double

  /// The semi-axes are the square roots of the eigenvalues.
  ///
  /// - Returns: nil if the matrix is not finite or not a valid covariance.
  public init?(_ covariance: Covariance) {
    let (xx, xy, yy) = (covariance.xx, covariance.xy, covariance.yy)
    guard xx.isFinite, xy.isFinite, yy.isFinite, xx >= 0, yy >= 0 else { return nil }
    let half = (xx - yy) / 2
    let radius = Double.hypot(half, xy)
    let mean = (xx + yy) / 2
    // Rounding may leave a singular covariance slightly negative; anything more is not a covariance.
    guard mean - radius >= -1e-9 * mean else { return nil }
    semiMajor = (mean + radius).squareRoot()
    semiMinor = max(0, mean - radius).squareRoot()
    // An axis has two directions: take the one that points to the right.
    let turned = radius == 0 ? 0 : Double.atan2(y: xy, x: half) / 2
    angle = turned <= -.pi / 2 ? .pi / 2 : turned
  }

  /// The ellipse that holds the target with a probability, if the covariance is right.
  ///
  /// Its semi-axes are √(-2 ln(1 - probability)) standard deviations, 2.45 for 95 %: the squared
  /// score of an error is chi-squared with two degrees of freedom.
  ///
  /// - Parameter probability: from 0 to below 1.
  public func scaled(toHold probability: Double) -> ErrorEllipse {
    let scale = (-2 * Double.log(onePlus: -probability)).squareRoot()
    var ellipse = self
    ellipse.semiMajor *= scale
    ellipse.semiMinor *= scale
    return ellipse
  }
}
