/// A calibration as a trace keeps it: the constants of each group as columns, and all of it as the
/// document that a calibration file is.
public struct StoredCalibration: Sendable {
  public var model: String
  public var estimator: String
  /// What the groups are, such as `pooled` or `beacon`.
  public var by: String
  /// What tells offsets of beacons and receivers apart; nil for models without them.
  public var gauge: String?
  public var groups: [StoredConstants]
  /// The calibration file, byte for byte.
  public var document: [UInt8]

  public init(
    model: String, estimator: String, by: String, gauge: String? = nil,
    groups: [StoredConstants], document: [UInt8]
  ) {
    self.model = model
    self.estimator = estimator
    self.by = by
    self.gauge = gauge
    self.groups = groups
    self.document = document
  }
}

/// The constants of one group of a calibration; NaN where there are none.
public struct StoredConstants: Sendable {
  public var key: String
  /// What the group is about; empty where it is not one beacon, receiver or series.
  public var beacon = ""
  public var receiver = ""
  public var series = ""
  public var samples: UInt64 = 0
  public var positions: UInt64 = 0
  /// Different distances.
  public var distances: UInt64 = 0
  public var hasConverged = true
  /// What standard errors take as independent: `positions` or `samples`; empty where there are
  /// none.
  public var errorBasis = ""
  /// RSSI at 1 m, dBm, with its standard error in dB.
  public var measuredPower = Double.nan
  public var powerError = Double.nan
  public var powerLow = Double.nan
  public var powerHigh = Double.nan
  public var powerFreedom = Double.nan
  public var exponent = Double.nan
  public var exponentError = Double.nan
  public var exponentLow = Double.nan
  public var exponentHigh = Double.nan
  public var exponentFreedom = Double.nan
  /// Covariance of measured power and exponent, dB.
  public var covariance = Double.nan
  /// Standard deviation of the readings about the curve, dB.
  public var sigma = Double.nan
  public var sigmaLow = Double.nan
  public var sigmaHigh = Double.nan
  /// Of positions about the curve, and of single readings about their position, dB.
  public var positionDeviation = Double.nan
  public var packetDeviation = Double.nan
  /// Metres.
  public var nearest = Double.nan
  public var farthest = Double.nan
  /// Where two slopes meet, metres, and the exponent beyond; NaN for other models.
  public var breakpoint = Double.nan
  public var farExponent = Double.nan

  public init(key: String) { self.key = key }
}
