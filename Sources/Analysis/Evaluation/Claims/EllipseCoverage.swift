package import NumericalMethods

/// How often the truth is inside the ellipses that an algorithm claims to hold it with a
/// probability.
package struct EllipseCoverage: Equatable, Sendable {
  /// The claimed probability.
  package var claimed: Double
  /// Answers with a covariance.
  package var count: Int
  /// Those whose ellipse holds the truth.
  package var held: Int
  /// The Clopper–Pearson interval at 95 %: exact where answers are independent trials, too short
  /// where neighbouring ones resemble each other.
  package var exact: Interval
  /// The confidence interval over traces.
  package var byTrace: IntervalOutcome

  /// The share that holds the truth.
  package var share: Double { Double(held) / Double(count) }
}
