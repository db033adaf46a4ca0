/// Confidence intervals of quantiles by drawing whole traces anew.
///
/// Epochs of one trace resemble each other, so drawing epochs would give intervals far too short; traces
/// are the independent trials (cluster bootstrap: Davison & Hinkley, "Bootstrap Methods and their
/// Application", 1997, section 3.8). The intervals are percentile intervals.
public struct TraceBootstrap: Equatable, Sendable {
  /// Traces below which there is no interval: three traces can be drawn in 10 ways, and the ends of
  /// such an interval are nothing but the extreme traces.
  public static let fewestTraces = 5

  /// How many times the traces are drawn.
  public var resamples: Int
  /// Equal seeds give equal intervals.
  public var seed: UInt64
  /// The share of resamples inside the interval.
  public var confidence: Double

  public init(resamples: Int = 2000, seed: UInt64 = 1, confidence: Double = 0.95) {
    precondition(
      resamples > 0 && confidence > 0 && confidence < 1, "a bootstrap draws, and covers a share")
    self.resamples = resamples
    self.seed = seed
    self.confidence = confidence
  }

  /// The interval of each quantile of the pooled values.
  ///
  /// Sorts once; each resample then is one pass over the values, with every value counted as often as its
  /// trace was drawn.
  ///
  /// - Parameters:
  ///   - shares: the quantiles, such as 0.5 for the median.
  ///   - traces: the values of each trace; traces without values do not count.
  public func intervals(ofQuantiles shares: [Double], traces: [[Double]]) -> [IntervalOutcome] {
    let filled = traces.filter { !$0.isEmpty }
    guard filled.count >= Self.fewestTraces else {
      return shares.map { _ in .unavailable(.tooFewTraces(filled.count, needed: Self.fewestTraces)) }
    }
    let pooled = filled.enumerated()
      .flatMap { trace, values in values.map { (value: $0, trace: trace) } }
      .sorted { $0.value < $1.value }
    var random = SplitMix64(seed: seed)
    var replicates = shares.map { _ in [Double]() }
    for _ in 0..<resamples {
      var weights = [Int](repeating: 0, count: filled.count)
      var total = 0
      for _ in filled {
        let drawn = random.next(below: filled.count)
        weights[drawn] += 1
        total += filled[drawn].count
      }
      for (index, share) in shares.enumerated() {
        let rank = QuantileRank(share, count: total)
        var (lower, upper): (Double?, Double?) = (nil, nil)
        var passed = 0
        for entry in pooled {
          passed += weights[entry.trace]
          if lower == nil, passed > rank.lower { lower = entry.value }
          if passed > rank.upper {
            upper = entry.value
            break
          }
        }
        if let lower, let upper { replicates[index].append(rank.interpolate(lower, upper)) }
      }
    }
    return replicates.map { values in
      let sample = SortedSample(values)
      let tail = (1 - confidence) / 2
      // As many replicates as resamples, which are not none.
      return .interval(
        Interval(lower: sample.quantile(tail)!, upper: sample.quantile(1 - tail)!))
    }
  }
}
