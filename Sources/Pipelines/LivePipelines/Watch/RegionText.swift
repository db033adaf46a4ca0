import Advertising
package import Proximity
package import Support

/// A region as users write it: `[NAME=]PATTERN[@ZONE,ZONE]`.
package struct RegionText: Equatable, Sendable {
  /// A beacon, beacons of one identifier, or a name of the registry.
  package let beacon: String
  /// A beacon, beacons of one identifier, or a name in the registry.
  package let name: String
  /// The zones in which beacons count.
  package let zones: ZoneSet

  /// - Throws: `RSSIError` of kind `usage` for text of another form.
  package init(_ text: String) throws(RSSIError) {
    var rest = text[...]
    var zones = ZoneSet.all
    if let at = rest.lastIndex(of: "@") {
      zones = try Self.zones(rest[rest.index(after: at)...])
      rest = rest[..<at]
    }
    var name: Substring?
    // Neither identities nor their names hold an equals sign, but a URL may.
    if let equals = rest.firstIndex(of: "="), !rest.lowercased().hasPrefix("eddystone-url:") {
      name = rest[..<equals]
      rest = rest[rest.index(after: equals)...]
    }
    if rest.isEmpty { throw RSSIError(.usage, "missing beacon: write [NAME=]PATTERN[@ZONES]") }
    if name?.isEmpty == true { throw RSSIError(.usage, "the name before = is empty") }
    beacon = String(rest)
    self.name = String(name ?? rest)
    self.zones = zones
  }

  /// Reads zones separated by commas.
  private static func zones(_ words: Substring) throws(RSSIError) -> ZoneSet {
    let names = Zone.allCases.map(\.description)
    var zones: [Zone] = []
    for word in words.split(separator: ",", omittingEmptySubsequences: false) {
      guard let zone = Zone.allCases.first(where: { $0.description == word }) else {
        throw RSSIError(
          .usage,
          "unknown zone \"\(word)\"\(didYouMean(String(word), among: names)): choose from "
            + names.joined(separator: ", "))
      }
      zones.append(zone)
    }
    return ZoneSet(zones)
  }
}
