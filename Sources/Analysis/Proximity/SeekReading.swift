/// How the search for one beacon goes at one instant.
public struct SeekReading: Equatable, Sendable {
  /// Nanoseconds since the Unix epoch.
  public var time: Int64
  public var direction: Trend.Direction
  /// Nil where there are too few levels.
  public var slope: Trend.Slope?
  public var beacon: RangedBeacon

  public init(time: Int64, trend: Trend, beacon: RangedBeacon) {
    (self.time, self.beacon) = (time, beacon)
    // Who has left is lost, however short a silence counts as leaving.
    direction = beacon.isHeard ? trend.direction(at: time) : .lost
    slope = direction == .lost ? nil : trend.slope(at: time)
  }
}
