public import Proximity

/// One beacon as a screen shows it.
public struct ScreenBeacon: Equatable, Sendable {
  /// What people call it, else its identity.
  public var name: String
  /// The region it was found by; empty where there is none.
  public var region: String
  public var zone: Zone
  /// Metres, with the bounds of its 95 % interval; nil where nobody can tell.
  public var distance: Double?
  public var interval: ClosedRange<Double>?
  /// The filtered level in dBm.
  public var level: Double
  /// The levels of the last seconds in dBm, one a second, the newest last; NaN where nothing was heard.
  public var history: [Double]
  /// Seconds since it was heard last.
  public var silence: Double

  public init(
    name: String, region: String, zone: Zone, distance: Double?, interval: ClosedRange<Double>?,
    level: Double, history: [Double], silence: Double
  ) {
    (self.name, self.region, self.zone) = (name, region, zone)
    (self.distance, self.interval) = (distance, interval)
    (self.level, self.history, self.silence) = (level, history, silence)
  }
}
