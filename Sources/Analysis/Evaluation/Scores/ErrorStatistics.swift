/// The size of an algorithm's errors, and the share of answered questions; lengths are in metres.
public struct ErrorStatistics: Equatable, Sendable {
  /// The number of questions.
  public var asked: Int
  /// The number of questions that were answered with a position.
  public var answered: Int
  /// The summary of the errors; `nil` if no question was answered.
  public var errors: ErrorSummary?

  /// The share of questions that were answered; 0 without questions.
  public var availability: Double { asked > 0 ? Double(answered) / Double(asked) : 0 }

  /// Creates the statistics of an algorithm's errors.
  ///
  /// - Parameters:
  ///   - errors: The distance from the truth, per answered question.
  ///   - asked: The number of all questions.
  public init(errors: [Double], asked: Int) {
    self.asked = asked
    answered = errors.count
    self.errors = ErrorSummary(errors)
  }
}

/// The moments and quantiles of the lengths of some errors, in metres.
public struct ErrorSummary: Equatable, Sendable {
  /// The mean, in metres.
  public var mean: Double
  /// The root mean square, which outliers dominate.
  public var rms: Double
  /// The median, in metres.
  public var median: Double
  /// The 67th percentile, in metres.
  public var p67: Double
  /// The 75th percentile, in metres.
  public var p75: Double
  /// The 90th percentile, in metres.
  public var p90: Double
  /// The 95th percentile, in metres.
  public var p95: Double
  /// The largest error, in metres.
  public var max: Double

  /// Creates the summary of some lengths in metres, or returns `nil` if there are none.
  public init?(_ errors: [Double]) { self.init(SortedSample(errors)) }

  /// Creates the summary in linear time, or returns `nil` if there are no errors.
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

/// The figure of the error distribution by which algorithms are ranked and compared.
public enum ErrorFigure: String, CaseIterable, Equatable, Sendable {
  /// The mean error.
  case mean
  /// The median error.
  case median
  /// The 75th percentile of the errors.
  case p75
  /// The 95th percentile of the errors.
  case p95

  /// Returns the figure of a summary, in metres.
  public func of(_ summary: ErrorSummary) -> Double {
    switch self {
    case .mean: summary.mean
    case .median: summary.median
    case .p75: summary.p75
    case .p95: summary.p95
    }
  }
}

/// The confidence intervals over traces of the figures of an algorithm's horizontal error, in
/// metres.
public struct ErrorIntervals: Equatable, Sendable {
  /// The interval of the mean, in metres.
  public var mean: IntervalOutcome
  /// The interval of the median, in metres.
  public var median: IntervalOutcome
  /// The interval of the 75th percentile, in metres.
  public var p75: IntervalOutcome
  /// The interval of the 95th percentile, in metres.
  public var p95: IntervalOutcome

  /// Returns the interval of a figure.
  public func of(_ figure: ErrorFigure) -> IntervalOutcome {
    switch figure {
    case .mean: mean
    case .median: median
    case .p75: p75
    case .p95: p95
    }
  }
}

extension ErrorIntervals {
  /// - Parameters:
  ///   - errors: The horizontal errors of each trace.
  init(_ errors: [[Double]], bootstrap: TraceBootstrap) {
    let drawn = bootstrap.meanAndQuantileIntervals([0.5, 0.75, 0.95], traces: errors)
    mean = drawn.mean
    (median, p75, p95) = (drawn.quantiles[0], drawn.quantiles[1], drawn.quantiles[2])
  }
}
