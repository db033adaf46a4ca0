/// What one anchor was heard at within a time, sighting by sighting.
package struct LevelTally: Equatable, Sendable {
  /// In dBm; 0 before the first sighting.
  package private(set) var rssi = 0.0
  package private(set) var sightings = 0
  /// The time of the latest, nanoseconds since the Unix epoch.
  package private(set) var latest = Int64.min

  package init() {}

  /// Adds a sighting, in any order.
  package mutating func add(time: Int64, rssi level: Double, rule: EpochAccumulator.LevelRule) {
    sightings += 1
    let isLatest = time >= latest
    if isLatest { latest = time }
    switch rule {
    case .mean:
      // A running mean loses no digits, however many sightings there are.
      rssi += (level - rssi) / Double(sightings)
    case .last:
      if isLatest { rssi = level }
    }
  }
}
