/// A range that a number is believed to lie in.
public struct Interval: Equatable, Sendable {
  public var lower: Double
  public var upper: Double

  public init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }
}

/// A confidence interval, or why there is none.
public enum IntervalOutcome: Equatable, Sendable {
  case interval(Interval)
  case unavailable(Reason)

  /// Why there is no interval.
  public enum Reason: Equatable, Sendable, CustomStringConvertible {
    /// So many traces have values, fewer than the variation between traces can be drawn from.
    case tooFewTraces(Int)

    public var description: String {
      switch self {
      case .tooFewTraces(let count):
        "no interval: \(count) of the traces have answers, and the variation between traces needs at "
          + "least \(TraceBootstrap.fewestTraces); record more traces"
      }
    }
  }

  /// The interval, or nil.
  public var interval: Interval? {
    if case .interval(let interval) = self { interval } else { nil }
  }
}
