package import Advertising
import Sightings
package import Support

/// The beacons that a text means: an identity, a part of one or an address in any spelling; a name
/// of the registry; or an identity as it is shortened in reports, which means the only entry of the
/// registry that it fits, else what is heard. Empty where it is none of these.
///
/// - Throws: `RSSIError` where a shortened identity fits several entries.
package func beaconPatterns(
  _ text: String, in registry: Registry
) throws(RSSIError) -> [BeaconPattern] {
  let pattern = BeaconPattern(text)
  // A name may look like a short identity or an address without separators, but not like this.
  if let identity = pattern?.identity, identity.description == text { return [.init(identity)] }
  let named = registry.beacons.filter { $0.name == text }
  if !named.isEmpty { return named.map { BeaconPattern($0.identity) } }
  guard case .shortened(let short) = pattern else { return pattern.map { [$0] } ?? [] }
  let fitting = registry.beacons.map(\.identity).filter(short.matches)
  guard fitting.count < 2 else { throw ambiguous(text, fitting.map(\.description), .usage) }
  return fitting.map { BeaconPattern($0) } + (fitting.isEmpty ? [.shortened(short)] : [])
}

/// The one beacon, or the beacons of one identifier, that a property of a request means.
///
/// - Throws: `RSSIError` where a text is neither a beacon nor a name, or where several beacons have
///   the name.
package func beaconPattern(
  _ text: String, of property: String, in registry: Registry
) throws -> BeaconPattern {
  let patterns = try beaconPatterns(text, in: registry)
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

/// The one beacon that a property means: an identity, or a shortened one.
///
/// - Throws: as `beaconPattern`, and for a part of an identity, which several beacons may have.
package func oneBeacon(
  _ text: String, of property: String, in registry: Registry
) throws -> BeaconPattern {
  let pattern = try beaconPattern(text, of: property, in: registry)
  if case .shortened = pattern { return pattern }
  guard pattern.identity != nil else {
    throw RSSIError(
      .usage,
      "`\(property)` \(text) is not one beacon: write UUID:MAJOR:MINOR, an address, or an identity as "
        + "`rssi export` prints it")
  }
  return pattern
}

/// Returns the name of a node in recordings: the identity of a beacon that the registry names, else
/// the text itself, as tables and receivers have names that no registry knows.
package func nodeID(_ text: String, of property: String, in registry: Registry) throws -> String {
  guard registry.beacons.contains(where: { $0.name == text }) || BeaconPattern(text) != nil,
    let identity = try oneBeacon(text, of: property, in: registry).identity
  else { return text }
  // What a table calls so itself is compared as text before its identity is.
  return BeaconPattern(text)?.identity == identity ? text : identity.description
}
