import NumericalMethods

/// Confidence intervals over traces, by drawing whole traces again.
///
/// Epochs of one trace resemble each other, so drawing epochs would give intervals far too short;
/// traces are the independent trials (cluster bootstrap: Davison & Hinkley, "Bootstrap Methods and
/// their Application", 1997, section 3.8).
package struct TraceBootstrap: Equatable, Sendable {
  /// Traces below which there is no interval: four traces can be drawn in 35 ways, and their spread
  /// states next to nothing about that of traces at large.
  package static let fewestTraces = 5

  /// How many times the traces are drawn.
  package var resamples: Int
  /// Equal seeds give equal intervals.
  package var seed: UInt64
  /// How often the interval is meant to hold the true value.
  package var confidence: Double

  package init(resamples: Int = 10_000, seed: UInt64 = 1, confidence: Double = 0.95) {
    precondition(
      resamples > 1 && confidence > 0 && confidence < 1, "a bootstrap draws, and covers a share")
    self.resamples = resamples
    self.seed = seed
    self.confidence = confidence
  }

  /// The interval of each quantile of the pooled values, see
  /// ``lengthInterval(about:replicates:traces:)``.
  ///
  /// - Parameters:
  ///   - shares: the quantiles, such as 0.5 for the median.
  ///   - traces: the values of each trace, not negative; traces without values do not count.
  package func intervals(ofQuantiles shares: [Double], traces: [[Double]]) -> [IntervalOutcome] {
    meanAndQuantileIntervals(shares, traces: traces).quantiles
  }

  /// The intervals of the mean and of the quantiles, from the same draws.
  func meanAndQuantileIntervals(
    _ shares: [Double], traces: [[Double]]
  ) -> (mean: IntervalOutcome, quantiles: [IntervalOutcome]) {
    let filled = traces.filter { !$0.isEmpty }
    if let reason = reason(filled.count) {
      return (.unavailable(reason), shares.map { _ in .unavailable(reason) })
    }
    let pooled = PooledTraces(filled)
    let sums = filled.map { $0.reduce(0, +) }
    func mean(_ draw: PooledTraces.Draw) -> Double {
      sums.indices.reduce(0) { $0 + Double(draw.times[$1]) * sums[$1] } / Double(draw.total)
    }
    var blocks = shares.map { _ in 0 }
    let all = pooled.eachOnce()
    let estimates = shares.indices.map { pooled.quantile(shares[$0], of: all, near: &blocks[$0]) }
    var random = SplitMix64(seed: seed)
    var replicates = shares.map { _ in [Double]() }
    var means: [Double] = []
    for _ in 0..<resamples {
      let draw = pooled.draw(from: &random)
      means.append(mean(draw))
      for (index, share) in shares.enumerated() {
        replicates[index].append(pooled.quantile(share, of: draw, near: &blocks[index]))
      }
    }
    func interval(_ estimate: Double, _ replicates: [Double]) -> IntervalOutcome {
      .interval(lengthInterval(about: estimate, replicates: replicates, traces: filled.count))
    }
    return (
      interval(mean(all), means), zip(estimates, replicates).map { interval($0, $1) }
    )
  }

  /// Why so many traces with values give no interval; nil if they do.
  func reason(_ traces: Int) -> IntervalOutcome.Reason? {
    traces < Self.fewestTraces ? .tooFewTraces(traces, needed: Self.fewestTraces) : nil
  }
}
