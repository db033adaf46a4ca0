internal import NumericalMethods
import RealModule

/// Bootstrap intervals from resampling positions.
///
/// Bias-corrected and accelerated (Efron 1987; Efron and Tibshirani, "An introduction to the
/// bootstrap", 1993, section 14.3); whole positions are drawn, because packets of one position are
/// not independent. Deterministic for a seed. Complexity: one fit per draw and one per position.
struct PositionBootstrap {
  var draws: Int
  var seed: UInt64
  /// A closure that receives the number of completed draws.
  var drawn: (Int) -> Void = { _ in }

  /// The smallest number of positions; the draws of fewer are mostly repetitions.
  static let fewestPositions = 5
  /// The smallest number of positions for an interval of sigma: of six, it contains the true sigma
  /// in half of 600 simulations, because squares of few positions seldom contain the tails.
  static let fewestPositionsOfDeviation = 12

  /// - Returns: `nil` for fewer positions than ``fewestPositions``.
  func intervals(
    _ observations: Observations, _ fit: LinearFit, _ estimator: any LinearEstimator,
    _ design: Design
  ) -> BootstrapIntervals? {
    let count = observations.clusterCount
    guard count >= Self.fewestPositions else { return nil }
    var generator = SplitMix64(seed: seed)
    var drawn: [[Double]] = []
    var failed = 0
    for draw in 0..<draws {
      var times = [Double](repeating: 0, count: count)
      for _ in 0..<count { times[Int.random(in: 0..<count, using: &generator)] += 1 }
      if let constants = constants(observations.drawn(times), estimator, design) {
        drawn.append(constants)
      } else {
        failed += 1
      }
      self.drawn(draw + 1)
    }
    var intervals = BootstrapIntervals(replicates: drawn.count, failed: failed)
    guard drawn.count >= 100 else { return intervals }
    let without = (0..<count).compactMap { left in
      constants(
        observations.drawn((0..<count).map { $0 == left ? 0 : 1 }), estimator, design)
    }
    let whole = own(observations, fit, design)
    func interval(_ index: Int) -> Interval? {
      Self.corrected(drawn.map { $0[index] }, at: whole[index], without: without.map { $0[index] })
    }
    intervals.measuredPower = interval(0)
    intervals.exponent = design.index(of: .exponent) == nil ? nil : interval(1)
    intervals.sigma = count < Self.fewestPositionsOfDeviation ? nil : interval(2)
    return intervals
  }

  private func constants(
    _ observations: Observations, _ estimator: any LinearEstimator, _ design: Design
  ) -> [Double]? {
    guard let fit = try? estimator.fit(observations), fit.hasConverged else { return nil }
    let constants = own(observations, fit, design)
    return constants.allSatisfy(\.isFinite) ? constants : nil
  }

  private func own(_ observations: Observations, _ fit: LinearFit, _ design: Design) -> [Double] {
    let coefficients = observations.uncentring * fit.coefficients
    return [coefficients[0], design.exponent(coefficients) ?? 0, fit.sigma]
  }

  /// Returns the interval between the quantiles corrected for bias and acceleration.
  private static func corrected(
    _ drawn: [Double], at whole: Double, without: [Double]
  ) -> Interval? {
    let sorted = drawn.sorted()
    let count = Double(sorted.count)
    let below = Double(sorted.count { $0 < whole }) + 0.5 * Double(sorted.count { $0 == whole })
    guard below > 0, below < count, without.count > 2 else { return nil }
    let bias = NormalDistribution.quantile(below / count)
    let mean = without.reduce(0, +) / Double(without.count)
    let cubes = without.reduce(0) { $0 + (mean - $1) * (mean - $1) * (mean - $1) }
    let squares = without.reduce(0) { $0 + (mean - $1) * (mean - $1) }
    let acceleration = squares > 0 ? cubes / (6 * squares * squares.squareRoot()) : 0
    func end(_ probability: Double) -> Double {
      let z = bias + NormalDistribution.quantile(probability)
      let adjusted = NormalDistribution.below(bias + z / (1 - acceleration * z))
      let place = adjusted * (count - 1)
      let low = min(max(Int(place), 0), sorted.count - 1)
      let high = min(low + 1, sorted.count - 1)
      return sorted[low] + (place - Double(low)) * (sorted[high] - sorted[low])
    }
    return Interval(lower: end(0.025), upper: end(0.975))
  }
}
