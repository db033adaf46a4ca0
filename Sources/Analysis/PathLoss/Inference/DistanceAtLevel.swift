public import NumericalMethods
import RealModule

/// The distance that a level means, by the fitted curve.
public struct DistanceAtLevel: Codable, Equatable, Sendable {
  /// The level, dBm.
  public var level: Double
  /// The distance at which the curve has the level, metres.
  public var distance: Double
  /// The 95 % interval of the distance at which the mean level is this one, in metres; nil if it
  /// has no end.
  public var interval: Interval?
  /// The 95 % interval of the distance at which one packet of this level was received, in metres;
  /// nil if it has no end.
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

/// The fitted line with its uncertainty, for reading distances off levels and levels off distances.
public struct FittedLine: Equatable, Sendable {
  /// The level at 1 m, dBm.
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

  /// Returns the level at a distance, with half of its 95 % confidence interval and of the interval
  /// of one packet, in dB.
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

  /// Returns the distance at a level with Fieller's intervals: all distances whose level differs
  /// from this one by no more than chance allows (Fieller 1954; Draper and Smith, "Applied
  /// regression analysis", 1998, section 3.2).
  ///
  /// - Parameter extraVariance: in dB², of the level that the prediction is for, besides the
  ///   curve's own; nil = that of one packet.
  /// - Returns: nil where the exponent is not above 0, since a level then means no distance.
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
    // Where the exponent may be 0 the interval has no end.
    guard a > 0, discriminant >= 0 else { return nil }
    let root = discriminant.squareRoot()
    let interval = Interval(
      lower: Double.exp10(-(-b + root) / a / 10), upper: Double.exp10(-(-b - root) / a / 10))
    return interval.isFinite ? interval : nil
  }
}

extension PathLossGroup {
  /// The fitted line with its uncertainty; nil where a constant or its error is not known, or where
  /// levels are not a line of log distance.
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
