public import NumericalMethods
import RealModule

/// The distance for a level on the fitted curve.
public struct DistanceAtLevel: Codable, Equatable, Sendable {
  /// The level, in dBm.
  public var level: Double
  /// The distance at which the curve has the level, in metres.
  public var distance: Double
  /// The 95 % interval of the distance at which the mean level is this one, in metres; `nil` if it
  /// is unbounded.
  public var interval: Interval?
  /// The 95 % interval of the distance at which one packet of this level was received, in metres;
  /// `nil` if it is unbounded.
  public var predictionInterval: Interval?

  private enum CodingKeys: String, CodingKey {
    case level = "rssi_dbm"
    case distance = "distance_m"
    case interval = "ci95_m"
    case predictionInterval = "prediction95_m"
  }

  /// Creates the distance at a level, in metres and dBm.
  public init(level: Double, distance: Double) {
    self.level = level
    self.distance = distance
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(level, forKey: .level)
    try values.encode(distance, forKey: .distance)
    try values.encode(interval, forKey: .interval)
    try values.encode(predictionInterval, forKey: .predictionInterval)
  }
}

/// The fitted line with its uncertainty, for conversion between distances and levels.
public struct FittedLine: Equatable, Sendable {
  /// The level at 1 m, in dBm.
  public var power: Double
  /// The path-loss exponent n in P - 10 n log10(d).
  public var exponent: Double
  /// The standard deviation of readings about the curve, dB.
  public var sigma: Double
  /// The variance of the level at 1 m, in dB².
  public var powerVariance: Double
  /// The variance of the exponent.
  public var exponentVariance: Double
  /// The covariance of the level at 1 m and the exponent, in dB.
  public var covariance: Double
  /// The quantile of Student's t for 95 %.
  public var quantile: Double

  /// Creates a line from its constants and their covariance.
  public init(
    power: Double, exponent: Double, sigma: Double, powerVariance: Double,
    exponentVariance: Double, covariance: Double, quantile: Double
  ) {
    (self.power, self.exponent, self.sigma) = (power, exponent, sigma)
    (self.powerVariance, self.exponentVariance) = (powerVariance, exponentVariance)
    (self.covariance, self.quantile) = (covariance, quantile)
  }

  /// Returns the level at a distance, with the half-widths in dB of its 95 % confidence interval
  /// and of the prediction interval of one packet.
  public func level(
    atDistance distance: Double
  ) -> (level: Double, confidence: Double, prediction: Double) {
    let x = logDistance(distance)
    let variance = max(powerVariance + 2 * x * covariance + x * x * exponentVariance, 0)
    return (
      power + exponent * x, quantile * variance.squareRoot(),
      quantile * (variance + sigma * sigma).squareRoot()
    )
  }

  /// Returns the distance at a level with Fieller's intervals: all distances whose level does not
  /// differ significantly from this one (Fieller 1954; Draper and Smith, "Applied regression
  /// analysis", 1998, section 3.2).
  ///
  /// - Parameter extraVariance: The variance in dB² of the predicted level in addition to the
  ///   curve's; `nil` for that of one packet.
  /// - Returns: The distance, or `nil` if the exponent is not above 0, because a level then gives
  ///   no distance.
  public func distance(
    atLevel level: Double, extraVariance: Double? = nil
  ) -> DistanceAtLevel? {
    guard exponent > 0 else { return nil }
    var answer = DistanceAtLevel(
      level: level, distance: Double.exp10((power - level) / (10 * exponent)))
    guard answer.distance.isFinite else { return nil }
    answer.interval = fieller(level, extra: 0)
    answer.predictionInterval = fieller(level, extra: extraVariance ?? sigma * sigma)
    return answer
  }

  private func fieller(_ level: Double, extra: Double) -> Interval? {
    let q = quantile * quantile
    let a = exponent * exponent - q * exponentVariance
    let b = exponent * (power - level) - q * covariance
    let c = (power - level) * (power - level) - q * (powerVariance + extra)
    let discriminant = b * b - a * c
    // If the exponent may be 0 the interval is unbounded.
    guard a > 0, discriminant >= 0 else { return nil }
    let root = discriminant.squareRoot()
    let interval = Interval(
      lower: Double.exp10(-(-b + root) / a / 10), upper: Double.exp10(-(-b - root) / a / 10))
    return interval.isFinite ? interval : nil
  }
}

extension PathLossGroup {
  /// The fitted line with its uncertainty; `nil` if a constant or its error is unknown, or the
  /// levels are not linear in log distance.
  public var line: FittedLine? {
    guard twoSlope == nil, walls == nil, let measuredPower, let exponent, let sigma, let powerError,
      let powerFreedom
    else { return nil }
    let freedom = min(powerFreedom, exponentFreedom ?? powerFreedom)
    return FittedLine(
      power: measuredPower, exponent: exponent, sigma: sigma,
      powerVariance: powerError * powerError,
      exponentVariance: (exponentError ?? 0) * (exponentError ?? 0),
      covariance: powerExponentCovariance ?? 0,
      quantile: StudentTDistribution(degreesOfFreedom: freedom).quantile(0.975))
  }
}
