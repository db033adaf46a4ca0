public import NumericalMethods
import RealModule

// Intervals from the replicates of a bootstrap over few traces. The plain percentile interval
// covers only 85 to 90 % with eight traces instead of 95 % (see docs/evaluation.md), because its
// spread is too small by √((n - 1) / n), and is itself uncertain. Their half width is therefore
// t √(n / (n - 1)) standard deviations of the replicates.
extension TraceBootstrap {
  /// Returns the interval of a positive quantity such as a length: Student's interval of its
  /// logarithm.
  ///
  /// exp(ln q ± h s) with s the standard deviation of the replicates' logarithms. If a replicate is
  /// 0, and has no logarithm, it is q ± h s instead, but not below 0.
  ///
  /// - Parameters:
  ///   - estimate: The estimate q.
  ///   - widening: The half width h in standard deviations.
  func lengthInterval(about estimate: Double, replicates: [Double], widening: Double) -> Interval {
    guard estimate > 0, replicates.allSatisfy({ $0 > 0 }) else {
      let half = widening * Self.deviation(replicates)
      return Interval(lower: max(0, estimate - half), upper: estimate + half)
    }
    let factor = Double.exp(widening * Self.deviation(replicates.map { Double.log($0) }))
    return Interval(lower: estimate / factor, upper: estimate * factor)
  }

  /// Returns the interval of a share: Student's interval of its logit.
  ///
  /// ln(p / (1 - p)) ± h s / (p (1 - p)) with s the standard deviation of the replicates. In
  /// simulated evaluations it covers shares from 0.1 to 0.95 more often than the expanded
  /// percentile interval, which is too short near 0 and 1.
  ///
  /// - Parameters:
  ///   - share: The estimate p, above 0 and below 1.
  ///   - widening: The half width h in standard deviations.
  func shareInterval(about share: Double, replicates: [Double], widening: Double) -> Interval {
    let odds = share / (1 - share)
    let factor = Double.exp(widening * Self.deviation(replicates) / (share * (1 - share)))
    return Interval(lower: odds / (odds + factor), upper: 1 - 1 / (1 + odds * factor))
  }

  /// Returns the interval of a quantity of either sign: a percentile interval of the replicates
  /// with tails reduced in the ratio of Student's to the normal.
  ///
  /// The expanded percentile interval of Hesterberg, "What Teachers Should Know About the
  /// Bootstrap", The American Statistician 69, 2015, section 4.2. It never leaves the range of the
  /// traces' values.
  ///
  /// - Parameter widening: The half width of the normal interval, in standard deviations.
  func expandedInterval(_ replicates: [Double], widening: Double) -> Interval {
    let tail = NormalDistribution.below(-widening)
    let sample = SortedSample(replicates)
    // A bootstrap draws at least twice.
    return Interval(lower: sample.quantile(tail)!, upper: sample.quantile(1 - tail)!)
  }

  /// Returns the interval of a quantity of either sign from Student's ratios of the replicates
  /// (bootstrap-t): (q* − q) / s*, with the standard error s* of each replicate.
  ///
  /// A mean of skewed values has a standard error that grows with it. Percentiles of the replicates
  /// ignore that, and the interval ends too early on the side of the long tail; the ratios contain
  /// it (Davison & Hinkley, section 5.2.1). Tails are those of the normal distribution beyond
  /// √(n / (n - 1)) of its quantile, because n drawn units vary less than n new ones.
  ///
  /// - Parameters:
  ///   - estimate: The estimate q with its standard error.
  ///   - ratios: The ratio of each replicate; infinite for one without variation.
  ///   - count: The number n of independent units.
  func studentizedInterval(
    about estimate: (value: Double, error: Double), ratios: [Double], units count: Int
  ) -> Interval {
    let count = Double(count)
    let tail = NormalDistribution.below(
      -NormalDistribution.quantile((1 + confidence) / 2) * (count / (count - 1)).squareRoot())
    let sample = SortedSample(ratios)
    return Interval(
      lower: estimate.value - estimate.error * sample.quantile(1 - tail)!,
      upper: estimate.value - estimate.error * sample.quantile(tail)!)
  }

  /// Returns half the width of Student's interval for n independent units, in standard deviations
  /// of the replicates: t √(n / (n - 1)).
  ///
  /// - Parameter freedom: The degrees of freedom of t; `nil` for n - 1.
  func widening(units count: Int, freedom: Double? = nil) -> Double {
    let count = Double(count)
    return StudentTDistribution(degreesOfFreedom: freedom ?? count - 1)
      .quantile((1 + confidence) / 2) * (count / (count - 1)).squareRoot()
  }

  /// Returns the standard deviation, exactly 0 for values that are all equal.
  private static func deviation(_ values: [Double]) -> Double {
    let first = values[0]
    let count = Double(values.count)
    let mean = values.reduce(0) { $0 + ($1 - first) / count }
    let squares = values.reduce(0) { $0 + ($1 - first - mean) * ($1 - first - mean) }
    return (squares / (count - 1)).squareRoot()
  }
}

/// A confidence interval, or the reason why there is none.
public enum IntervalOutcome: Equatable, Sendable {
  /// The interval.
  case interval(Interval)
  /// No interval, with the reason.
  case unavailable(Reason)

  /// The reason why there is no interval.
  public enum Reason: Equatable, Sendable, CustomStringConvertible {
    /// Too few traces with values to estimate the variation between traces.
    case tooFewTraces(Int, needed: Int)

    /// One sentence for a reader: the problem, and the remedy.
    public var description: String {
      switch self {
      case .tooFewTraces(let count, let needed):
        "no interval: \(count) \(count == 1 ? "trace has" : "traces have") answers, which is too "
          + "few (at least \(needed)); record more traces"
      }
    }
  }

  /// The interval, or `nil` if there is none.
  public var interval: Interval? {
    if case .interval(let interval) = self { interval } else { nil }
  }
}
