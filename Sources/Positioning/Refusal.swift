/// Why an algorithm gave no position.
public enum Refusal: Error, Hashable, Sendable {
  /// Fewer anchors were heard than the algorithm needs.
  case tooFewAnchors
  /// The anchors stand on one line, so two mirrored places explain the levels equally well.
  case collinearAnchors
  /// Anchors stand at the same place, which leaves fewer places than the algorithm needs.
  case coincidentAnchors
  /// A level, constant, coordinate or range is not a finite number, or is negative where it cannot be.
  case invalidRange
  /// The circles have no common point within the algorithm's domain.
  case noCommonPoint
  /// The answer lies outside the domain in which the algorithm is consistent.
  case outsideDomain
  /// The iteration did not converge.
  case notConverged
}

extension Refusal: CaseIterable, CustomStringConvertible {
  /// The name in reports, such as `too-few-anchors`.
  public var description: String {
    switch self {
    case .tooFewAnchors: "too-few-anchors"
    case .collinearAnchors: "collinear-anchors"
    case .coincidentAnchors: "coincident-anchors"
    case .invalidRange: "invalid-range"
    case .noCommonPoint: "no-common-point"
    case .outsideDomain: "outside-domain"
    case .notConverged: "not-converged"
    }
  }
}
