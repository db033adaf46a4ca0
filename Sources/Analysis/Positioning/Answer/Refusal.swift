/// Why an algorithm gave no position.
public enum Refusal: Error, Hashable, Sendable {
  /// Fewer anchors were heard than the algorithm needs.
  case tooFewAnchors
  /// The anchors stand on one line, so two mirrored places explain the levels equally well.
  case collinearAnchors
  /// The anchors stand on one plane, and the algorithm needs some beside it to tell the height.
  case coplanarAnchors
  /// Anchors stand at the same place, which leaves fewer places than the algorithm needs.
  case coincidentAnchors
  /// A level, constant, coordinate or range is not a number that occurs: not finite, negative where
  /// it cannot be, or astronomical.
  case invalidRange
  /// The circles do not meet, so they have no common point to grow.
  case noCommonPoint
  /// The iteration ended without an answer.
  case notConverged
  /// The target is where the algorithm's answer means nothing.
  case outsideDomain
  /// The algorithm learns from a survey, and there is none.
  case noSurvey
  /// The algorithm asks for the height, or only for the plane, and the question is the other one.
  case wrongDimensions
  /// Every member of a combination refused, or had no covariance where one is needed.
  case noMemberAnswered
  /// A program did not answer in time.
  case timedOut
  /// A program ended before it answered.
  case crashed
  /// A program answered with something that is no position.
  case invalidAnswer
  /// A program said itself that it has no answer.
  case declined
}

extension Refusal: CaseIterable, CustomStringConvertible {
  /// The name in reports, such as `too-few-anchors`.
  public var description: String {
    switch self {
    case .tooFewAnchors: "too-few-anchors"
    case .collinearAnchors: "collinear-anchors"
    case .coplanarAnchors: "coplanar-anchors"
    case .coincidentAnchors: "coincident-anchors"
    case .invalidRange: "invalid-range"
    case .noCommonPoint: "no-common-point"
    case .notConverged: "not-converged"
    case .outsideDomain: "outside-domain"
    case .noSurvey: "no-survey"
    case .wrongDimensions: "wrong-dimensions"
    case .noMemberAnswered: "no-member-answered"
    case .timedOut: "timed-out"
    case .crashed: "crashed"
    case .invalidAnswer: "invalid-answer"
    case .declined: "declined"
    }
  }
}
