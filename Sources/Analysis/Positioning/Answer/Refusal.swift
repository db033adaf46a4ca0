/// The reason why an algorithm returned no position.
public enum Refusal: String, Error, Codable, Sendable {
  /// Too few anchors were received for the algorithm.
  case tooFewAnchors = "too-few-anchors"
  /// The anchors are collinear, so two mirrored places explain the levels equally well.
  case collinearAnchors = "collinear-anchors"
  /// The anchors are coplanar, and the algorithm needs one off the plane to determine the height.
  case coplanarAnchors = "coplanar-anchors"
  /// Several anchors share a place, which leaves fewer places than the algorithm needs.
  case coincidentAnchors = "coincident-anchors"
  /// A level, constant, coordinate or range is implausible: not finite, negative or astronomical.
  case invalidRange = "invalid-range"
  /// The circles do not intersect, so they have no common point to grow.
  case noCommonPoint = "no-common-point"
  /// The iteration ended without an answer.
  case notConverged = "not-converged"
  /// The target is outside the domain in which the algorithm is valid.
  case outsideDomain = "outside-domain"
  /// The algorithm learns from a survey, and there is none.
  case noSurvey = "no-survey"
  /// The algorithm does not support the requested number of dimensions.
  case wrongDimensions = "wrong-dimensions"
  /// The anchors' places are unknown, and the algorithm does not use a map of the building.
  case unknownPlaces = "unknown-places"
  /// Every member of a combination refused, or had no covariance although one is needed.
  case noMemberAnswered = "no-member-answered"
  /// An external program did not answer in time.
  case timedOut = "timed-out"
  /// An external program ended before it answered.
  case crashed = "crashed"
  /// An external program answered with something other than a position.
  case invalidAnswer = "invalid-answer"
  /// An external program declined to answer.
  case declined = "declined"
}

extension Refusal: CaseIterable, CustomStringConvertible {
  /// The name in reports, such as `too-few-anchors`.
  public var description: String { rawValue }
}
