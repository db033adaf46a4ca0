import RealModule

/// The ellipse about a position that holds the target with a probability, if the covariance is
/// right.
public struct ErrorEllipse: Equatable, Sendable {
  /// Half of the longest and of the shortest diameter, in metres.
  public var semiMajor: Double
  public var semiMinor: Double
  /// From the x axis anticlockwise to the longest diameter, in degrees above -90 and up to 90; 0
  /// for a circle.
  public var angle: Double

  /// The semi-axes are √(-2 ln(1 - probability)) standard deviations: the error's squared score is
  /// chi-squared with two degrees of freedom.
  ///
  /// - Parameter probability: above 0 and below 1.
  /// - Returns: nil for a covariance that is none.
  public init?(_ covariance: Covariance, probability: Double = 0.95) {
    guard let axes = covariance.axes else { return nil }
    let scale = (-2 * Double.log(1 - probability)).squareRoot()
    semiMajor = scale * axes.major.squareRoot()
    semiMinor = scale * axes.minor.squareRoot()
    var degrees = axes.angle * 180 / .pi
    if degrees <= -90 { degrees += 180 }
    angle = degrees
  }
}

extension Covariance {
  /// The variances along the axes of the ellipse in the plane in square metres, and the angle of
  /// the first from the x axis in radians; nil for a covariance that is none.
  var axes: (major: Double, minor: Double, angle: Double)? {
    guard xx >= 0, yy >= 0, xx.isFinite, yy.isFinite, xy.isFinite else { return nil }
    let half = (xx - yy) / 2
    let radius = (half * half + xy * xy).squareRoot()
    let minor = (xx + yy) / 2 - radius
    // Rounding alone may leave the shortest axis below 0.
    guard minor > -1e-9 * (xx + yy) || radius == 0 else { return nil }
    return (
      (xx + yy) / 2 + radius, max(0, minor), radius > 0 ? Double.atan2(y: xy, x: half) / 2 : 0
    )
  }
}
