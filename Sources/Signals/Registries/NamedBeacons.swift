package import Advertising
import Sightings
package import Support

/// Returns the beacons that a text means: an identity, a part of one or an address in any spelling;
/// a name in the registry or in a trace; or a shortened identity as in reports, which means the only
/// matching entry of the registry, else any received beacon. The result is empty if it is none of
/// these.
///
/// - Throws: `RSSIError` if a shortened identity matches several entries.
package func beaconPatterns(
  _ text: String, in registry: Registry
) throws(RSSIError) -> [BeaconPattern] {
  let pattern = BeaconPattern(text)
  // A name may look like a short identity or an address without separators, but not like this.
  if let identity = pattern?.identity, identity.description == text { return [.init(identity)] }
  let named = registry.beacons(named: text).compactMap { BeaconPattern($0)?.identity }
  if !named.isEmpty { return named.map { BeaconPattern($0) } }
  guard case .shortened(let short) = pattern else { return pattern.map { [$0] } ?? [] }
  let fitting = registry.beacons.map(\.identity).filter(short.matches)
  guard fitting.count < 2 else { throw ambiguous(text, fitting.map(\.description), .usage) }
  return fitting.map { BeaconPattern($0) } + (fitting.isEmpty ? [.shortened(short)] : [])
}

/// Returns the pattern that a property of a request means: one beacon, or those of one identifier.
///
/// - Throws: `RSSIError` if a text is neither a beacon nor a name, or several beacons have the
///   name.
package func beaconPattern(
  _ text: String, of property: String, in registry: Registry
) throws -> BeaconPattern {
  let patterns = try beaconPatterns(text, in: registry)
  guard let pattern = patterns.first else {
    throw RSSIError(
      .usage,
      "`\(property)` \(text): expected a beacon or a name in the registry or the trace: UUID, "
        + "UUID:MAJOR, UUID:MAJOR:MINOR, an address, or an identity as `rssi export` prints it"
    )
  }
  guard patterns.count == 1 else {
    throw RSSIError(
      .usage,
      "`\(property)` \(text): \(patterns.count) beacons have this name: give an identity, "
        + listed(patterns.compactMap { $0.identity.map { "\($0)" } }))
  }
  return pattern
}

/// Returns the one beacon that a property means: an identity, or a shortened one.
///
/// - Throws: As `beaconPattern`, and for a part of an identity, which several beacons may have.
package func oneBeacon(
  _ text: String, of property: String, in registry: Registry
) throws -> BeaconPattern {
  let pattern = try beaconPattern(text, of: property, in: registry)
  if case .shortened = pattern { return pattern }
  guard pattern.identity != nil else {
    throw RSSIError(
      .usage,
      "`\(property)` \(text): expected one beacon: UUID:MAJOR:MINOR, an address, or an identity "
        + "as `rssi export` prints it")
  }
  return pattern
}

/// Returns the name of a node in recordings: the identity of a beacon in the registry or a trace,
/// else the text itself, because tables and receivers have names that no registry contains.
package func nodeID(_ text: String, of property: String, in registry: Registry) throws -> String {
  let named = registry.beacons(named: text)
  // Beacons of tables have names in place of identities.
  if named.count == 1, BeaconPattern(named[0])?.identity == nil { return named[0] }
  guard !named.isEmpty || BeaconPattern(text) != nil,
    let identity = try oneBeacon(text, of: property, in: registry).identity
  else { return text }
  // A name in a table is compared as text before its identity is.
  return BeaconPattern(text)?.identity == identity ? text : identity.description
}
