/// What is known of one beacon as one receiver hears it.
struct WatchedLink: Sendable {
  let model: DistanceModel?
  /// Metres within which it is reached; nil where there is no such range.
  let range: Double?
  /// The regions it belongs to, and whether it is in each.
  let regions: [Int]
  var isIn: [Bool]
  let receiver: Int

  var isHeard = false
  var isReached = false
  var zone = Zone.unknown
  /// Of the newest sighting, nanoseconds since the Unix epoch.
  var time: Int64 = 0
  var level = Double.nan
  var variance = Double.nan
  /// Since the last ranging.
  var sightings = 0

  /// Levels at the borders of the zones and of the range, dBm; NaN where there is no model.
  private let immediateLevel: Double
  private let nearLevel: Double
  private let rangeLevel: Double

  init(
    model: DistanceModel?, range: Double?, regions: [Int], receiver: Int, borders: ZoneBorders
  ) {
    self.model = model
    self.range = range
    self.regions = regions
    self.receiver = receiver
    isIn = Array(repeating: false, count: regions.count)
    immediateLevel = model?.level(atDistance: borders.immediate) ?? .nan
    nearLevel = model?.level(atDistance: borders.near) ?? .nan
    rangeLevel = range.flatMap { model?.level(atDistance: $0) } ?? .nan
  }

  var distance: DistanceEstimate? { model?.distance(atLevel: level, variance: variance) }

  /// How far beyond a border the level has to be, dB.
  func margin(_ settings: WatchSettings) -> Double {
    max(settings.hysteresis, variance.isFinite ? settings.deviations * variance.squareRoot() : 0)
  }

  /// The zone that follows from the level: another one only where the level is clearly beyond a
  /// border, so that a beacon on it does not flap.
  func nextZone(margin: Double) -> Zone {
    guard !immediateLevel.isNaN, !level.isNaN else { return .unknown }
    switch zone {
    case .unknown:
      if level >= immediateLevel { return .immediate }
      return level >= nearLevel ? .near : .far
    case .immediate:
      if level <= nearLevel - margin { return .far }
      return level <= immediateLevel - margin ? .near : .immediate
    case .near:
      if level <= nearLevel - margin { return .far }
      return level >= immediateLevel + margin ? .immediate : .near
    case .far:
      if level >= immediateLevel + margin { return .immediate }
      return level >= nearLevel + margin ? .near : .far
    }
  }

  /// Whether the level shows it reached, or shows that it is not any more.
  func nextReached(margin: Double) -> Bool {
    guard !rangeLevel.isNaN, !level.isNaN else { return false }
    return isReached ? level > rangeLevel - margin : level >= rangeLevel + margin
  }
}
