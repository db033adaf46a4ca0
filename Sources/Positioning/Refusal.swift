/// Why an algorithm gave no position.
public enum Refusal: Error, Hashable, Sendable {
  /// Fewer anchors were heard than the algorithm needs.
  case tooFewAnchors
  /// The anchors stand on one line, so two mirrored places explain the levels equally well.
  case collinearAnchors
  /// Anchors stand at the same place, which leaves fewer places than the algorithm needs.
  case coincidentAnchors
  /// A level, constant, coordinate or range is not a number that occurs: not finite, negative where it
  /// cannot be, or astronomical.
  case invalidRange
  /// The circles do not meet, so they have no common point to grow.
  case noCommonPoint
  /// The iteration ended without an answer.
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
    case .notConverged: "not-converged"
    }
  }
}
