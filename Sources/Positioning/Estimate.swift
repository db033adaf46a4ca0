/// A position with its uncertainty.
public struct Estimate: Equatable, Sendable {
  public var position: Point
  /// The position's error covariance, or why there is none.
  public var uncertainty: Uncertainty

  public init(position: Point, uncertainty: Uncertainty) {
    self.position = position
    self.uncertainty = uncertainty
  }
}

/// How sure an algorithm is of a position.
public enum Uncertainty: Equatable, Sendable {
  case covariance(Covariance)
  /// The algorithm has no error model.
  case noErrorModel
  /// There are no more equations than unknowns, or the geometry leaves a direction undetermined.
  case undetermined
}

/// The covariance of a position in the plane, in square metres.
public struct Covariance: Equatable, Sendable {
  public var xx: Double
  public var xy: Double
  public var yy: Double

  public init(xx: Double, xy: Double, yy: Double) {
    self.xx = xx
    self.xy = xy
    self.yy = yy
  }
}
