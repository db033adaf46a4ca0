import LivePipelines
import Proximity
import Support

/// The latest trend of each beacon in a search, so that only changes are reported.
struct ReportedTrends {
  private var trends = LatestValues<String, Trend.Direction>(most: 1000)

  /// Whether a reading differs from the one before.
  mutating func isNew(_ seek: SeekReading, of beacon: WatchedBeacon) -> Bool {
    defer { trends.set(seek.direction, for: beacon.key) }
    return trends[beacon.key] != seek.direction
  }
}
