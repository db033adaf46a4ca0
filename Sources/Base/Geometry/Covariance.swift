import RealModule

/// The covariance of a position, in square metres.
public struct Covariance: Equatable, Codable, Sendable {
  /// The variance of x, in square metres.
  public var xx: Double
  /// The covariance of x and y, in square metres.
  public var xy: Double
  /// The variance of y, in square metres.
  public var yy: Double
  /// The elements of the height; `nil` for a covariance in the plane.
  public var vertical: Vertical?

  /// The elements of a covariance in space that a plane does not have, in square metres.
  public struct Vertical: Equatable, Codable, Sendable {
    /// The covariance of x and z, in square metres.
    public var xz: Double
    /// The covariance of y and z, in square metres.
    public var yz: Double
    /// The variance of z, in square metres.
    public var zz: Double

    /// Creates the elements of the height, in square metres.
    @inlinable public init(xz: Double, yz: Double, zz: Double) {
      self.xz = xz
      self.yz = yz
      self.zz = zz
    }
  }

  /// Creates a covariance, in square metres.
  @inlinable public init(xx: Double, xy: Double, yy: Double, vertical: Vertical? = nil) {
    self.xx = xx
    self.xy = xy
    self.yy = yy
    self.vertical = vertical
  }

  /// Returns the covariance multiplied by a factor.
  package static func * (factor: Double, covariance: Covariance) -> Covariance {
    Covariance(
      xx: factor * covariance.xx, xy: factor * covariance.xy, yy: factor * covariance.yy,
      vertical: covariance.vertical.map {
        Vertical(xz: factor * $0.xz, yz: factor * $0.yz, zz: factor * $0.zz)
      })
  }

  /// Returns the squared length of an error in the plane in standard deviations: eᵀ C⁻¹ e.
  ///
  /// It is chi-squared with two degrees of freedom for a correct covariance, and infinite for a
  /// singular one.
  @inlinable public func squaredScore(_ dx: Double, _ dy: Double) -> Double {
    let determinant = xx * yy - xy * xy
    guard determinant > 0 else { return .infinity }
    return (yy * dx * dx - 2 * xy * dx * dy + xx * dy * dy) / determinant
  }
}

/// The ellipse of one standard deviation about a position, from a covariance in the plane.
///
/// ```swift
/// let ellipse = ErrorEllipse(Covariance(xx: 1, xy: 0.2, yy: 0.5))?.scaled(toHold: 0.95)
/// print(ellipse?.semiMajor ?? .nan)
/// ```
public struct ErrorEllipse: Equatable, Sendable {
  /// Half the longest diameter, in metres.
  public var semiMajor: Double
  /// Half the shortest diameter, in metres.
  public var semiMinor: Double
  /// The angle of the longest diameter from the x axis anticlockwise, in radians above -π/2 and up
  /// to π/2; 0 for a circle.
  public var angle: Double

  /// Creates the ellipse of one standard deviation: the semi-axes are the square roots of the
  /// eigenvalues.
  ///
  /// - Returns: `nil` if the matrix is not finite or not a valid covariance.
  public init?(_ covariance: Covariance) {
    let (xx, xy, yy) = (covariance.xx, covariance.xy, covariance.yy)
    guard xx.isFinite, xy.isFinite, yy.isFinite, xx >= 0, yy >= 0 else { return nil }
    let half = (xx - yy) / 2
    let radius = Double.hypot(half, xy)
    let mean = (xx + yy) / 2
    // Rounding may make a singular covariance slightly negative; anything more is not a covariance.
    guard mean - radius >= -1e-9 * mean else { return nil }
    semiMajor = (mean + radius).squareRoot()
    semiMinor = max(0, mean - radius).squareRoot()
    // An axis has two directions; this one points to the right.
    let turned = radius == 0 ? 0 : Double.atan2(y: xy, x: half) / 2
    angle = turned <= -.pi / 2 ? .pi / 2 : turned
  }

  /// Returns the ellipse that contains the target with a probability, for a correct covariance.
  ///
  /// Its semi-axes are √(-2 ln(1 - probability)) standard deviations, 2.45 for 95 %: the squared
  /// score of an error is chi-squared with two degrees of freedom.
  ///
  /// - Parameter probability: The probability, from 0 to below 1.
  public func scaled(toHold probability: Double) -> ErrorEllipse {
    let scale = (-2 * Double.log(onePlus: -probability)).squareRoot()
    var ellipse = self
    ellipse.semiMajor *= scale
    ellipse.semiMinor *= scale
    return ellipse
  }
}
