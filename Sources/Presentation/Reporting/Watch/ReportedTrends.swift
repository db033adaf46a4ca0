import LivePipelines
import Proximity

/// The latest trend of each beacon in a search, so that only changes are reported.
struct ReportedTrends {
  private var trends: [String: Trend.Direction] = [:]

  /// Whether a reading differs from the one before.
  mutating func isNew(_ seek: SeekReading, of beacon: WatchedBeacon) -> Bool {
    trends.updateValue(seek.direction, forKey: beacon.key) != seek.direction
  }
}
