/// Something that changed.
public struct ProximityEvent: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// A beacon came into a region, or into the zones that count there.
    case enter
    /// It was not heard for long, or left the zones that count.
    case exit(Departure)
    /// The first beacon came into a region that was empty.
    case regionEnter
    /// The last one left.
    case regionExit
    /// It is in another zone than before.
    case zone(from: Zone)
    /// It is within the range at which it is reached, or not any more.
    case rangeReached, rangeLeft
    /// Its level had been at rest, and is another one now.
    case levelChange(from: Double)
  }

  /// Why a beacon is not in a region any more.
  public enum Departure: Equatable, Sendable {
    case unheard
    case zone
    /// The recording ended.
    case end
  }

  public var kind: Kind
  /// Nanoseconds since the Unix epoch.
  public var time: Int64
  /// The link it is about.
  public var link: Int
  /// The region; nil for what is the same in all of them.
  public var region: Int?
  public var zone: Zone
  /// Filtered, dBm.
  public var level: Double
  public var distance: DistanceEstimate?
  /// Metres within which the beacon is reached; nil where there is no such range.
  public var range: Double?
}
