public import NumericalMethods

/// The fitted constants of one group of readings, with their uncertainty.
///
/// What could not be determined is nil, and a diagnostic shows why.
public struct PathLossGroup: Equatable, Sendable {
  /// The group's name: a beacon, a receiver, a series, several of them joined by "/", or "pooled".
  public var key: String
  public var beacon: String?
  public var receiver: String?
  public var series: String?
  /// RSSI at 1 m, dBm.
  public var measuredPower: Double?
  public var exponent: Double?
  /// Standard deviation of the readings about the curve, dB.
  public var sigma: Double?
  /// The root mean square of the residuals, less a degree of freedom for each coefficient, dB: what
  /// other programs call sigma, which is too small where positions have several readings.
  public var residualDeviation: Double?
  public var samples: Int
  public var positions: Int
  /// How many different distances the readings have.
  public var distances: Int = 0
  /// Nearest and farthest distance, metres.
  public var distanceRange: Interval?
  /// Standard error of the measured power, dB.
  public var powerError: Double?
  /// Standard error of the exponent.
  public var exponentError: Double?
  /// Covariance of measured power and exponent, dB.
  public var powerExponentCovariance: Double?
  /// What the standard errors take as independent.
  public var errorBasis: ErrorBasis?
  /// Degrees of freedom of Student's t in the intervals.
  public var powerFreedom: Double?
  public var exponentFreedom: Double?
  /// 95 % confidence intervals: dBm, none, dB.
  public var powerInterval: Interval?
  public var exponentInterval: Interval?
  public var sigmaInterval: Interval?
  /// Standard deviation of what all readings of a position share, and of single readings about it,
  /// dB.
  public var positionDeviation: Double?
  public var packetDeviation: Double?
  /// Standard deviation of a packet's own error, which packets that follow each other do not share,
  /// dB: half the mean squared difference of successive packets, to the root. Nil for fewer than 30
  /// pairs.
  public var successiveDeviation: Double?
  public var estimation = Estimation()
  /// The distance that levels mean.
  public var distanceAt: [DistanceAtLevel] = []
  /// What least squares states, where another estimator was asked for.
  public var leastSquares: PlainConstants?
  public var twoSlope: TwoSlope?
  public var walls: [WallLoss]?
  public var altBeacon: AltBeaconConstants?
  public var bootstrap: BootstrapIntervals?
  /// What levels on each channel lie above the mean over channels; nil where that was not asked
  /// for.
  package var channelOffsets: [ChannelOffset]?
  public var diagnostics: [Diagnostic] = []

  /// What standard errors take as independent.
  public enum ErrorBasis: String, Codable, Sendable {
    case samples
    case positions
    case beacons
    case receivers
    /// Beacons and receivers.
    case devices
  }

  public init(key: String, samples: Int, positions: Int) {
    self.key = key
    self.samples = samples
    self.positions = positions
  }

  /// What a person should know, in sentences.
  public var warnings: [String] { diagnostics.map(\.message) }
}

/// How an estimate was reached.
public struct Estimation: Codable, Equatable, Sendable {
  public var hasConverged = true
  public var iterations = 0
  /// Natural logarithm; nil where the estimator has no likelihood.
  public var logLikelihood: Double?
  /// The share of packets lost for other reasons than their level; censored estimates only.
  public var lostShare: Double?
  /// Packets taken as missed; censored estimates only.
  public var missed: Int?
  /// What each receiver hears at least, dBm; estimates that account for it only.
  public var sensitivity: [String: Double]?

  private enum CodingKeys: String, CodingKey {
    case iterations, missed
    case hasConverged = "converged"
    case logLikelihood = "log_likelihood"
    case lostShare = "lost_share"
    case sensitivity = "sensitivity_dbm"
  }

  public init() {}

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(hasConverged, forKey: .hasConverged)
    try values.encode(iterations, forKey: .iterations)
    try values.encode(logLikelihood, forKey: .logLikelihood)
    try values.encode(lostShare, forKey: .lostShare)
    try values.encode(missed, forKey: .missed)
    try values.encode(sensitivity, forKey: .sensitivity)
  }
}

/// Constants without their uncertainty.
public struct PlainConstants: Codable, Equatable, Sendable {
  /// dBm at 1 m.
  public var measuredPower: Double
  public var exponent: Double
  /// The standard deviation of readings about the curve, dB.
  public var sigma: Double

  private enum CodingKeys: String, CodingKey {
    case exponent
    case measuredPower = "measured_power_dbm"
    case sigma = "sigma_db"
  }

  public init(measuredPower: Double, exponent: Double, sigma: Double) {
    self.measuredPower = measuredPower
    self.exponent = exponent
    self.sigma = sigma
  }
}

/// What one wall of a kind takes off a level.
public struct WallLoss: Codable, Equatable, Sendable {
  public var kind: String
  /// dB a wall.
  public var attenuation: Double
  public var standardError: Double?
  /// 95 % confidence interval, dB.
  public var interval: Interval?

  private enum CodingKeys: String, CodingKey {
    case kind
    case attenuation = "attenuation_db"
    case standardError = "standard_error_db"
    case interval = "ci95_db"
  }

  public init(kind: String, attenuation: Double, standardError: Double?, interval: Interval?) {
    self.kind = kind
    self.attenuation = attenuation
    self.standardError = standardError
    self.interval = interval
  }
}

/// The far slope of a two-slope fit, and whether it is needed.
public struct TwoSlope: Codable, Equatable, Sendable {
  /// The distance at which the slope changes, metres.
  public var breakpoint: Double
  /// 95 % interval of the breakpoint by profile, metres.
  public var breakpointInterval: Interval
  /// The exponent beyond the breakpoint.
  public var farExponent: Double
  public var farExponentError: Double?
  /// 95 % confidence interval, given the breakpoint.
  public var farExponentInterval: Interval?
  /// Bayesian information criterion of one slope less that of two, over positions: above 0 two
  /// slopes are worth their parameters, above 6 strongly so.
  public var bicDifference: Double

  private enum CodingKeys: String, CodingKey {
    case breakpoint = "breakpoint_m"
    case breakpointInterval = "breakpoint_ci95_m"
    case farExponent = "far_exponent"
    case farExponentError = "far_exponent_standard_error"
    case farExponentInterval = "far_exponent_ci95"
    case bicDifference = "bic_difference"
  }

  public init(
    breakpoint: Double, breakpointInterval: Interval, farExponent: Double, bicDifference: Double
  ) {
    self.breakpoint = breakpoint
    self.breakpointInterval = breakpointInterval
    self.farExponent = farExponent
    self.bicDifference = bicDifference
  }
}

/// Intervals from positions drawn with replacement.
public struct BootstrapIntervals: Codable, Equatable, Sendable {
  /// Draws that could be fitted, and those that could not.
  public var replicates: Int
  public var failed: Int
  /// 95 % intervals, bias-corrected and accelerated.
  public var measuredPower: Interval?
  public var exponent: Interval?
  public var sigma: Interval?

  private enum CodingKeys: String, CodingKey {
    case replicates, failed, exponent
    case measuredPower = "measured_power_dbm"
    case sigma = "sigma_db"
  }

  public init(replicates: Int, failed: Int) {
    self.replicates = replicates
    self.failed = failed
  }
}

/// The constants of the AltBeacon library's curve, distance = A · (level / measured power)^B + C.
public struct AltBeaconConstants: Codable, Equatable, Sendable {
  /// The measured power that levels are divided by, dBm.
  public var measuredPower: Double
  /// coefficient1, coefficient2 and coefficient3 of the library.
  public var a: Double
  public var b: Double
  public var c: Double
  /// Of a, b and c; nil where there are too few positions.
  public var standardErrors: [Double]?
  /// Standard deviation of readings about the curve, dB.
  public var sigma: Double
  /// Root mean square errors of mean levels, dB, and of the distances that the library shows of
  /// them: metres, and over the true distances.
  public var levelError: Double
  public var distanceError: Double
  public var relativeDistanceError: Double

  private enum CodingKeys: String, CodingKey {
    case a, b, c
    case measuredPower = "measured_power_dbm"
    case standardErrors = "standard_errors"
    case sigma = "sigma_db"
    case levelError = "level_rmse_db"
    case distanceError = "distance_rmse_m"
    case relativeDistanceError = "relative_distance_rmse"
  }

  init(_ fit: AltBeaconFit) {
    measuredPower = fit.curve.measuredPower
    a = fit.curve.a
    b = fit.curve.b
    c = fit.curve.c
    standardErrors = fit.standardErrors
    sigma = fit.sigma
    levelError = fit.levelError
    distanceError = fit.distanceError
    relativeDistanceError = fit.relativeDistanceError
  }

  package var curve: AltBeaconCurve {
    AltBeaconCurve(a: a, b: b, c: c, measuredPower: measuredPower)
  }
}
