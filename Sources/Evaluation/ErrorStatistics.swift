/// How large an algorithm's errors are, and how often it answers. Lengths in metres.
public struct ErrorStatistics: Equatable, Sendable {
  /// The moments and quantiles of the errors of answered epochs.
  public struct Summary: Equatable, Sendable {
    public var mean: Double
    /// Root of the mean square: one wild answer outweighs many good ones.
    public var rms: Double
    public var median: Double
    public var p75: Double
    public var p90: Double
    public var p95: Double
    public var max: Double
  }

  /// Epochs at which a position was asked.
  public var asked: Int
  /// Epochs at which it was given.
  public var answered: Int
  /// Nil where no epoch was answered.
  public var errors: Summary?

  /// The share of epochs that were answered; 0 where none was asked.
  public var availability: Double { asked > 0 ? Double(answered) / Double(asked) : 0 }

  /// - Parameters:
  ///   - errors: the distance from the truth for each answered epoch.
  ///   - asked: how many epochs there were in all.
  public init(errors: [Double], asked: Int) {
    self.asked = asked
    answered = errors.count
    let sample = SortedSample(errors)
    guard let max = sample.values.last, let median = sample.quantile(0.5),
      let p75 = sample.quantile(0.75), let p90 = sample.quantile(0.9),
      let p95 = sample.quantile(0.95)
    else { return }
    let count = Double(errors.count)
    let mean = errors.reduce(0) { $0 + $1 / count }
    let meanSquare = errors.reduce(0) { $0 + $1 * $1 / count }
    self.errors = Summary(
      mean: mean, rms: meanSquare.squareRoot(), median: median, p75: p75, p90: p90, p95: p95,
      max: max)
  }
}
