public import Advertising

/// Beacons that are watched together: a shop, a floor, one exhibit.
public struct Region: Hashable, Sendable {
  public var name: String
  /// Which beacons; nil = every one.
  public var pattern: BeaconPattern?
  /// A beacon counts while it is in one of these.
  public var zones: ZoneSet
  /// Metres within which a beacon of this region is reached, where the beacon has none of its own.
  public var range: Double?

  public init(
    name: String, pattern: BeaconPattern?, zones: ZoneSet = .all, range: Double? = nil
  ) {
    (self.name, self.pattern, self.zones, self.range) = (name, pattern, zones, range)
  }
}
