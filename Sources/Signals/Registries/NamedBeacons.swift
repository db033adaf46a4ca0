package import Advertising
import Support

/// The one beacon, or the beacons of one identifier, that a property of a request means.
///
/// - Throws: `RSSIError` where a text is neither a beacon nor a name, or where several beacons have
///   the name.
package func beaconPattern(
  _ text: String, of property: String, in registry: Registry
) throws -> BeaconPattern {
  let patterns = beaconPatterns(text, in: registry)
  guard let pattern = patterns.first else {
    throw RSSIError(
      .usage,
      "`\(property)` \(text) is neither a beacon nor a name of the registry: write UUID, UUID:MAJOR, "
        + "UUID:MAJOR:MINOR, an address, or an identity as `rssi export` prints it"
    )
  }
  guard patterns.count == 1 else {
    throw RSSIError(
      .usage,
      "`\(property)` \(text): \(patterns.count) beacons of the registry have this name: give an "
        + "identity, "
        + listed(patterns.compactMap { $0.identity.map { "\($0)" } }))
  }
  return pattern
}

/// The one beacon that a property means.
///
/// - Throws: as `beaconPattern`, and for a part of an identity, which several beacons may have.
package func oneBeacon(
  _ text: String, of property: String, in registry: Registry
) throws -> BeaconIdentity {
  guard let identity = try beaconPattern(text, of: property, in: registry).identity else {
    throw RSSIError(
      .usage,
      "`\(property)` \(text) is not one beacon: write UUID:MAJOR:MINOR, an address, or an identity as "
        + "`rssi export` prints it")
  }
  return identity
}

/// What recordings call a node: the identity of a beacon of the registry, else the text itself, as
/// tables and receivers have names that no registry knows.
package func nodeID(_ text: String, of property: String, in registry: Registry) throws -> String {
  guard BeaconPattern(text) != nil || registry.beacons.contains(where: { $0.name == text }) else {
    return text
  }
  return try oneBeacon(text, of: property, in: registry).description
}
