/// The covariance of a position, in square metres.
public struct Covariance: Equatable, Codable, Sendable {
  public var xx: Double
  public var xy: Double
  public var yy: Double
  /// The elements of the height; nil where only the place in the plane was asked.
  public var vertical: Vertical?

  /// The elements of a covariance in space that a plane does not have, in square metres.
  public struct Vertical: Equatable, Codable, Sendable {
    public var xz: Double
    public var yz: Double
    public var zz: Double

    @inlinable public init(xz: Double, yz: Double, zz: Double) {
      self.xz = xz
      self.yz = yz
      self.zz = zz
    }
  }

  @inlinable public init(xx: Double, xy: Double, yy: Double, vertical: Vertical? = nil) {
    self.xx = xx
    self.xy = xy
    self.yy = yy
    self.vertical = vertical
  }

  /// The covariance of errors whose squares are larger by a factor.
  package static func * (factor: Double, covariance: Covariance) -> Covariance {
    Covariance(
      xx: factor * covariance.xx, xy: factor * covariance.xy, yy: factor * covariance.yy,
      vertical: covariance.vertical.map {
        Vertical(xz: factor * $0.xz, yz: factor * $0.yz, zz: factor * $0.zz)
      })
  }

  /// The squared length of an error in the plane in units of its own standard deviation: eᵀ C⁻¹ e.
  ///
  /// Chi-squared with two degrees of freedom where the covariance is right; infinite for a singular
  /// one.
  @inlinable public func squaredScore(_ dx: Double, _ dy: Double) -> Double {
    let determinant = xx * yy - xy * xy
    guard determinant > 0 else { return .infinity }
    return (yy * dx * dx - 2 * xy * dx * dy + xx * dy * dy) / determinant
  }
}
