import Advertising
import ArgumentParser
import Proximity
import Registries
import Support

/// A region as the command line writes it: `[NAME=]PATTERN[@ZONE,ZONE]`.
struct RegionArgument: ExpressibleByArgument {
  /// A beacon, beacons of one identifier, or a name of the registry.
  private let beacon: String
  private let name: String
  private let zones: ZoneSet

  init?(argument: String) {
    var rest = argument[...]
    var zones = ZoneSet.all
    if let at = rest.lastIndex(of: "@") {
      guard let set = ZoneSet(words: rest[rest.index(after: at)...]) else { return nil }
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

  /// - Throws: a `RSSIError` where nothing has this name, or several beacons have it.
  func region(_ registry: Registry) throws -> Region {
    Region(
      name: name, pattern: try beaconPattern(beacon, of: "--region", in: registry), zones: zones)
  }
}

extension ZoneSet {
  /// Zones with commas between them; nil where a word is no zone.
  init?(words: Substring) {
    let zones = words.split(separator: ",", omittingEmptySubsequences: false).map { word in
      Zone.allCases.first { $0.description == word }
    }
    guard !zones.isEmpty, !zones.contains(nil) else { return nil }
    self.init(zones.compactMap { $0 })
  }
}
