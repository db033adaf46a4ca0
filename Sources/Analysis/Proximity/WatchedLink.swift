import RealModule

/// The state of one beacon at one receiver.
struct WatchedLink: Sendable {
  let model: DistanceModel?
  /// The distance within which it counts as reached, in metres; `nil` for none.
  let range: Double?
  /// Its regions, each with a flag that it is inside.
  let regions: [Int]
  var isIn: [Bool]
  let receiver: Int

  var isHeard = false
  var isReached = false
  var zone = Zone.unknown
  /// The time of the latest sighting, in nanoseconds since the Unix epoch.
  var time: Int64 = 0
  var level = Double.nan
  var variance = Double.nan
  /// The number of sightings since the last ranging.
  var sightings = 0
  var zoneUnrest = Unrest()
  var rangeUnrest = Unrest()

  /// The levels at the borders of the zones and of the range, in dBm; NaN without a model.
  private let immediateLevel: Double
  private let nearLevel: Double
  private let rangeLevel: Double
  /// The loss between a distance and 2.5 times that distance, in dB.
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

  /// Returns the smallest distance from a border, in dB, at which the level means another zone.
  ///
  /// It grows with the error of the level up to that of a factor of 2.5 in distance, so that a
  /// beacon well beyond a border is never missed.
  func margin(_ settings: WatchSettings) -> Double {
    let error = variance.isFinite ? settings.deviations * variance.squareRoot() : 0
    return max(settings.hysteresis, min(error, mostError))
  }

  /// Returns the zone that follows from the level, which changes only if the level is clearly
  /// beyond a border, so that a beacon on a border does not flap.
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

  /// Returns a Boolean value that is true if the beacon counts as reached after this level.
  func nextReached(margin: Double) -> Bool {
    guard !rangeLevel.isNaN, !level.isNaN else { return false }
    return isReached ? level > rangeLevel - margin : level >= rangeLevel + margin
  }
}

/// The recent changes at a border, with weights that decay over some minutes.
///
/// Passing people and doors change the level of a beacon at rest near a border by more than the
/// error of a filter. Therefore a border that was crossed recently requires a larger margin.
struct Unrest: Sendable {
  private var count = 0.0
  private var newest: Int64 = 0

  /// The time constant, in seconds.
  private static let calming = 300.0
  private static let mostMargin = 10.0

  /// Returns the margin in dB after the recent changes: three times as large after one, five times
  /// after two, up to 10 dB.
  func widened(_ margin: Double, at time: Int64) -> Double {
    max(margin, min(margin * (1 + 2 * recent(at: time)), Self.mostMargin))
  }

  /// Records a change.
  mutating func note(at time: Int64) { (count, newest) = (recent(at: time) + 1, time) }

  private func recent(at time: Int64) -> Double {
    guard count > 0 else { return 0 }
    return count * .exp(-max(0, Double(time &- newest) * 1e-9) / Self.calming)
  }
}
