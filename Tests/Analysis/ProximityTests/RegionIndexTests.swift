import Advertising
import Proximity
import TestSupport
import Testing

struct RegionIndexTests {
  /// The same regions as asking each of them.
  @Test func `finds what each pattern matches`() throws {
    let uuids = ["E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365"]
    let namespaces = ["00112233445566778899", "AABBCCDDEEFF00112233"]
    var texts: [String] = []
    var ids: [String] = []
    for uuid in uuids {
      texts.append(uuid)
      for major in 0..<3 {
        texts.append("\(uuid):\(major)")
        for minor in 0..<3 { ids.append("ibeacon:\(uuid):\(major):\(minor)") }
      }
    }
    for namespace in namespaces {
      texts.append("eddystone-uid:\(namespace)")
      ids += (1...3).map { "eddystone-uid:\(namespace):00000000000\($0)" }
    }
    ids += ["addr:00:11:22:33:44:55", "addr:00:11:22:33:44:56", "eddystone-url:https://a.b/c"]
    ids += ["altbeacon:00112233445566778899AABBCCDDEEFF00112233", "eddystone-eid:0011223344556677"]
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<50 {
      let patterns = try (texts + ids).shuffled(using: &generator).prefix(12).map {
        try #require(BeaconPattern($0), "\($0)")
      }
      var regions = patterns.map { Region(name: "\($0)", patterns: [$0]) }
      regions.insert(Region(name: "all"), at: 5)
      regions.append(Region(name: "several", patterns: Array(patterns.prefix(4))))
      let index = RegionIndex(regions)
      for id in ids {
        let identity = try #require(BeaconPattern(id)?.identity)
        let expected = regions.indices.filter { number in
          let patterns = regions[number].patterns
          return patterns.isEmpty || patterns.contains { $0.matches(identity) }
        }
        #expect(index.regions(of: identity) == expected)
      }
      #expect(index.regions(of: nil) == [5])
    }
  }
}
