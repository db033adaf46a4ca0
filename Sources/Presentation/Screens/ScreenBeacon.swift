package import NumericalMethods
package import Proximity

/// One beacon as a screen shows it.
package struct ScreenBeacon: Equatable, Sendable {
  /// The same as long as the screen is there, from 0: its mark in the list and on the radar.
  package var number: Int
  /// What people call it, else its identity.
  package var name: String
  package var zone: Zone
  /// Metres, with the bounds of its 95 % interval; nil where nobody can tell.
  package var distance: Double?
  package var interval: Interval?
  /// The filtered level in dBm.
  package var level: Double
  /// The levels of the last rangings in dBm, the newest last; NaN where nothing was heard.
  package var history: [Double]
  /// Seconds since it was heard last.
  package var silence: Double

  package init(
    number: Int, name: String, zone: Zone, distance: Double?, interval: Interval?,
    level: Double, history: [Double], silence: Double
  ) {
    (self.number, self.name, self.zone) = (number, name, zone)
    (self.distance, self.interval) = (distance, interval)
    (self.level, self.history, self.silence) = (level, history, silence)
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
