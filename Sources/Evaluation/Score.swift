public import Positioning

/// One algorithm's line of a leaderboard: plain data.
public struct Score: Equatable, Sendable {
  /// The algorithm.
  public var name: String
  public var statistics: ErrorStatistics
  public var medianInterval: IntervalOutcome
  public var p75Interval: IntervalOutcome
  /// Epochs without an answer, by reason; reasons that did not occur are left out.
  public var refusals: [Refusal: Int]

  /// Pools the traces of one algorithm.
  public init(name: String, traces: [TraceRecord], bootstrap: TraceBootstrap = TraceBootstrap()) {
    let errors = traces.map { $0.errors.compactMap(\.self) }
    self.name = name
    statistics = ErrorStatistics(
      errors: errors.flatMap(\.self), asked: traces.reduce(0) { $0 + $1.errors.count })
    let intervals = bootstrap.intervals(ofQuantiles: [0.5, 0.75], traces: errors)
    medianInterval = intervals[0]
    p75Interval = intervals[1]
    refusals = traces.reduce(into: [:]) { $0.merge($1.refusals, uniquingKeysWith: +) }
  }
}
