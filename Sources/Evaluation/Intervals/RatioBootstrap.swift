extension TraceBootstrap {
  /// The interval of a ratio of sums over traces: a mean or a share.
  ///
  /// - Parameters:
  ///   - numerators: the sum of the values of each trace, or how many count.
  ///   - denominators: how many there are; traces without any do not count.
  func interval(of numerators: [Double], over denominators: [Double]) -> IntervalOutcome {
    let filled = zip(numerators, denominators).filter { $0.1 > 0 }
    guard filled.count >= Self.fewestTraces else {
      return .unavailable(.tooFewTraces(filled.count, needed: Self.fewestTraces))
    }
    var random = SplitMix64(seed: seed)
    var replicates: [Double] = []
    replicates.reserveCapacity(resamples)
    for _ in 0..<resamples {
      var (numerator, denominator) = (0.0, 0.0)
      for _ in filled {
        let drawn = filled[random.next(below: filled.count)]
        numerator += drawn.0
        denominator += drawn.1
      }
      replicates.append(numerator / denominator)
    }
    return .interval(percentiles(of: replicates))
  }

  /// The range that holds the middle share of the replicates, which are not none.
  func percentiles(of replicates: [Double]) -> Interval {
    let sample = SortedSample(replicates)
    let tail = (1 - confidence) / 2
    return Interval(lower: sample.quantile(tail)!, upper: sample.quantile(1 - tail)!)
  }
}
