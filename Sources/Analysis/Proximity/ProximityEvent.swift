/// A change in the proximity of a beacon or in a region.
public struct ProximityEvent: Equatable, Sendable {
  /// The kind of a change.
  public enum Kind: Equatable, Sendable {
    /// A beacon entered a region, or one of the zones that count there.
    case enter
    /// A beacon was silent for long, or left the zones that count.
    case exit(Departure)
    /// The first beacon entered an empty region.
    case regionEnter
    /// The last beacon left a region.
    case regionExit
    /// A beacon changed its zone.
    case zone(from: Zone)
    /// A beacon entered or left the range within which it counts as reached.
    case rangeReached, rangeLeft
    /// The level of a beacon at rest changed from an earlier level, in dBm.
    case levelChange(from: Double)
  }

  /// The reason why a beacon left a region.
  public enum Departure: Equatable, Sendable {
    /// The beacon was silent for long.
    case unheard
    /// The beacon is in a zone that does not count in the region.
    case zone
    /// The recording ended.
    case end
  }

  /// The kind of the change.
  public var kind: Kind
  /// The time of the change, in nanoseconds since the Unix epoch.
  public var time: Int64
  /// The number of the link.
  public var link: Int
  /// The region; `nil` for a change that applies to all of them.
  public var region: Int?
  /// The zone of the beacon.
  public var zone: Zone
  /// The filtered level, in dBm.
  public var level: Double
  /// The distance; `nil` if it is unknown.
  public var distance: DistanceEstimate?
  /// The distance within which the beacon counts as reached, in metres; nil if it has none.
  public var range: Double?
}
