public import Geometry

/// How sure an algorithm is of a position.
public enum Uncertainty: Equatable, Codable, Sendable {
  case covariance(Covariance)
  case unavailable(Reason)

  /// Why a position has no covariance.
  public enum Reason: String, Codable, Sendable, CaseIterable {
    /// The algorithm has no model of errors.
    case noErrorModel = "no-error-model"
    /// There are no more levels than coordinates, so that nothing is left to show the error from.
    case tooFewAnchors = "too-few-anchors"
    /// The anchors leave a direction undetermined.
    case collinearAnchors = "collinear-anchors"
    /// The position is outside the domain in which the algorithm's error is known.
    case outsideDomain = "outside-domain"
    /// The position is on the edge of the bounds: the best place may be beyond.
    case onTheEdge = "on-the-edge"
    /// The iteration ended before it settled.
    case notConverged = "not-converged"
  }

  /// A covariance to first order; where an element overflows, the error is beyond what first order
  /// knows.
  static func firstOrder(_ covariance: Covariance) -> Uncertainty {
    let vertical = covariance.vertical ?? Covariance.Vertical(xz: 0, yz: 0, zz: 0)
    let elements = [
      covariance.xx, covariance.xy, covariance.yy, vertical.xz, vertical.yz, vertical.zz,
    ]
    return elements.allSatisfy(\.isFinite) ? .covariance(covariance) : .unavailable(.outsideDomain)
  }

  /// The covariance, or nil.
  public var covariance: Covariance? {
    if case .covariance(let covariance) = self { covariance } else { nil }
  }
}

extension Uncertainty.Reason: CustomStringConvertible {
  /// The name in reports, such as `no-error-model`.
  public var description: String { rawValue }
}
