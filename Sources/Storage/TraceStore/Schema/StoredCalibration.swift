/// A calibration as a trace keeps it: the constants of each group as columns, and all of it as the
/// document that a calibration file is.
package struct StoredCalibration: Sendable {
  package var model: String
  package var estimator: String
  /// What the groups are, such as `pooled` or `beacon`.
  package var by: String
  /// What shows offsets of beacons and receivers apart; nil for models without them.
  package var gauge: String?
  package var groups: [StoredConstants]
  /// The calibration file, byte for byte.
  package var document: [UInt8]

  package init(
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
package struct StoredConstants: Sendable {
  package var key: String
  /// What the group is about; empty where it is not one beacon, receiver or series.
  package var beacon = ""
  package var receiver = ""
  package var series = ""
  package var samples: UInt64 = 0
  package var positions: UInt64 = 0
  /// Different distances.
  package var distances: UInt64 = 0
  package var hasConverged = true
  /// What standard errors take as independent: `positions` or `samples`; empty where there are
  /// none.
  package var errorBasis = ""
  /// RSSI at 1 m, dBm, with its standard error in dB.
  package var measuredPower = Double.nan
  package var powerError = Double.nan
  package var powerLow = Double.nan
  package var powerHigh = Double.nan
  package var powerFreedom = Double.nan
  package var exponent = Double.nan
  package var exponentError = Double.nan
  package var exponentLow = Double.nan
  package var exponentHigh = Double.nan
  package var exponentFreedom = Double.nan
  /// Covariance of measured power and exponent, dB.
  package var covariance = Double.nan
  /// Standard deviation of the readings about the curve, dB.
  package var sigma = Double.nan
  package var sigmaLow = Double.nan
  package var sigmaHigh = Double.nan
  /// Of positions about the curve, and of single readings about their position, dB.
  package var positionDeviation = Double.nan
  package var successiveDeviation = Double.nan
  package var packetDeviation = Double.nan
  /// Metres.
  package var nearest = Double.nan
  package var farthest = Double.nan
  /// Where two slopes meet, metres, and the exponent beyond; NaN for other models.
  package var breakpoint = Double.nan
  package var farExponent = Double.nan

  package init(key: String) { self.key = key }
}
