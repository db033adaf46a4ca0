package import NumericalMethods
package import Proximity

/// One beacon as a screen shows it.
package struct ScreenBeacon: Equatable, Sendable {
  /// A number from 0 that stays the same as long as the screen exists: its mark in the list and on
  /// the radar.
  package var number: Int
  package var name: BeaconName
  package var zone: Zone
  /// The distance in metres, with the bounds of its 95 % interval; nil if it is not known.
  package var distance: Double?
  package var interval: Interval?
  /// The filtered level in dBm.
  package var level: Double
  /// The levels of the last rangings in dBm, the newest last; NaN if nothing was heard.
  package var history: [Double]
  /// The time since it was last heard, in seconds.
  package var silence: Double
  /// The recent number of sightings per second.
  package var rate: Double
  package var detail = Detail()

  /// The further details of one beacon.
  package struct Detail: Equatable, Sendable {
    /// The kind of its identity; empty if it is not known.
    package var kind = ""
    package var trace = ""
    /// The standard deviation of the filtered level in dB; NaN if the filter has none.
    package var deviation = Double.nan
    /// The times at which it was first and last heard, in nanoseconds since the Unix epoch.
    package var first: Int64?
    package var last: Int64?
    /// The number of sightings since the watch began.
    package var sightings = 0
    /// The channels on which it was heard; empty if they are not known.
    package var channels: [Int] = []

    package init() {}
  }

  package init(
    number: Int, name: BeaconName, zone: Zone, distance: Double?, interval: Interval?,
    level: Double, history: [Double], silence: Double, rate: Double
  ) {
    (self.number, self.name, self.zone) = (number, name, zone)
    (self.distance, self.interval) = (distance, interval)
    (self.level, self.history, self.silence, self.rate) = (level, history, silence, rate)
  }

  /// The mark: A to Z, AA, AB, …
  var mark: String {
    var (rest, mark) = (max(number, 0), "")
    repeat {
      mark = String(UnicodeScalar(UInt8(65 + rest % 26))) + mark
      rest = rest / 26 - 1
    } while rest >= 0
    return mark
  }
}
