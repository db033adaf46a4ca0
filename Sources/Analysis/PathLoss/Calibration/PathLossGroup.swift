public import NumericalMethods

/// The fitted constants of one group of readings, with their uncertainty.
///
/// Undetermined values are `nil`, and a diagnostic explains why.
public struct PathLossGroup: Equatable, Sendable {
  /// The group's name: a beacon, a receiver, a series, several of them joined by "/", or "pooled".
  public var key: String
  /// The beacon of the group; nil if readings are not grouped by beacon.
  public var beacon: String?
  /// The receiver of the group; nil if readings are not grouped by receiver.
  public var receiver: String?
  /// The series of the group; nil if readings are not grouped by series.
  public var series: String?
  /// The RSSI at 1 m, in dBm.
  public var measuredPower: Double?
  /// The path-loss exponent n in P - 10 n log10(d).
  public var exponent: Double?
  /// The standard deviation of the readings about the curve, in dB.
  public var sigma: Double?
  /// The root mean square of the residuals with one degree of freedom less per coefficient, in dB.
  /// Other programs call this sigma; it is too small if positions have several readings.
  public var residualDeviation: Double?
  /// The number of readings.
  public var samples: Int
  /// The number of positions that the readings have.
  public var positions: Int
  /// The number of different distances of the readings.
  public var distances: Int = 0
  /// The nearest and the farthest distance, in metres.
  public var distanceRange: Interval?
  /// The standard error of the measured power, in dB.
  public var powerError: Double?
  /// The standard error of the exponent.
  public var exponentError: Double?
  /// The covariance of measured power and exponent, in dB.
  public var powerExponentCovariance: Double?
  /// The unit that the standard errors treat as independent.
  public var errorBasis: ErrorBasis?
  /// The degrees of freedom of Student's t in the interval of the measured power.
  public var powerFreedom: Double?
  /// The degrees of freedom of Student's t in the interval of the exponent.
  public var exponentFreedom: Double?
  /// The 95 % confidence interval of the measured power, in dBm.
  public var powerInterval: Interval?
  /// The 95 % confidence interval of the exponent.
  public var exponentInterval: Interval?
  /// The 95 % confidence interval of sigma, in dB.
  public var sigmaInterval: Interval?
  /// The standard deviation that all readings of a position share, in dB.
  public var positionDeviation: Double?
  /// The standard deviation of single readings about the level of their position, in dB.
  public var packetDeviation: Double?
  /// The standard deviation of a packet's own error, which successive packets do not share, in dB:
  /// the root of half the mean squared difference of successive packets. `nil` for fewer than 30
  /// pairs.
  public var successiveDeviation: Double?
  /// The course of the estimation.
  public var estimation = Estimation()
  /// The distances for the requested levels.
  public var distanceAt: [DistanceAtLevel] = []
  /// The constants by least squares, if another estimator was requested.
  public var leastSquares: PlainConstants?
  /// The far slope; `nil` for models other than two-slope.
  public var twoSlope: TwoSlope?
  /// The loss per wall of each kind; `nil` for models other than walls.
  public var walls: [WallLoss]?
  /// The constants of the AltBeacon library's curve; `nil` for other models.
  public var altBeacon: AltBeaconConstants?
  /// The bootstrap intervals; `nil` if none were requested.
  public var bootstrap: BootstrapIntervals?
  /// The offsets of levels on each channel from the mean over channels; `nil` if none were
  /// requested.
  package var channelOffsets: [ChannelOffset]?
  /// The diagnostics of the fit.
  public var diagnostics: [Diagnostic] = []

  /// The unit that standard errors treat as independent.
  public enum ErrorBasis: String, Codable, Sendable {
    /// Single readings.
    case samples
    /// Positions, each with all of its readings.
    case positions
    /// Beacons, each with all of its readings.
    case beacons
    /// Receivers, each with all of its readings.
    case receivers
    /// Beacons and receivers.
    case devices
    /// Places or poses that several beacons or visits share.
    case places
    /// Devices, and places or poses that they share.
    case devicesPlaces = "devices-places"

    /// The unit as a phrase of a message.
    var words: String { self == .devicesPlaces ? "devices or places" : rawValue }
  }

  /// Creates a group without constants.
  public init(key: String, samples: Int, positions: Int) {
    self.key = key
    self.samples = samples
    self.positions = positions
  }

  /// The warnings of the diagnostics, as sentences.
  public var warnings: [String] { diagnostics.map(\.message) }
}

/// The course of an iterative estimation.
public struct Estimation: Codable, Equatable, Sendable {
  /// A Boolean value that is true if the iteration converged.
  public var hasConverged = true
  /// The number of iterations.
  public var iterations = 0
  /// The natural logarithm of the likelihood; `nil` if the estimator has none.
  public var logLikelihood: Double?
  /// The share of packets lost for reasons other than their level; censored estimates only.
  public var lostShare: Double?
  /// The number of packets taken as missed; censored estimates only.
  public var missed: Int?
  /// The level of half reception of each receiver, in dBm; only for estimates with an edge.
  public var sensitivity: [String: Double]?
  /// The scale of the logistic edge of reception, in dB; 0 if it is hard, `nil` without an edge.
  public var sensitivityScale: Double?

  private enum CodingKeys: String, CodingKey {
    case iterations, missed
    case hasConverged = "converged"
    case logLikelihood = "log_likelihood"
    case lostShare = "lost_share"
    case sensitivity = "sensitivity_dbm"
    case sensitivityScale = "sensitivity_scale_db"
  }

  /// Creates the course of an estimation without iterations.
  public init() {}

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(hasConverged, forKey: .hasConverged)
    try values.encode(iterations, forKey: .iterations)
    try values.encode(logLikelihood, forKey: .logLikelihood)
    try values.encode(lostShare, forKey: .lostShare)
    try values.encode(missed, forKey: .missed)
    try values.encode(sensitivity, forKey: .sensitivity)
    try values.encode(sensitivityScale, forKey: .sensitivityScale)
  }
}

/// Constants without their uncertainty.
public struct PlainConstants: Codable, Equatable, Sendable {
  /// The RSSI at 1 m, in dBm.
  public var measuredPower: Double
  /// The path-loss exponent n in P - 10 n log10(d).
  public var exponent: Double
  /// The standard deviation of readings about the curve, in dB.
  public var sigma: Double

  private enum CodingKeys: String, CodingKey {
    case exponent
    case measuredPower = "measured_power_dbm"
    case sigma = "sigma_db"
  }

  /// Creates constants; the power is in dBm at 1 m, and sigma in dB.
  public init(measuredPower: Double, exponent: Double, sigma: Double) {
    self.measuredPower = measuredPower
    self.exponent = exponent
    self.sigma = sigma
  }
}

/// The loss of one wall of a kind.
public struct WallLoss: Codable, Equatable, Sendable {
  /// The kind of wall.
  public var kind: String
  /// The loss of one crossing, in dB.
  public var attenuation: Double
  /// The standard error of the loss, in dB.
  public var standardError: Double?
  /// The 95 % confidence interval of the loss, in dB.
  public var interval: Interval?

  private enum CodingKeys: String, CodingKey {
    case kind
    case attenuation = "attenuation_db"
    case standardError = "standard_error_db"
    case interval = "ci95_db"
  }

  /// Creates the loss of a kind of wall, in dB.
  public init(kind: String, attenuation: Double, standardError: Double?, interval: Interval?) {
    self.kind = kind
    self.attenuation = attenuation
    self.standardError = standardError
    self.interval = interval
  }
}

/// The far slope of a two-slope fit, with the evidence for it.
public struct TwoSlope: Codable, Equatable, Sendable {
  /// The distance at which the slope changes, in metres.
  public var breakpoint: Double
  /// The 95 % profile interval of the breakpoint, in metres.
  public var breakpointInterval: Interval
  /// The exponent beyond the breakpoint.
  public var farExponent: Double
  /// The standard error of the far exponent.
  public var farExponentError: Double?
  /// The 95 % confidence interval of the far exponent, given the breakpoint.
  public var farExponentInterval: Interval?
  /// The Bayesian information criterion of one slope less that of two, over positions: above 0, two
  /// slopes are justified; above 6, strongly so.
  public var bicDifference: Double

  private enum CodingKeys: String, CodingKey {
    case breakpoint = "breakpoint_m"
    case breakpointInterval = "breakpoint_ci95_m"
    case farExponent = "far_exponent"
    case farExponentError = "far_exponent_standard_error"
    case farExponentInterval = "far_exponent_ci95"
    case bicDifference = "bic_difference"
  }

  /// Creates a far slope; the breakpoint is in metres.
  public init(
    breakpoint: Double, breakpointInterval: Interval, farExponent: Double, bicDifference: Double
  ) {
    self.breakpoint = breakpoint
    self.breakpointInterval = breakpointInterval
    self.farExponent = farExponent
    self.bicDifference = bicDifference
  }
}

/// Bootstrap intervals from resampling positions.
public struct BootstrapIntervals: Codable, Equatable, Sendable {
  /// The number of draws that could be fitted.
  public var replicates: Int
  /// The number of draws that could not be fitted.
  public var failed: Int
  /// The 95 % interval of the measured power, in dBm; like all here, bias-corrected and accelerated
  /// (BCa).
  public var measuredPower: Interval?
  /// The 95 % interval of the exponent.
  public var exponent: Interval?
  /// The 95 % interval of sigma, in dB.
  public var sigma: Interval?

  private enum CodingKeys: String, CodingKey {
    case replicates, failed, exponent
    case measuredPower = "measured_power_dbm"
    case sigma = "sigma_db"
  }

  /// Creates the result of some draws, without intervals.
  public init(replicates: Int, failed: Int) {
    self.replicates = replicates
    self.failed = failed
  }
}

/// The constants of the AltBeacon library's curve, distance = A · (level / measured power)^B + C.
public struct AltBeaconConstants: Codable, Equatable, Sendable {
  /// The measured power by which levels are divided, in dBm.
  public var measuredPower: Double
  /// The factor A, coefficient1 of the library.
  public var a: Double
  /// The exponent B, coefficient2 of the library.
  public var b: Double
  /// The distance C, coefficient3 of the library, in metres.
  public var c: Double
  /// The standard errors of a, b and c; nil if there are too few positions.
  public var standardErrors: [Double]?
  /// The standard deviation of readings about the curve, in dB.
  public var sigma: Double
  /// The root mean square error of mean levels, in dB.
  public var levelError: Double
  /// The root mean square error of the library's distances, in metres.
  public var distanceError: Double
  /// The root mean square error of the library's distances, relative to the true distances.
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
