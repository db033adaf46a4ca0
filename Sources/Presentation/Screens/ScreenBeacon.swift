package import NumericalMethods
package import Proximity

/// One beacon as a screen shows it.
package struct ScreenBeacon: Equatable, Sendable {
  /// The same as long as the screen is there, from 0: its mark in the list and on the radar.
  package var number: Int
  package var name: BeaconName
  package var zone: Zone
  /// Metres, with the bounds of its 95 % interval; nil where it is not known.
  package var distance: Double?
  package var interval: Interval?
  /// The filtered level in dBm.
  package var level: Double
  /// The levels of the last rangings in dBm, the newest last; NaN where nothing was heard.
  package var history: [Double]
  /// Seconds since it was heard last.
  package var silence: Double
  /// Sightings a second, lately.
  package var rate: Double
  package var detail = Detail()

  /// What is shown of one beacon by itself.
  package struct Detail: Equatable, Sendable {
    /// What kind of identity it has; empty if not known.
    package var kind = ""
    package var trace = ""
    /// The standard deviation of the filtered level in dB; NaN where the filter knows none.
    package var deviation = Double.nan
    /// When it was heard first and last, nanoseconds since the Unix epoch.
    package var first: Int64?
    package var last: Int64?
    /// Sightings since the watch began.
    package var sightings = 0
    /// The channels it was heard on; empty if not known.
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

  /// A to Z, AA, AB, …
  var mark: String {
    var (rest, mark) = (max(number, 0), "")
    repeat {
      mark = String(UnicodeScalar(UInt8(65 + rest % 26))) + mark
      rest = rest / 26 - 1
    } while rest >= 0
    return mark
  }
}
