import RealModule

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
  var zoneUnrest = Unrest()
  var rangeUnrest = Unrest()

  /// Levels at the borders of the zones and of the range, dBm; NaN where there is no model.
  private let immediateLevel: Double
  private let nearLevel: Double
  private let rangeLevel: Double
  /// The loss from a distance to 2.5 times that distance, dB.
  private let mostError: Double

  init(
    model: DistanceModel?, range: Double?, regions: [Int], receiver: Int, borders: ZoneBorders
  ) {
    self.model = model
    self.range = range
    self.regions = regions
    self.receiver = receiver
    isIn = Array(repeating: false, count: regions.count)
    mostError = model.map { $0.level(atDistance: 1) - $0.level(atDistance: 2.5) } ?? 0
    immediateLevel = model?.level(atDistance: borders.immediate) ?? .nan
    nearLevel = model?.level(atDistance: borders.near) ?? .nan
    rangeLevel = range.flatMap { model?.level(atDistance: $0) } ?? .nan
  }

  var distance: DistanceEstimate? { model?.distance(atLevel: level, variance: variance) }

  /// The least distance from a border, in dB, at which the level shows another zone.
  ///
  /// It grows with the error of the level up to what 2.5 times the distance makes, so that a beacon
  /// which comes well beyond a border is never overlooked.
  func margin(_ settings: WatchSettings) -> Double {
    let error = variance.isFinite ? settings.deviations * variance.squareRoot() : 0
    return max(settings.hysteresis, min(error, mostError))
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

  /// Returns whether the level shows it reached, or shows that it is not any more.
  func nextReached(margin: Double) -> Bool {
    guard !rangeLevel.isNaN, !level.isNaN else { return false }
    return isReached ? level > rangeLevel - margin : level >= rangeLevel + margin
  }
}

/// The recent changes at a border, each of which counts less and less over some minutes.
///
/// People who pass, and doors, move the level of a beacon that rests near a border by more than the
/// error of a filter. So a border that was crossed lately is crossed less easily.
struct Unrest: Sendable {
  private var count = 0.0
  private var newest: Int64 = 0

  /// Seconds.
  private static let calming = 300.0
  private static let mostMargin = 10.0

  /// The margin in dB after the changes so far: three times as much after one, five times after
  /// two, up to 10 dB.
  func widened(_ margin: Double, at time: Int64) -> Double {
    max(margin, min(margin * (1 + 2 * recent(at: time)), Self.mostMargin))
  }

  /// Takes note of a change.
  mutating func note(at time: Int64) { (count, newest) = (recent(at: time) + 1, time) }

  private func recent(at time: Int64) -> Double {
    guard count > 0 else { return 0 }
    return count * .exp(-max(0, Double(time &- newest) * 1e-9) / Self.calming)
  }
}
