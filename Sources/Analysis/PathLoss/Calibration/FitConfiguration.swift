package import Support

/// The choices of a fit beyond its model and estimator; another fit of the same statistics with the
/// same choices returns the same result.
///
/// Requests, plans, calibrations and parts all contain one. A choice that was not made is `nil`.
public struct FitConfiguration: Codable, Equatable, Sendable {
  /// The readings of each position that enter the fit; `nil` for all samples.
  public var perPosition: PositionReduction?
  /// The distance below which readings are excluded, in metres.
  public var minDistance = 0.0
  /// The series to fit; empty for all.
  public var series: [String] = []
  /// The filter whose levels are fitted; `nil` for the raw levels.
  public var filtered: String?
  /// The site file with walls or anchor positions.
  package var site: Calibration.Input?
  /// The exponent of the model `fixed-exponent`; `nil` for 2.
  public var exponent: Double?
  /// The measured power of the model `altbeacon`, in dBm; `nil` for the fitted one, rounded.
  public var referencePower: Double?
  /// The level at which half of the packets are received, for the estimators `censored` and
  /// `truncated`, in dBm; `nil` to estimate it, or for the lowest level of each receiver if the edge
  /// is hard.
  public var sensitivity: Double?
  /// The scale in dB of the logistic edge of reception at the sensitivity; 0 if every packet below
  /// it is lost and no other, `nil` to estimate it.
  public var sensitivityScale: Double?
  /// The mean time between a beacon's packets for the estimator `censored`, in seconds.
  public var advertisingInterval: Double?
  /// The share of packets lost independently of their level for the estimator `censored`; `nil` to
  /// estimate it.
  public var lostShare: Double?
  /// The devices whose channel offsets are fitted; `nil` for those of merged calibrations, or none.
  package var channelOffsets: ChannelOffsetScope?

  private enum CodingKeys: String, CodingKey {
    case series, filtered, exponent, site
    case perPosition = "per_position"
    case minDistance = "min_distance_m"
    case referencePower = "reference_power_dbm"
    case sensitivity = "sensitivity_dbm"
    case sensitivityScale = "sensitivity_scale_db"
    case advertisingInterval = "advertising_interval_s"
    case lostShare = "lost_share"
    case channelOffsets = "channel_offsets"
  }

  package init() {}

  /// The optional choices, each with a Boolean value that is true if it was made.
  package var given: [(name: String, isGiven: Bool)] {
    [
      ("perPosition", perPosition != nil), ("exponent", exponent != nil),
      ("referencePower", referencePower != nil), ("sensitivity", sensitivity != nil),
      ("sensitivityScale", sensitivityScale != nil),
      ("advertisingInterval", advertisingInterval != nil), ("lostShare", lostShare != nil),
      ("channelOffsets", channelOffsets != nil),
    ]
  }

  /// Returns another configuration, overridden by the choices made in this one.
  package func overriding(_ other: FitConfiguration) -> FitConfiguration {
    var merged = other
    if let perPosition { merged.perPosition = perPosition }
    if minDistance > 0 { merged.minDistance = minDistance }
    if !series.isEmpty { merged.series = series }
    if let filtered { merged.filtered = filtered }
    if let site { merged.site = site }
    if let exponent { merged.exponent = exponent }
    if let referencePower { merged.referencePower = referencePower }
    if let sensitivity { merged.sensitivity = sensitivity }
    if let sensitivityScale { merged.sensitivityScale = sensitivityScale }
    if let advertisingInterval { merged.advertisingInterval = advertisingInterval }
    if let lostShare { merged.lostShare = lostShare }
    if let channelOffsets { merged.channelOffsets = channelOffsets }
    return merged
  }

  /// Throws if a value is out of range.
  package func check() throws(RSSIError) {
    func require(_ isMet: Bool?, _ problem: String) throws(RSSIError) {
      if isMet == false { throw RSSIError(.usage, problem) }
    }
    func shown(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }
    try require(
      referencePower.map { $0 > -1000 && $0 < 0 },
      "`referencePower` \(shown(referencePower)): expected a level below 0 dBm, such as -59")
    try require(exponent.map { abs($0) < 1000 }, "`exponent` must be below 1000")
    try require(
      sensitivity.map { (-127..<0).contains($0) },
      "`sensitivity` \(shown(sensitivity)): expected a level from -127 to below 0 dBm, such as -95")
    try require(
      sensitivityScale.map { $0 == 0 || (ReceptionParameters.leastScale...20).contains($0) },
      "`sensitivityScale` \(shown(sensitivityScale)): expected 0, or a scale from 0.2 to 20 dB, such as 1.5"
    )
    try require(
      minDistance >= 0 && minDistance.isFinite,
      "`minDistance` \(minDistance): expected metres, 0 or more")
    try require(
      advertisingInterval.map { (1e-6...1e6).contains($0) },
      "`advertisingInterval` \(shown(advertisingInterval)): expected a time from 1 µs to 1000000 s")
    try require(
      lostShare.map((0..<1).contains),
      "`lostShare` \(shown(lostShare)): expected a share from 0 to below 1")
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(perPosition, forKey: .perPosition)
    try values.encode(minDistance, forKey: .minDistance)
    try values.encode(series, forKey: .series)
    try values.encode(filtered, forKey: .filtered)
    try values.encode(site, forKey: .site)
    try values.encode(exponent, forKey: .exponent)
    try values.encode(referencePower, forKey: .referencePower)
    try values.encode(sensitivity, forKey: .sensitivity)
    try values.encode(sensitivityScale, forKey: .sensitivityScale)
    try values.encode(advertisingInterval, forKey: .advertisingInterval)
    try values.encode(lostShare, forKey: .lostShare)
    if let channelOffsets, channelOffsets != .none {
      try values.encode(channelOffsets, forKey: .channelOffsets)
    }
  }
}
