import Registries
import Support
import TestSupport
import Testing

struct RegistryFuzzTests {
  /// A list that lacks its end is none, wherever it was cut.
  @Test func `a truncated list is refused`() throws {
    let whole = Array(fullList.utf8)
    for length in 0..<whole.count {
      #expect(throws: RSSIError.self) {
        try RegistryDocument(json: Array(whole[..<length]), name: "list")
      }
    }
  }

  /// Whatever is changed: no crash, and what is taken keeps all rules and can be written and read
  /// back.
  @Test func `changed lists keep the rules`() throws {
    var random = SeededGenerator(seed: 11)
    let whole = Array(fullList.utf8)
    let pieces = [
      "\"", "{", "}", "[", "]", ",", ":", "1e999", "-", "null", "\\u001b", "\\ud800", "\u{202E}",
      "0", "9",
    ]
    .map { Array($0.utf8) }
    var taken = 0
    for _ in 0..<20_000 {
      var text = whole
      for _ in 0...Int.random(in: 0...2, using: &random) {
        let place = Int.random(in: 0..<text.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: text[place] = UInt8.random(in: 0...255, using: &random)
        case 1: text.remove(at: place)
        case 2: text.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: place)
        default:
          let end = min(text.count, place + Int.random(in: 1...40, using: &random))
          text.insert(
            contentsOf: text[place..<end], at: Int.random(in: 0...text.count, using: &random))
        }
      }
      guard let list = try? RegistryDocument(json: text, name: "list") else { continue }
      taken += 1
      for beacon in list.beacons { requireRules(beacon) }
      var written = RegistryDocument(list.beacons)
      written.source = list.source
      #expect(try document(written.text) == written)
    }
    #expect(taken > 1000)
  }

  private func requireRules(_ beacon: RegisteredBeacon) {
    #expect((beacon.x == nil) == (beacon.y == nil))
    for value in [beacon.x, beacon.y, beacon.z].compactMap(\.self) { #expect(abs(value) <= 1e6) }
    if let power = beacon.measuredPower { #expect((-127...20).contains(power)) }
    if let range = beacon.range { #expect(range > 0 && range.isFinite) }
    let texts =
      [beacon.name, beacon.description].compactMap(\.self) + beacon.notes.keys + beacon.notes.values
    for text in texts {
      #expect(!text.isEmpty && CleanText(text).text == text && text.utf8.count <= 4096)
    }
  }
}
