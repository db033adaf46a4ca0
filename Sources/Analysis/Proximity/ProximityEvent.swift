/// A change in the proximity of a beacon or in a region.
public struct ProximityEvent: Equatable, Sendable {
  /// The kind of a change.
  public enum Kind: Equatable, Sendable {
    /// A beacon came into a region, or into the zones that count there.
    case enter
    /// A beacon was not heard for long, or left the zones that count.
    case exit(Departure)
    /// The first beacon came into a region that was empty.
    case regionEnter
    /// The last one left.
    case regionExit
    /// A beacon is in another zone than before.
    case zone(from: Zone)
    /// A beacon came within the range at which it counts as reached, or left it.
    case rangeReached, rangeLeft
    /// The level of a beacon at rest changed from an earlier level, in dBm.
    case levelChange(from: Double)
  }

  /// The reason why a beacon is not in a region any more.
  public enum Departure: Equatable, Sendable {
    /// The beacon was not heard for long.
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
  /// The region; nil for what is the same in all of them.
  public var region: Int?
  /// The zone of the beacon.
  public var zone: Zone
  /// The filtered level, in dBm.
  public var level: Double
  /// The distance; nil if it is not known.
  public var distance: DistanceEstimate?
  /// The distance within which the beacon counts as reached, in metres; nil if it has none.
  public var range: Double?
}
