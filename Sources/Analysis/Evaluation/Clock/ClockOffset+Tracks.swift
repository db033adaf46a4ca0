import NumericalMethods

extension ClockOffset {
  /// The offset at which the truth is nearest to the estimates, in the mean of the distances; nil
  /// where no estimate has truth at all offsets that are tried, or the truth does not move.
  ///
  /// The mean distance is taken over the same estimates for every offset: those that have truth at
  /// all of them. It is tried every `step`, and refined by the parabola through the best and its
  /// neighbours.
  ///
  /// - Parameters:
  ///   - limit: the greatest offset that is tried either way, in seconds.
  ///   - step: in seconds.
  package init?(
    _ tracks: [EstimatedTrack], upTo limit: Double = 5, step: Double = 0.05,
    bootstrap: TraceBootstrap = TraceBootstrap()
  ) {
    precondition(limit >= step && step > 0, "offsets are tried in steps up to a limit")
    let reach = Int((limit / step).rounded(.down))
    let curves = tracks.map { DistanceCurve($0, reach: reach, step: step) }.filter { $0.count > 0 }
    let whole = Self.sum(curves)
    guard let best = Self.least(whole), let greatest = whole.max(),
      greatest - whole[best] > 1e-9 * greatest
    else { return nil }
    offset = Self.refined(whole, best, reach: reach) * step
    isAtTheEnd = best == 0 || best == 2 * reach
    let estimates = curves.reduce(0) { $0 + $1.count }
    func rms(_ index: Int) -> Double {
      (curves.reduce(0) { $0 + $1.squares[index] } / Double(estimates)).squareRoot()
    }
    rmsBefore = rms(reach)
    rmsAfter = rms(best)
    if let reason = bootstrap.reason(curves.count) {
      interval = .unavailable(reason)
      return
    }
    var random = SplitMix64(seed: bootstrap.seed)
    let replicates = (0..<bootstrap.resamples).map { _ in
      let drawn = Self.sum(curves.map { _ in curves[random.next(below: curves.count)] })
      return Self.refined(drawn, Self.least(drawn) ?? reach, reach: reach) * step
    }
    interval = .interval(bootstrap.expandedInterval(replicates, traces: curves.count))
  }

  /// The summed distances of all traces for every offset.
  private static func sum(_ curves: [DistanceCurve]) -> [Double] {
    guard var sum = curves.first?.distances else { return [] }
    for curve in curves.dropFirst() {
      for index in sum.indices { sum[index] += curve.distances[index] }
    }
    return sum
  }

  /// The place of the least value, of equal ones the one nearest to no offset.
  private static func least(_ values: [Double]) -> Int? {
    values.indices.min { a, b in
      (values[a], abs(a - values.count / 2)) < (values[b], abs(b - values.count / 2))
    }
  }

  /// Where the parabola through a least value and its neighbours is least, in steps from no offset.
  private static func refined(_ values: [Double], _ best: Int, reach: Int) -> Double {
    guard best > 0, best < values.count - 1 else { return Double(best - reach) }
    let (before, after) = (values[best - 1] - values[best], values[best + 1] - values[best])
    guard before + after > 0 else { return Double(best - reach) }
    return Double(best - reach) + (before - after) / (2 * (before + after))
  }
}
