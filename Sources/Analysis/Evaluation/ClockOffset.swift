package import Geometry
import NumericalMethods
import Positioning

/// The offset between two clocks, estimated from positions and ground truth. Times are in seconds.
package struct ClockOffset: Equatable, Sendable {
  /// The offset to add to the times of the truth for the best fit to the estimates: positive if the
  /// estimates are behind the truth.
  package var offset: Double
  /// The confidence interval over traces.
  package var interval: IntervalOutcome
  /// The root mean square error without and with the offset, in metres.
  package var rmsBefore: Double
  package var rmsAfter: Double
  /// A Boolean value that is true if the best offset is at the limit of the search, so that the
  /// true one may be beyond.
  package var isAtTheEnd: Bool
}

extension ClockOffset {
  /// Creates the offset of answers behind the truth at the requested times, if the truth's motion
  /// is known.
  init?(
    lagOf answered: [[AnsweredQuestion]], behind traces: [EvaluatedTrace], bootstrap: TraceBootstrap
  ) {
    let tracks = zip(answered, traces).map { answered, trace in
      EstimatedTrack(
        estimates: answered.filter { $0.question.velocity != nil }
          .map { .init(time: $0.question.asked, position: $0.estimate.position) },
        truth: TruthPath(
          trace.questions.filter { $0.velocity != nil }.map {
            .init(time: $0.asked, position: $0.truth)
          }))
    }
    self.init(tracks, bootstrap: bootstrap)
  }
}

extension ClockOffset {
  /// Estimates the offset that minimises the mean distance between truth and estimates, or returns
  /// `nil` if no estimate has truth at all tried offsets, or the truth does not move.
  ///
  /// The mean distance is taken over the same estimates for every offset: those with truth at all
  /// of them. The search uses steps of `step`, and a parabola through the best offset and its
  /// neighbours.
  ///
  /// - Parameters:
  ///   - limit: The largest offset in either direction, in seconds.
  ///   - step: The step of the search, in seconds.
  package init?(
    _ tracks: [EstimatedTrack], upTo limit: Double = 5, step: Double = 0.05,
    bootstrap: TraceBootstrap = TraceBootstrap()
  ) {
    precondition(limit >= step && step > 0, "expected a positive step up to the limit")
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
    interval = .interval(
      bootstrap.expandedInterval(
        replicates, widening: bootstrap.widening(units: curves.count)))
  }

  /// Returns the summed distances of all traces for every offset.
  private static func sum(_ curves: [DistanceCurve]) -> [Double] {
    guard var sum = curves.first?.distances else { return [] }
    for curve in curves.dropFirst() {
      for index in sum.indices { sum[index] += curve.distances[index] }
    }
    return sum
  }

  /// Returns the index of the least value; if several tie, the one nearest to no offset.
  private static func least(_ values: [Double]) -> Int? {
    values.indices.min { a, b in
      (values[a], abs(a - values.count / 2)) < (values[b], abs(b - values.count / 2))
    }
  }

  /// Returns the minimum of the parabola through a least value and its neighbours, in steps from no
  /// offset.
  private static func refined(_ values: [Double], _ best: Int, reach: Int) -> Double {
    guard best > 0, best < values.count - 1 else { return Double(best - reach) }
    let (before, after) = (values[best - 1] - values[best], values[best + 1] - values[best])
    guard before + after > 0 else { return Double(best - reach) }
    return Double(best - reach) + (before - after) / (2 * (before + after))
  }
}

/// The distances of the truth from the estimates of one trace, for every offset of its clock.
struct DistanceCurve {
  /// The number of estimates with truth at every offset.
  private(set) var count = 0
  /// The sums over them of the distance in metres, and of its square, from the most negative offset
  /// on.
  private(set) var distances: [Double]
  private(set) var squares: [Double]

  init(_ track: EstimatedTrack, reach: Int, step: Double) {
    distances = Array(repeating: 0, count: 2 * reach + 1)
    squares = distances
    guard let span = track.truth.span else { return }
    let shifts = (-reach...reach).map { Int64((Double($0) * step * 1e9).rounded()) }
    for estimate in track.estimates {
      guard span.contains(estimate.time - shifts[2 * reach]),
        span.contains(estimate.time - shifts[0])
      else { continue }
      count += 1
      for (index, shift) in shifts.enumerated() {
        guard let truth = track.truth.position(at: estimate.time - shift) else { continue }
        let distance = estimate.position.distance(to: truth)
        distances[index] += distance
        squares[index] += distance * distance
      }
    }
  }
}

/// The estimates of one target in one trace, with its true track by another clock.
package struct EstimatedTrack: Equatable, Sendable {
  /// An estimate with its time, in nanoseconds.
  package struct Place: Equatable, Sendable {
    package var time: Int64
    package var position: Point

    package init(time: Int64, position: Point) {
      self.time = time
      self.position = position
    }
  }

  package var estimates: [Place]
  package var truth: TruthPath

  package init(estimates: [Place], truth: TruthPath) {
    self.estimates = estimates
    self.truth = truth
  }
}
