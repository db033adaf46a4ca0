/// How large an algorithm's errors are, and how often it answers. Lengths in metres.
public struct ErrorStatistics: Equatable, Sendable {
  /// Questions that were asked.
  public var asked: Int
  /// Questions that were answered with a position.
  public var answered: Int
  /// Nil where no question was answered.
  public var errors: ErrorSummary?

  /// The share of questions that were answered; 0 where none was asked.
  public var availability: Double { asked > 0 ? Double(answered) / Double(asked) : 0 }

  /// - Parameters:
  ///   - errors: the distance from the truth for each answered question.
  ///   - asked: how many questions there were in all.
  public init(errors: [Double], asked: Int) {
    self.asked = asked
    answered = errors.count
    self.errors = ErrorSummary(errors)
  }
}

/// The moments and quantiles of the lengths of some errors, in metres.
public struct ErrorSummary: Equatable, Sendable {
  public var mean: Double
  /// Root of the mean square: one wild answer outweighs many good ones.
  public var rms: Double
  public var median: Double
  public var p67: Double
  public var p75: Double
  public var p90: Double
  public var p95: Double
  public var max: Double

  /// Nil without errors.
  public init?(_ errors: [Double]) { self.init(SortedSample(errors)) }

  /// Nil without errors. Linear in them.
  package init?(_ sample: SortedSample) {
    guard let max = sample.values.last, let median = sample.quantile(0.5),
      let p67 = sample.quantile(0.67), let p75 = sample.quantile(0.75),
      let p90 = sample.quantile(0.9), let p95 = sample.quantile(0.95)
    else { return nil }
    let count = Double(sample.values.count)
    mean = sample.values.reduce(0) { $0 + $1 / count }
    rms = sample.values.reduce(0) { $0 + $1 * $1 / count }.squareRoot()
    (self.median, self.p67, self.p75, self.p90, self.p95, self.max) = (
      median, p67, p75, p90, p95, max
    )
  }
}
