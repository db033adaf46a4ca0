import NumericalMethods

extension TraceBootstrap {
  /// Returns the interval of a ratio of lengths or their squares, see
  /// ``lengthInterval(about:replicates:widening:)``.
  ///
  /// - Parameters:
  ///   - sums: The sum of each trace, not negative.
  ///   - divisors: The divisor of each trace; traces with 0 do not count.
  func ratioInterval(_ sums: [Double], over divisors: [Double]) -> IntervalOutcome {
    intervals([sums], over: divisors) { ratio in
      lengthInterval(
        about: ratio.estimate, replicates: ratio.replicates, widening: ratio.widening)
    }[0]
  }

  /// Returns the interval of a mean of either sign, see
  /// ``studentizedInterval(about:ratios:units:)``; for blocks of several traces, whose draws have no
  /// simple standard error, see ``expandedInterval(_:widening:)``.
  ///
  /// - Parameters:
  ///   - sums: The sum of each trace.
  ///   - counts: The number of values of each trace; traces without any do not count.
  func meanInterval(_ sums: [Double], of counts: [Int]) -> IntervalOutcome {
    let filled = counts.indices.filter { counts[$0] > 0 }
    if let reason = reason(filled.count) { return .unavailable(reason) }
    let units = units(filled)
    guard units.independent == units.count else {
      return intervals([sums], over: counts.map(Double.init)) { mean in
        expandedInterval(mean.replicates, widening: mean.widening)
      }[0]
    }
    let (sums, counts) = (filled.map { sums[$0] }, filled.map { Double(counts[$0]) })
    func mean(_ times: [Double]) -> (value: Double, error: Double) {
      let total = dot(times, counts)
      let value = dot(times, sums) / total
      let squares = times.indices.reduce(0) {
        $0 + times[$1] * (sums[$1] - value * counts[$1]) * (sums[$1] - value * counts[$1])
      }
      let number = Double(times.count)
      return (value, (number / (number - 1) * squares).squareRoot() / total)
    }
    let estimate = mean(sums.map { _ in 1 })
    // Equal traces leave rounding only.
    guard estimate.error > 1e-12 * abs(estimate.value) else {
      return .interval(Interval(lower: estimate.value, upper: estimate.value))
    }
    var random = SplitMix64(seed: seed)
    let ratios = (0..<resamples).map { _ in
      let drawn = mean(units.draw(from: &random).map(Double.init))
      let difference = drawn.value - estimate.value
      return difference == 0 ? 0 : difference / drawn.error
    }
    return .interval(
      studentizedInterval(about: estimate, ratios: ratios, units: units.independent))
  }

  /// Returns the intervals of some shares of the same values, see
  /// ``shareInterval(about:replicates:widening:)``.
  ///
  /// If all values count, or none, every draw is identical and carries no information. The result
  /// is then the Clopper–Pearson interval of as many independent trials as there are traces,
  /// because the values of one trace may be correlated.
  ///
  /// - Parameters:
  ///   - held: For each share, the number of each trace's values that count.
  ///   - counts: The number of values per trace; traces without any do not count.
  func shareIntervals(_ held: [[Int]], of counts: [Int]) -> [IntervalOutcome] {
    intervals(held.map { $0.map(Double.init) }, over: counts.map(Double.init)) { share in
      guard share.estimate > 0, share.estimate < 1 else {
        return clopperPearsonInterval(
          successes: share.estimate > 0 ? share.units : 0, trials: share.units,
          confidence: confidence)
      }
      return shareInterval(
        about: share.estimate, replicates: share.replicates, widening: share.widening)
    }
  }

  /// A ratio of sums, drawn many times.
  private struct DrawnRatio {
    var estimate: Double
    var replicates: [Double]
    var widening: Double
    /// The number of independent units.
    var units: Int
  }

  /// Returns an interval of the total of each row over the total of the divisors.
  private func intervals(
    _ rows: [[Double]], over divisors: [Double], _ interval: (DrawnRatio) -> Interval
  ) -> [IntervalOutcome] {
    let filled = divisors.indices.filter { divisors[$0] > 0 }
    if let reason = reason(filled.count) { return rows.map { _ in .unavailable(reason) } }
    let units = units(filled)
    let divisors = filled.map { divisors[$0] }
    let rows = rows.map { row in filled.map { row[$0] } }
    let replicates = ratios(rows, over: divisors, units)
    let all = divisors.reduce(0, +)
    return rows.indices.map { index in
      let estimate = rows[index].reduce(0, +) / all
      let deviations = zip(rows[index], divisors).map { $0 - estimate * $1 }
      return .interval(
        interval(
          DrawnRatio(
            estimate: estimate, replicates: replicates[index],
            widening: widening(
              units: units.independent, freedom: units.freedom(deviations)),
            units: units.independent)))
    }
  }

  /// Returns the totals of each row over the total of the divisors, for every draw.
  private func ratios(
    _ rows: [[Double]], over divisors: [Double], _ units: ResampledUnits
  ) -> [[Double]] {
    var random = SplitMix64(seed: seed)
    var ratios = rows.map { _ in [Double]() }
    for _ in 0..<resamples {
      let times = units.draw(from: &random).map(Double.init)
      let divisor = dot(times, divisors)
      for (index, row) in rows.enumerated() { ratios[index].append(dot(times, row) / divisor) }
    }
    return ratios
  }
}
