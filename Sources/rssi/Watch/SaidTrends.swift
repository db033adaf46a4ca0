import Proximity

/// What was said last of each beacon that is sought, so that only a change is said.
struct SaidTrends {
  private var said: [String: Trend.Direction] = [:]

  /// Whether a reading says something else than the one before.
  mutating func isNew(_ seek: SeekReading, of beacon: WatchedBeacon) -> Bool {
    said.updateValue(seek.direction, forKey: beacon.key) != seek.direction
  }
}
