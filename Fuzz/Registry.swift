import Registries

/// A list of beacons, as a server or a person gives it: what is taken can be written and read back,
/// and nothing of it steers a terminal.
func readRegistry(_ input: [UInt8]) {
  may {
    let list = try RegistryDocument(json: input, name: "list")
    for beacon in list.beacons {
      let texts =
        [beacon.name, beacon.description].compactMap(\.self) + beacon.notes.keys
        + beacon.notes.values
      precondition(
        texts.allSatisfy { CleanText($0).text == $0 && !$0.isEmpty }, "a text that steers")
      precondition(
        [beacon.x, beacon.y, beacon.z].allSatisfy { abs($0 ?? 0) <= 1e6 }, "a place far off")
      precondition((-127...20).contains(beacon.measuredPower ?? 0), "a power that cannot be")
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
