import Advertising
import ArgumentParser
import Proximity

/// A region as the command line writes it: `[NAME=]PATTERN[@ZONE,ZONE]`.
struct RegionArgument: ExpressibleByArgument {
  let region: Region

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
    guard let pattern = BeaconPattern(String(rest)), name?.isEmpty != true else { return nil }
    region = Region(name: String(name ?? rest), pattern: pattern, zones: zones)
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
