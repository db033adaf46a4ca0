public import Geometry

/// A position with its uncertainty.
public struct Estimate: Equatable, Codable, Sendable {
  public var position: Point
  /// Metres above the reference level; nil where only the place in the plane was asked.
  public var height: Double?
  /// The position's error covariance, or why there is none.
  public var uncertainty: Uncertainty
  /// The other place that explains the levels as well, where a closed form has two solutions.
  public var alternative: SpacePoint?
  /// The members of a combination that have no part in it, by name, and why; empty for a single
  /// algorithm.
  public var leftOut: [String: Omission] = [:]

  /// Why a member has no part in a combination.
  public enum Omission: Equatable, Codable, Sendable {
    /// It gave no position.
    case refused(Refusal)
    /// It gave a position without the covariance that the combination needs.
    case withoutCovariance(Uncertainty.Reason)
  }

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

extension Estimate.Omission: CustomStringConvertible {
  /// The name of the reason in reports, such as `too-few-anchors`.
  public var description: String {
    switch self {
    case .refused(let refusal): refusal.description
    case .withoutCovariance(let reason): reason.description
    }
  }
}
