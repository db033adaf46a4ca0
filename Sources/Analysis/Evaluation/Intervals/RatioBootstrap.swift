import NumericalMethods

extension TraceBootstrap {
  /// Returns the interval of a ratio of lengths or their squares, see
  /// ``lengthInterval(about:replicates:traces:)``.
  ///
  /// - Parameters:
  ///   - sums: The sum of each trace, not negative.
  ///   - divisors: The divisor of each trace; traces with 0 do not count.
  func ratioInterval(_ sums: [Double], over divisors: [Double]) -> IntervalOutcome {
    let filled = zip(sums, divisors).filter { $0.1 > 0 }
    if let reason = reason(filled.count) { return .unavailable(reason) }
    let estimate = filled.reduce(0) { $0 + $1.0 } / filled.reduce(0) { $0 + $1.1 }
    return .interval(
      lengthInterval(
        about: estimate, replicates: ratios([filled.map(\.0)], over: filled.map(\.1))[0],
        traces: filled.count))
  }

  /// Returns the intervals of some shares of the same values, see ``expandedInterval(_:traces:)``.
  ///
  /// If all values count, or none, every draw is identical and carries no information. The result
  /// is then the Clopper–Pearson interval of as many independent trials as there are traces,
  /// because the values of one trace may be correlated.
  ///
  /// - Parameters:
  ///   - held: For each share, the number of each trace's values that count.
  ///   - counts: The number of values per trace; traces without any do not count.
  func shareIntervals(_ held: [[Int]], of counts: [Int]) -> [IntervalOutcome] {
    let filled = counts.indices.filter { counts[$0] > 0 }
    if let reason = reason(filled.count) { return held.map { _ in .unavailable(reason) } }
    return ratios(
      held.map { share in filled.map { Double(share[$0]) } },
      over: filled.map { Double(counts[$0]) }
    )
    .enumerated().map { index, replicates in
      let all = filled.reduce(0) { $0 + counts[$1] }
      let count = filled.reduce(0) { $0 + held[index][$1] }
      guard count > 0, count < all else {
        return .interval(
          clopperPearsonInterval(
            successes: count == 0 ? 0 : filled.count, trials: filled.count, confidence: confidence))
      }
      return .interval(expandedInterval(replicates, traces: filled.count))
    }
  }

  /// Returns the totals of each row over the total of the divisors, for every draw.
  private func ratios(_ rows: [[Double]], over divisors: [Double]) -> [[Double]] {
    var random = SplitMix64(seed: seed)
    var ratios = rows.map { _ in [Double]() }
    var drawn = [Int](repeating: 0, count: divisors.count)
    for _ in 0..<resamples {
      for index in drawn.indices { drawn[index] = random.next(below: divisors.count) }
      let divisor = drawn.reduce(0) { $0 + divisors[$1] }
      for (index, row) in rows.enumerated() {
        ratios[index].append(drawn.reduce(0) { $0 + row[$1] } / divisor)
      }
    }
    return ratios
  }
}
