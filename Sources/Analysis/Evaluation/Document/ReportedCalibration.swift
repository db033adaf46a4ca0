/// The constants of one group of links that the answers were worked out with.
public struct ReportedCalibration: Equatable, Sendable {
  /// The group, such as a beacon's name or `all links`.
  public var group: String
  /// The trace that was left out when these were fitted; nil = they serve every trace.
  public var leftOut: String?
  /// RSSI at 1 m, in dBm.
  public var measuredPower: Double
  /// Path-loss exponent.
  public var exponent: Double
  /// Standard deviation of the level about the path-loss curve, in dB.
  public var sigma: Double
  /// Levels behind the fit; nil where it was not told.
  public var samples: Int?

  public init(
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
