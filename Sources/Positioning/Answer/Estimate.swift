/// A position with its uncertainty.
public struct Estimate: Equatable, Sendable {
  public var position: Point
  /// Metres above the reference level; nil where only the place in the plane was asked.
  public var height: Double?
  /// The position's error covariance, or why there is none.
  public var uncertainty: Uncertainty
  /// The other place that explains the levels as well, where a closed form has two solutions.
  public var alternative: SpacePoint?

  public init(
    position: Point, height: Double? = nil, uncertainty: Uncertainty,
    alternative: SpacePoint? = nil
  ) {
    self.position = position
    self.height = height
    self.uncertainty = uncertainty
    self.alternative = alternative
  }
}
