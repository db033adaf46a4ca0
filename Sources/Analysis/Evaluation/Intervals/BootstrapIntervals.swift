public import NumericalMethods
import RealModule

// How the replicates of a bootstrap over few traces become an interval. The plain range of the
// middle 95 % holds the true value only 85 to 90 times of 100 with eight traces (docs/evaluation.md
// has the figures): their spread is too small by √((n - 1) / n), and is itself a guess.
extension TraceBootstrap {
  /// The interval of a positive quantity such as a length: Student's interval for its logarithm.
  ///
  /// exp(ln q ± t s √(n / (n - 1))) with s the standard deviation of the replicates' logarithms.
  /// Where a replicate is 0, so that it has no logarithm, q ± t s √(n / (n - 1)) instead, but not
  /// below 0.
  ///
  /// - Parameters:
  ///   - estimate: q.
  ///   - traces: n.
  func lengthInterval(about estimate: Double, replicates: [Double], traces: Int) -> Interval {
    let widening = widening(traces: traces)
    guard estimate > 0, replicates.allSatisfy({ $0 > 0 }) else {
      let half = widening * Self.deviation(replicates)
      return Interval(lower: max(0, estimate - half), upper: estimate + half)
    }
    let factor = Double.exp(widening * Self.deviation(replicates.map { Double.log($0) }))
    return Interval(lower: estimate / factor, upper: estimate * factor)
  }

  /// The interval of a quantity of either sign or a share: the range that holds the middle of the
  /// replicates, with tails as much smaller as Student's are to Gauss's.
  ///
  /// The expanded percentile interval of Hesterberg, "What Teachers Should Know About the
  /// Bootstrap", The American Statistician 69, 2015, section 4.2. It never leaves the range of what
  /// traces have.
  ///
  /// - Parameters:
  ///   - traces: how many there are.
  func expandedInterval(_ replicates: [Double], traces: Int) -> Interval {
    let widening = widening(traces: traces)
    let tail = NormalDistribution.below(-widening)
    let sample = SortedSample(replicates)
    // A bootstrap draws at least twice.
    return Interval(lower: sample.quantile(tail)!, upper: sample.quantile(1 - tail)!)
  }

  /// Half the width of Student's interval for n traces, in standard deviations of the replicates:
  /// t √(n / (n - 1)).
  private func widening(traces: Int) -> Double {
    StudentTDistribution(degreesOfFreedom: Double(traces - 1)).quantile((1 + confidence) / 2)
      * (Double(traces) / Double(traces - 1)).squareRoot()
  }

  /// 0 for values that are all the same, to the last digit.
  private static func deviation(_ values: [Double]) -> Double {
    let first = values[0]
    let count = Double(values.count)
    let mean = values.reduce(0) { $0 + ($1 - first) / count }
    let squares = values.reduce(0) { $0 + ($1 - first - mean) * ($1 - first - mean) }
    return (squares / (count - 1)).squareRoot()
  }
}

/// A confidence interval, or why there is none.
public enum IntervalOutcome: Equatable, Sendable {
  /// The interval.
  case interval(Interval)
  /// No interval, with the reason.
  case unavailable(Reason)

  /// The reason why there is no interval.
  public enum Reason: Equatable, Sendable, CustomStringConvertible {
    /// So many traces have values, fewer than are needed to see how traces vary.
    case tooFewTraces(Int, needed: Int)

    /// One sentence for a reader: what is missing, and what to do.
    public var description: String {
      switch self {
      case .tooFewTraces(let count, let needed):
        "no interval: \(count) of the traces have answers, and the variation between traces needs "
          + "at least \(needed); record more traces"
      }
    }
  }

  /// The interval, or nil.
  public var interval: Interval? {
    if case .interval(let interval) = self { interval } else { nil }
  }
}
