extension TraceBootstrap {
  /// The interval of a mean length, see ``lengthInterval(about:replicates:traces:)``.
  ///
  /// - Parameters:
  ///   - sums: the sum of the values of each trace, not negative.
  ///   - counts: how many there are, or what else they are divided by; traces without any do not count.
  func meanInterval(_ sums: [Double], over counts: [Double]) -> IntervalOutcome {
    let filled = zip(sums, counts).filter { $0.1 > 0 }
    if let reason = reason(filled.count) { return .unavailable(reason) }
    let estimate = filled.reduce(0) { $0 + $1.0 } / filled.reduce(0) { $0 + $1.1 }
    return .interval(
      lengthInterval(about: estimate, replicates: ratios(filled), traces: filled.count))
  }

  /// The interval of a share, see ``expandedInterval(_:traces:)``.
  ///
  /// - Parameters:
  ///   - held: how many of each trace's values count.
  ///   - counts: how many there are; traces without any do not count.
  func shareInterval(_ held: [Int], of counts: [Int]) -> IntervalOutcome {
    let filled = zip(held, counts).filter { $0.1 > 0 }.map { (Double($0), Double($1)) }
    if let reason = reason(filled.count) { return .unavailable(reason) }
    return .interval(expandedInterval(ratios(filled), traces: filled.count))
  }

  /// The ratio of the sums over drawn traces.
  private func ratios(_ traces: [(Double, Double)]) -> [Double] {
    var random = SplitMix64(seed: seed)
    return (0..<resamples).map { _ in
      var (numerator, denominator) = (0.0, 0.0)
      for _ in traces {
        let drawn = traces[random.next(below: traces.count)]
        numerator += drawn.0
        denominator += drawn.1
      }
      return numerator / denominator
    }
  }
}
