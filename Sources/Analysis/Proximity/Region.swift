package import Advertising

/// Beacons that are watched together: a shop, a floor, one exhibit.
package struct Region: Hashable, Sendable {
  package var name: String
  /// Which beacons; nil = every one.
  package var pattern: BeaconPattern?
  /// A beacon counts while it is in one of these.
  package var zones: ZoneSet
  /// Metres within which a beacon of this region is reached, where the beacon has none of its own.
  package var range: Double?

  package init(
    name: String, pattern: BeaconPattern?, zones: ZoneSet = .all, range: Double? = nil
  ) {
    (self.name, self.pattern, self.zones, self.range) = (name, pattern, zones, range)
  }
}
