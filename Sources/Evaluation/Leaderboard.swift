/// The algorithms of one evaluation, best first, and how they compare on common epochs: plain data.
public struct Leaderboard: Equatable, Sendable {
  /// In ascending order of the median error; algorithms that never answered come last, ties by name.
  public var scores: [Score]
  /// The best algorithm against each of the others, in the order of the scores.
  public var comparisons: [PairedComparison]

  /// - Parameters:
  ///   - entries: each algorithm's name and traces; all have the same traces and epochs in the same order.
  ///   - bootstrap: how the intervals are drawn.
  public init(
    _ entries: [(name: String, traces: [TraceRecord])],
    bootstrap: TraceBootstrap = TraceBootstrap()
  ) {
    let ranked =
      entries
      .map { entry in
        (entry, Score(name: entry.name, traces: entry.traces, bootstrap: bootstrap))
      }
      .sorted { Self.rank($0.1) < Self.rank($1.1) }
    scores = ranked.map(\.1)
    comparisons = ranked.dropFirst().map {
      PairedComparison(ranked[0].0, $0.0, bootstrap: bootstrap)
    }
  }

  private static func rank(_ score: Score) -> (Double, String) {
    (score.statistics.errors?.median ?? .infinity, score.name)
  }
}
