public import Geometry
import Positioning

/// What a leaderboard is made of beside questions and answers.
public struct LeaderboardSettings: Equatable, Sendable {
  /// The figure that algorithms are ranked and compared by.
  public var figure: ErrorFigure = .median
  package var bootstrap = TraceBootstrap()
  package var test = SignificanceTest()
  /// The zones of the site; of overlapping ones the first counts.
  public var zones: [Polygon] = []
  /// Names without parameters of the algorithms that others have to beat.
  public var baselines = ["nearest-anchor", "centroid", "weighted-centroid"]
  /// Whether the lag behind the truth is measured.
  public var measuresLag = false
  /// An algorithm is in the running where it answers at least this share of the questions that the
  /// most answering one answers.
  public var leastAvailability = 0.8
  /// The matched table is about at least this share of the questions asked.
  public var leastMatched = 0.1

  public init() {}
}
