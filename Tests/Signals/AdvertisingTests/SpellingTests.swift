import Advertising
import Testing

/// Numbers that are the same in every run (Steele, Lea, Flood 2014, SplitMix64).
private struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}

@Suite("Usual spellings of addresses and identities")
struct SpellingTests {
  /// Digits of a number, two or four between separators.
  private static func spelled(_ digits: String, by width: Int, _ separator: String) -> String {
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, index % width == 0 { text += separator }
      text.append(digit)
    }
    return text
  }

  private static func hexadecimal(_ number: UInt64, digits: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: digits - text.count) + text
  }

  @Test func `every spelling of an address is the same`() {
    var numbers = Numbers(state: 1)
    for _ in 0..<200 {
      let bits = numbers.next() & 0xFFFF_FFFF_FFFF
      let digits = Self.hexadecimal(bits, digits: 12)
      let canonical = Self.spelled(digits, by: 2, ":")
      var spellings = [digits, Self.spelled(digits, by: 4, ".")]
      for separator in [":", "-", ".", "_", " "] {
        spellings.append(Self.spelled(digits, by: 2, separator))
      }
      spellings += spellings.flatMap { ["addr:\($0)", "0x\($0)", "ADDR:0x\($0)", "mac:\($0)"] }
      spellings += spellings.flatMap {
        ["\($0) (random)", "\($0) (public)", "\($0)(random static)"]
      }
      spellings += spellings.map { $0.lowercased() }
      for spelling in spellings {
        #expect(DeviceAddress(spelling)?.description == canonical, "\(spelling)")
        #expect(BeaconPattern(spelling) == .address(bits), "\(spelling)")
      }
    }
  }

  @Test func `every spelling of a UUID is the same`() throws {
    var numbers = Numbers(state: 2)
    for _ in 0..<100 {
      let digits = (0..<2).map { _ in Self.hexadecimal(numbers.next(), digits: 16) }.joined()
      let (major, minor) = (UInt16.random(in: 0 ... .max, using: &numbers), UInt16(7))
      let uuid = try #require(Identifier<16>(digits))
      let canonical = "\(uuid)"
      #expect(canonical.filter { $0 != "-" } == digits)
      let identity = BeaconIdentity.iBeacon(uuid: uuid, major: major, minor: minor)
      for spelling in [
        digits, canonical, "{\(canonical)}", "urn:uuid:\(canonical)", "0x\(digits)",
        "{\(digits)}", "urn:uuid:{\(canonical)}",
      ] {
        for text in [spelling, spelling.lowercased()] {
          #expect(Identifier<16>(text) == uuid, "\(text)")
          #expect(
            BeaconPattern(text) == .iBeacon(uuid: uuid, major: nil, minor: nil), "\(text)")
          for separator in [":", "-", "_", "/"] {
            let numbered = "\(text)\(separator)\(major)\(separator)\(minor)"
            for prefix in ["", "ibeacon:", "iBeacon:"] {
              #expect(BeaconPattern(prefix + numbered)?.identity == identity, "\(numbered)")
            }
          }
        }
      }
    }
  }

  /// What parses is an identity that is written and read again without a change; nothing traps.
  @Test func `any text is an identity or none`() {
    var numbers = Numbers(state: 3)
    let letters = Array("0123456789abcdefABCDEF:-._ {}x()g…é/,=")
    let starts = ["", "ibeacon:", "addr:", "eddystone-uid:", "urn:uuid:", "{", "0x", "altbeacon:"]
    for _ in 0..<50_000 {
      let length = Int.random(in: 0...48, using: &numbers)
      let text =
        starts.randomElement(using: &numbers)!
        + String((0..<length).map { _ in letters.randomElement(using: &numbers)! })
      guard let pattern = BeaconPattern(text) else { continue }
      guard let identity = pattern.identity else { continue }
      #expect(pattern.matches(identity))
      #expect(BeaconPattern("\(identity)")?.identity == identity, "\(text)")
    }
  }

  @Test(arguments: [
    "desk-1", "B01", "phone", "AABBCCDDEEF", "AABBCCDDEEFFA", "AABBCCDDEEFG", "AA:BB-CC:DD:EE:FF",
    "AA:BBCC:DD:EE:FF", "aabb.ccdd.eeff.0011", "aabb.ccdd-eeff", "AA:BB:CC:DD:EE:FF (desk)",
    "AA:BB:CC:DD:EE:FF x", "0x", "addr:", "(random)", "1", "1:", ":3", "1:3:5:7", "65536:1", "a:3",
    "5E1F…", "…:1", "…", "5G1F…:1:3", "+1:3", "1:-3", "anchor:1:3", "hci0", "12:30:45 (noon)",
  ])
  func `names stay names`(_ text: String) { #expect(BeaconPattern(text) == nil, "\(text)") }

  @Test(arguments: [
    "1:3", "…:1:3", "...:1:3", "5E1F…:1:3", "5e1f...:1:3", "ibeacon:…:1:3", "ibeacon:5E1F…:1:3",
    "ibeacon:1:3", "5E1F0A3C-7B…:1:3", "iBeacon:5e1f0a3c-7b42…:1:3",
  ])
  func `shortened identities fit by their parts`(_ text: String) throws {
    let pattern = try #require(BeaconPattern(text), "\(text)")
    let uuid = try #require(Identifier<16>("5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365"))
    let other = try #require(Identifier<16>("6E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365"))
    #expect(pattern.identity == nil)
    #expect(pattern.matches(.iBeacon(uuid: uuid, major: 1, minor: 3)))
    #expect(!pattern.matches(.iBeacon(uuid: uuid, major: 1, minor: 4)))
    #expect(!pattern.matches(.iBeacon(uuid: uuid, major: 3, minor: 1)))
    #expect(!pattern.matches(.address(0x0001_0003)))
    let hasDigits = text.contains("5E1F") || text.contains("5e1f")
    #expect(pattern.matches(.iBeacon(uuid: other, major: 1, minor: 3)) != hasDigits)
  }
}
