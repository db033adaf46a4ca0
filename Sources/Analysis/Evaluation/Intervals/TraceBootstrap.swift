import NumericalMethods

/// Confidence intervals by resampling whole traces (cluster bootstrap).
///
/// Epochs of one trace are correlated, so resampling epochs would give intervals far too narrow;
/// traces are the independent trials (Davison & Hinkley, "Bootstrap Methods and their Application",
/// 1997, section 3.8). Blocks of several traces are drawn in two stages, see ``ResampledUnits``.
package struct TraceBootstrap: Equatable, Sendable {
  /// The smallest number of traces for an interval: four traces can be drawn in only 35 ways, whose
  /// spread carries little information about the population.
  package static let fewestTraces = 5

  /// The number of resamples.
  package var resamples: Int
  /// The random seed; equal seeds give equal intervals.
  package var seed: UInt64
  /// The nominal coverage.
  package var confidence: Double
  /// The trace of each unit if units are blocks of traces; `nil` if they are traces.
  package var owners: [Int]?

  package init(resamples: Int = 10_000, seed: UInt64 = 1, confidence: Double = 0.95) {
    precondition(
      resamples > 1 && confidence > 0 && confidence < 1,
      "expected at least two resamples and a confidence between 0 and 1")
    self.resamples = resamples
    self.seed = seed
    self.confidence = confidence
  }

  /// Returns the interval of each quantile of the pooled values, see
  /// ``lengthInterval(about:replicates:widening:)``.
  ///
  /// - Parameters:
  ///   - shares: The quantiles, such as 0.5 for the median.
  ///   - traces: The values of each trace, not negative; traces without values do not count.
  package func intervals(ofQuantiles shares: [Double], traces: [[Double]]) -> [IntervalOutcome] {
    meanAndQuantileIntervals(shares, traces: traces).quantiles
  }

  /// Returns the intervals of the mean and of the quantiles, from the same draws.
  func meanAndQuantileIntervals(
    _ shares: [Double], traces: [[Double]]
  ) -> (mean: IntervalOutcome, quantiles: [IntervalOutcome]) {
    let filled = traces.indices.filter { !traces[$0].isEmpty }
    if let reason = reason(filled.count) {
      return (.unavailable(reason), shares.map { _ in .unavailable(reason) })
    }
    let units = units(filled)
    let pooled = PooledTraces(filled.map { traces[$0] })
    let sums = filled.map { traces[$0].reduce(0, +) }
    func mean(_ draw: PooledTraces.Draw) -> Double {
      sums.indices.reduce(0) { $0 + Double(draw.times[$1]) * sums[$1] } / Double(draw.total)
    }
    var blocks = shares.map { _ in 0 }
    let all = pooled.eachOnce
    let estimates = shares.indices.map { pooled.quantile(shares[$0], of: all, near: &blocks[$0]) }
    var random = SplitMix64(seed: seed)
    var replicates = shares.map { _ in [Double]() }
    var means: [Double] = []
    for _ in 0..<resamples {
      let draw = pooled.draw(units.draw(from: &random))
      means.append(mean(draw))
      for (index, share) in shares.enumerated() {
        replicates[index].append(pooled.quantile(share, of: draw, near: &blocks[index]))
      }
    }
    func interval(
      _ estimate: Double, _ replicates: [Double], _ deviations: [Double]
    ) -> IntervalOutcome {
      .interval(
        lengthInterval(
          about: estimate, replicates: replicates,
          widening: widening(units: units.independent, freedom: units.freedom(deviations))))
    }
    let average = mean(all)
    return (
      interval(average, means, zip(sums, pooled.counts).map { $0 - average * Double($1) }),
      shares.indices.map { index in
        interval(
          estimates[index], replicates[index],
          pooled.deviations(upTo: estimates[index], share: shares[index]))
      }
    )
  }

  /// Returns the units with these numbers.
  func units(_ filled: [Int]) -> ResampledUnits {
    ResampledUnits(count: filled.count, owners: owners.map { owners in filled.map { owners[$0] } })
  }

  /// Returns the reason why a number of traces with values gives no interval, or `nil` if it does.
  func reason(_ traces: Int) -> IntervalOutcome.Reason? {
    traces < Self.fewestTraces ? .tooFewTraces(traces, needed: Self.fewestTraces) : nil
  }
}
