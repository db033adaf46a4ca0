/// How the search for one beacon goes at one instant.
package struct SeekReading: Equatable, Sendable {
  /// Nanoseconds since the Unix epoch.
  package var time: Int64
  package var direction: Trend.Direction
  /// Nil where there are too few levels.
  package var slope: Trend.Slope?
  package var beacon: RangedBeacon

  package init(time: Int64, trend: Trend, beacon: RangedBeacon) {
    (self.time, self.beacon) = (time, beacon)
    // Who has left is lost, however short a silence counts as leaving.
    direction = beacon.isHeard ? trend.direction(at: time) : .lost
    slope = direction == .lost ? nil : trend.slope(at: time)
  }
}
