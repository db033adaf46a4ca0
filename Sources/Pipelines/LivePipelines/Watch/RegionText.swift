import Advertising
package import Proximity

/// A region as users write it: `[NAME=]PATTERN[@ZONE,ZONE]`.
package struct RegionText: Equatable, Sendable {
  /// A beacon, beacons of one identifier, or a name of the registry.
  package let beacon: String
  /// The beacon where no other name is given.
  package let name: String
  /// The zones in which beacons count.
  package let zones: ZoneSet

  /// Nil for text of another form.
  package init?(_ text: String) {
    var rest = text[...]
    var zones = ZoneSet.all
    if let at = rest.lastIndex(of: "@") {
      guard let set = Self.zones(rest[rest.index(after: at)...]) else { return nil }
      zones = set
      rest = rest[..<at]
    }
    var name: Substring?
    // Neither identities nor their names hold an equals sign, but a URL may.
    if let equals = rest.firstIndex(of: "="), !rest.lowercased().hasPrefix("eddystone-url:") {
      name = rest[..<equals]
      rest = rest[rest.index(after: equals)...]
    }
    guard !rest.isEmpty, name?.isEmpty != true else { return nil }
    beacon = String(rest)
    self.name = String(name ?? rest)
    self.zones = zones
  }

  /// Zones with commas between them; nil if a word is not a zone.
  private static func zones(_ words: Substring) -> ZoneSet? {
    let zones = words.split(separator: ",", omittingEmptySubsequences: false).map { word in
      Zone.allCases.first { $0.description == word }
    }
    guard !zones.isEmpty, !zones.contains(nil) else { return nil }
    return ZoneSet(zones.compactMap(\.self))
  }
}
