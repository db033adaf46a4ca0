import Registries

/// Reads a list of beacons from a server or a user: an accepted list can be written and read back,
/// and does not control a terminal.
func readRegistry(_ input: [UInt8]) {
  may {
    let list = try RegistryDocument(json: input, name: "list")
    for beacon in list.beacons {
      let texts =
        [beacon.name, beacon.description].compactMap(\.self) + beacon.notes.keys
        + beacon.notes.values
      precondition(
        texts.allSatisfy { CleanText($0).text == $0 && !$0.isEmpty },
        "a text that controls the terminal")
      precondition(
        [beacon.x, beacon.y, beacon.z].allSatisfy { abs($0 ?? 0) <= 1e6 }, "a place far off")
      precondition((-127...20).contains(beacon.measuredPower ?? 0), "an impossible power")
    }
    var kept = RegistryDocument(list.beacons)
    kept.source = list.source
    let again = try RegistryDocument(json: Array(kept.text.utf8), name: "list")
    precondition(again == kept, "a registry changes when it is written")
    _ = try RegistryCheck(list)
  }
  may {
    let list = try RegistryDocument(path: file(input))
    _ = try RegistryCheck(list)
  }
}
