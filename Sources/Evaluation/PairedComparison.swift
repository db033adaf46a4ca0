/// Two algorithms at the epochs that both answered: plain data, lengths in metres.
///
/// An algorithm that refuses the hard epochs looks better than it is; on common epochs it does not.
public struct PairedComparison: Equatable, Sendable {
  public var first: String
  public var second: String
  /// Epochs that both answered.
  public var commonEpochs: Int
  /// Median of the first's error minus the second's, negative where the first is better; nil without
  /// common epochs.
  public var medianDifference: Double?
  /// Confidence interval of the median difference, by trace.
  public var interval: IntervalOutcome

  /// - Parameters:
  ///   - first: name and traces of one algorithm.
  ///   - second: the other's, with the same traces and epochs in the same order.
  public init(
    _ first: (name: String, traces: [TraceRecord]), _ second: (name: String, traces: [TraceRecord]),
    bootstrap: TraceBootstrap = TraceBootstrap()
  ) {
    precondition(
      first.traces.map(\.errors.count) == second.traces.map(\.errors.count),
      "algorithms are compared on the same traces and epochs")
    let differences = zip(first.traces, second.traces).map { one, other in
      zip(one.errors, other.errors).compactMap { a, b -> Double? in
        guard let a, let b else { return nil }
        return a - b
      }
    }
    let pooled = SortedSample(differences.flatMap(\.self))
    self.first = first.name
    self.second = second.name
    commonEpochs = pooled.values.count
    medianDifference = pooled.quantile(0.5)
    interval = bootstrap.intervals(ofQuantiles: [0.5], traces: differences)[0]
  }
}
