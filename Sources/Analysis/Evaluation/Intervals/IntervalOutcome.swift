public import NumericalMethods

/// A confidence interval, or why there is none.
public enum IntervalOutcome: Equatable, Sendable {
  case interval(Interval)
  case unavailable(Reason)

  /// Why there is no interval.
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
