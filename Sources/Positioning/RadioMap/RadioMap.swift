/// How the mean level of each anchor differs from its path-loss curve from place to place, learned from
/// a survey.
public struct RadioMap: Sendable {
  /// - Parameters:
  ///   - survey: what was heard at known places.
  ///   - anchors: the anchors that the survey's levels number.
  public init?(survey: [SurveyPoint], anchors: [Anchor]) {
    return nil
  }

  /// What is to be added to the path-loss curve of an anchor at a place, in dB, with the standard
  /// deviation of the level of an epoch about the sum.
  public func correction(anchor: Int, at place: Point) -> (offset: Double, sigma: Double) { (0, 0) }
}
