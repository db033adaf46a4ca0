/// The constants of one group of links that the answers were worked out with.
package struct ReportedCalibration: Equatable, Codable, Sendable {
  /// The group, such as a beacon's name or `all links`.
  package var group: String
  /// The trace that was left out when these were fitted; nil = they serve every trace.
  package var leftOut: String?
  /// RSSI at 1 m, in dBm.
  package var measuredPower: Double
  /// Path-loss exponent.
  package var exponent: Double
  /// Standard deviation of the level about the path-loss curve, in dB.
  package var sigma: Double
  /// Levels behind the fit; nil where it was not stated.
  package var samples: Int?

  package init(
    group: String, leftOut: String? = nil, measuredPower: Double, exponent: Double, sigma: Double,
    samples: Int? = nil
  ) {
    self.group = group
    self.leftOut = leftOut
    self.measuredPower = measuredPower
    self.exponent = exponent
    self.sigma = sigma
    self.samples = samples
  }
}
