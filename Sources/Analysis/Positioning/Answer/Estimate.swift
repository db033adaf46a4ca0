public import Geometry

/// A position with its uncertainty.
public struct Estimate: Equatable, Codable, Sendable {
  /// The place in the plane, in metres.
  public var position: Point
  /// The height above the reference level, in metres; `nil` if only the place in the plane was
  /// requested.
  public var height: Double?
  /// The covariance of the position's error, or the reason for its absence.
  public var uncertainty: Uncertainty
  /// The other place that explains the levels equally well, if a closed form has two solutions.
  public var alternative: SpacePoint?
  /// The index of the floor in a building; `nil` outside of one.
  public var floor: Int?
  /// The probability of each floor of the building; empty outside of one.
  public var floorProbabilities: [Double] = []
  /// The members of a combination that do not contribute, by name, with the reason; empty for a
  /// single algorithm.
  public var leftOut: [String: Omission] = [:]

  /// The reason why a member does not contribute to a combination.
  public enum Omission: Equatable, Codable, Sendable {
    /// A member without a position.
    case refused(Refusal)
    /// A member whose position lacks the covariance that the combination needs.
    case withoutCovariance(Uncertainty.Reason)
  }

  /// The probability of the estimate's own floor; `nil` if it is unknown.
  package var floorProbability: Double? {
    floor.flatMap { floorProbabilities.indices.contains($0) ? floorProbabilities[$0] : nil }
  }

  /// Creates an estimate; the height is in metres above the reference level.
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

/// The uncertainty of a position.
public enum Uncertainty: Equatable, Codable, Sendable {
  /// The covariance of the position's error.
  case covariance(Covariance)
  /// No covariance, with the reason.
  case unavailable(Reason)

  /// The reason why a position has no covariance.
  public enum Reason: String, Codable, Sendable, CaseIterable {
    /// The algorithm has no model of errors.
    case noErrorModel = "no-error-model"
    /// Not more levels than coordinates, so that no degree of freedom is left to estimate the
    /// error.
    case tooFewAnchors = "too-few-anchors"
    /// The anchors leave a direction undetermined.
    case collinearAnchors = "collinear-anchors"
    /// The position is outside the domain in which the algorithm's error is known.
    case outsideDomain = "outside-domain"
    /// The position is on the edge of the searched area; a better one may lie beyond.
    case onTheEdge = "on-the-edge"
    /// The iteration ended before it converged.
    case notConverged = "not-converged"
  }

  /// Creates an uncertainty from a first-order covariance; if an element overflows, first order
  /// does not hold.
  static func firstOrder(_ covariance: Covariance) -> Uncertainty {
    let vertical = covariance.vertical ?? Covariance.Vertical(xz: 0, yz: 0, zz: 0)
    let elements = [
      covariance.xx, covariance.xy, covariance.yy, vertical.xz, vertical.yz, vertical.zz,
    ]
    return elements.allSatisfy(\.isFinite) ? .covariance(covariance) : .unavailable(.outsideDomain)
  }

  /// The covariance, or `nil` if there is none.
  public var covariance: Covariance? {
    if case .covariance(let covariance) = self { covariance } else { nil }
  }
}

extension Uncertainty.Reason: CustomStringConvertible {
  /// The name in reports, such as `no-error-model`.
  public var description: String { rawValue }
}
