/// How a calibration was fitted, beyond its model and estimator: what another fit of the same
/// statistics needs to give the same answer.
package struct FitSettings: Codable, Equatable, Sendable {
  /// What each position gave: `samples`, `mean` or `median`.
  package var perPosition = "samples"
  /// Metres; nearer readings were left out.
  package var minDistance = 0.0
  /// The series that were asked for; empty = all.
  package var series: [String] = []
  /// The filter whose levels were fitted; nil = the raw ones.
  package var filtered: String?
  /// The site file that stated walls, or places of anchors.
  package var site: Calibration.Input?
  /// The exponent that was not fitted, of `fixed-exponent`.
  package var exponent: Double?
  /// The measured power that was given for the curve of `altbeacon`, dBm.
  package var referencePower: Double?
  /// The sensitivity that was given, dBm; nil = the lowest level each receiver heard.
  package var sensitivity: Double?
  /// Seconds between packets, of `censored`.
  package var advertisingInterval: Double?
  /// The share of packets lost whatever their level that was given, of `censored`; nil = estimated.
  package var lostShare: Double?
  /// Whose offsets of channels were fitted; nil = none.
  package var channelOffsets: String?

  private enum CodingKeys: String, CodingKey {
    case series, filtered, exponent, site
    case perPosition = "per_position"
    case minDistance = "min_distance_m"
    case referencePower = "reference_power_dbm"
    case sensitivity = "sensitivity_dbm"
    case advertisingInterval = "advertising_interval_s"
    case lostShare = "lost_share"
    case channelOffsets = "channel_offsets"
  }

  package init() {}

  /// Whether a fit may have written the values.
  package var isSound: Bool {
    PositionReduction(rawValue: perPosition) != nil
      && (channelOffsets.map { ChannelOffsetScope(rawValue: $0) != nil } ?? true)
      && (advertisingInterval.map { $0 > 1e-6 && $0 < 1e6 } ?? true)
      && (lostShare.map { (0..<1).contains($0) } ?? true)
      && (referencePower.map { $0 < 0 && $0 > -1000 } ?? true)
      && (sensitivity.map { $0 < 0 && $0 > -1000 } ?? true)
      && (exponent.map { abs($0) < 1000 } ?? true) && minDistance >= 0
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(perPosition, forKey: .perPosition)
    try values.encode(minDistance, forKey: .minDistance)
    try values.encode(series, forKey: .series)
    try values.encode(filtered, forKey: .filtered)
    try values.encode(site, forKey: .site)
    try values.encode(exponent, forKey: .exponent)
    try values.encode(referencePower, forKey: .referencePower)
    try values.encode(sensitivity, forKey: .sensitivity)
    try values.encode(advertisingInterval, forKey: .advertisingInterval)
    try values.encode(lostShare, forKey: .lostShare)
    try values.encodeIfPresent(channelOffsets, forKey: .channelOffsets)
  }
}
