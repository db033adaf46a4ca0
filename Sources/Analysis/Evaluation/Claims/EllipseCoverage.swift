public import NumericalMethods

/// How often the truth is inside the ellipses that an algorithm claims to hold it with a
/// probability.
public struct EllipseCoverage: Equatable, Sendable {
  /// The claimed probability.
  public var claimed: Double
  /// Answers with a covariance.
  public var count: Int
  /// Those whose ellipse holds the truth.
  public var held: Int
  /// The Clopper–Pearson interval at 95 %: exact where answers are independent trials, too short
  /// where neighbouring ones resemble each other.
  public var exact: Interval
  /// The confidence interval over traces.
  public var byTrace: IntervalOutcome

  /// The share that holds the truth.
  public var share: Double { Double(held) / Double(count) }
}
