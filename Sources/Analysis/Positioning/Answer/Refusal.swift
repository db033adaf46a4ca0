/// The reason why an algorithm gave no position.
public enum Refusal: String, Error, Codable, Sendable {
  /// Fewer anchors were heard than the algorithm needs.
  case tooFewAnchors = "too-few-anchors"
  /// The anchors stand on one line, so two mirrored places explain the levels equally well.
  case collinearAnchors = "collinear-anchors"
  /// The anchors stand on one plane, and the algorithm needs some beside it to show the height.
  case coplanarAnchors = "coplanar-anchors"
  /// Anchors stand at the same place, which leaves fewer places than the algorithm needs.
  case coincidentAnchors = "coincident-anchors"
  /// A level, constant, coordinate or range is not a number that occurs: not finite, negative where
  /// it cannot be, or astronomical.
  case invalidRange = "invalid-range"
  /// The circles do not meet, so they have no common point to grow.
  case noCommonPoint = "no-common-point"
  /// The iteration ended without an answer.
  case notConverged = "not-converged"
  /// The target is where the algorithm's answer means nothing.
  case outsideDomain = "outside-domain"
  /// The algorithm learns from a survey, and there is none.
  case noSurvey = "no-survey"
  /// The algorithm asks for the height, or only for the plane, and the question is the other one.
  case wrongDimensions = "wrong-dimensions"
  /// Every member of a combination refused, or had no covariance where one is needed.
  case noMemberAnswered = "no-member-answered"
  /// A program did not answer in time.
  case timedOut = "timed-out"
  /// A program ended before it answered.
  case crashed = "crashed"
  /// A program answered with something that is not a position.
  case invalidAnswer = "invalid-answer"
  /// A program stated itself that it has no answer.
  case declined = "declined"
}

extension Refusal: CaseIterable, CustomStringConvertible {
  /// The name in reports, such as `too-few-anchors`.
  public var description: String { rawValue }
}
