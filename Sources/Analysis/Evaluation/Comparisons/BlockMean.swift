import NumericalMethods

/// The mean of the differences of blocks of several traces, with the variance between and within
/// traces.
///
/// Blocks of a trace share what is particular to it, so neither signs nor ranks of blocks may be
/// flipped one by one. Student's t with Satterthwaite's degrees of freedom takes their place, see
/// ``ResampledUnits``. In simulated evaluations without a difference it is significant in at most
/// 6 % of those with three traces and 11 % of those with two, and flipped blocks in up to 40 %.
struct BlockMean {
  let mean: Double
  /// The standard error of the mean.
  let error: Double
  private let distribution: StudentTDistribution

  /// Returns `nil` if the units are traces or blocks of one trace, or if nothing varies.
  ///
  /// - Parameters:
  ///   - values: The difference of each block.
  ///   - owners: The trace of each block; `nil` if the values are of whole traces.
  init?(_ values: [Double], owners: [Int]?) {
    let units = ResampledUnits(count: values.count, owners: owners)
    guard units.independent < units.count else { return nil }
    let mean = values.reduce(0, +) / Double(values.count)
    let deviations = values.map { $0 - mean }
    let variance = units.variance(deviations)
    guard variance > 0 else { return nil }
    self.mean = mean
    error = variance.squareRoot() / Double(values.count)
    distribution = StudentTDistribution(degreesOfFreedom: units.freedom(deviations))
  }

  /// The two-sided p-value against a mean of 0.
  var p: Double { 2 * distribution.above(abs(mean) / error) }

  /// Returns the one-sided p-value against a mean of at most a bound.
  func p(above bound: Double) -> Double { distribution.above((mean - bound) / error) }

  /// Returns the one-sided p-value against a mean of at least a bound.
  func p(below bound: Double) -> Double { distribution.below((mean - bound) / error) }

  /// Returns the confidence interval of the mean.
  func interval(confidence: Double) -> IntervalOutcome {
    let half = distribution.quantile((1 + confidence) / 2) * error
    return .interval(Interval(lower: mean - half, upper: mean + half))
  }
}
