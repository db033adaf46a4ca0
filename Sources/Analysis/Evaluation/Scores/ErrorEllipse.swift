public import Positioning
import RealModule

/// The axes of a covariance in the plane.
public struct ErrorEllipse: Equatable, Sendable {
  /// Standard deviation along the longer axis, in metres.
  public var major: Double
  /// Standard deviation along the shorter axis, in metres.
  public var minor: Double
  /// Direction of the longer axis in radians from +x towards +y, in (-π/2, π/2].
  public var angle: Double

  /// Nil where the elements are not finite or are no covariance.
  public init?(_ covariance: Covariance) {
    let (xx, xy, yy) = (covariance.xx, covariance.xy, covariance.yy)
    guard xx.isFinite, xy.isFinite, yy.isFinite, xx >= 0, yy >= 0 else { return nil }
    let half = (xx - yy) / 2
    let radius = Double.hypot(half, xy)
    let mean = (xx + yy) / 2
    // Rounding may leave a singular covariance slightly negative; anything more is no covariance.
    guard mean - radius >= -1e-9 * mean else { return nil }
    major = (mean + radius).squareRoot()
    minor = max(0, mean - radius).squareRoot()
    // Of the two directions of an axis, the one that points to the right.
    let turned = radius == 0 ? 0 : Double.atan2(y: xy, x: half) / 2
    angle = turned <= -.pi / 2 ? .pi / 2 : turned
  }

  /// How many standard deviations along each axis hold a share of a Gaussian in the plane:
  /// √(-2 ln(1 - share)); 2.45 for 95 %.
  public static func scale(holding share: Double) -> Double {
    (-2 * Double.log(onePlus: -share)).squareRoot()
  }
}
