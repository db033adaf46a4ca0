/// The algorithms of one evaluation, best first, and how they compare: plain data.
public struct Leaderboard: Equatable, Sendable {
  /// In ascending order of the ranking figure; algorithms that never answered come last, ties by
  /// name.
  public var scores: [Score]
  /// The figure of the order.
  public var figure: ErrorFigure
  /// The first algorithm in the running against each of the others, in the order of the scores,
  /// adjusted together.
  package var comparisons: [PairedComparison]
  /// Every algorithm against every one after it in the order of the scores, adjusted together.
  package var allPairs: [PairedComparison]
  /// Which algorithm is best.
  package var verdict: Verdict
  /// The baselines that are among the algorithms.
  package var baselines: [BaselineVerdict]
  /// The errors at common questions; nil where no two algorithms answered the same question.
  package var matched: MatchedTable?
}
