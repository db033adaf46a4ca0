import Support
import TestSupport
import Testing

@testable import Advertising

/// Frames made of identities: exactly what the decoders read, and what others publish.
@Suite struct BeaconFrameIdentityTests {
  private func identity(_ text: String) throws -> BeaconIdentity {
    try #require(BeaconPattern(text)?.identity)
  }

  private func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.filter { !$0.isWhitespace }
    return stride(from: 0, to: digits.count, by: 2).map { offset in
      let start = digits.index(digits.startIndex, offsetBy: offset)
      return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16) ?? 0
    }
  }

  /// Published advertising data, to the byte.
  @Test(arguments: [
    // Epson TM-m30II, Technical Reference Guide, appendix: the printer's own iBeacon.
    (
      "ibeacon:fac1ba2f-61a2-4d83-9a8c-60087c232569:46:7", -67,
      "02 01 06 1a ff 4c 00 02 15 fac1ba2f61a24d839a8c60087c232569 002e 0007 bd"
    ),
    // Apple's AirLocate, by the layout of its Proximity Beacon Specification.
    (
      "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:0:0", -59,
      "02 01 06 1a ff 4c 00 02 15 e2c56db5dffb48d2b060d0f5a71096e0 0000 0000 c5"
    ),
    // AltBeacon's reference library, AltBeaconTest, without the flags that the format has not.
    (
      "altbeacon:2f234454cf6d4a0fadf2f4911ba9ffa600010002", -59,
      "1b ff 1801 beac 2f234454cf6d4a0fadf2f4911ba9ffa600010002 c5 00"
    ),
    // Espruino's Eddystone-UID of the namespace of placesgraph1.microsoft.com: -8 dBm at 0 m.
    (
      "eddystone-uid:e157bd5df90aad1dc2fb:000000000001", -49,
      "02 01 06 03 03 aa fe 17 16 aa fe 00 f8 e157bd5df90aad1dc2fb 000000000001 0000"
    ),
    // A line for hcitool from many tutorials: https://myp.me?A, 0 dBm at 0 m.
    (
      "eddystone-url:https://myp.me?A", -41,
      "02 01 06 03 03 aa fe 0e 16 aa fe 10 00 03 6d 79 70 2e 6d 65 3f 41"
    ),
  ])
  func `published examples`(text: String, power: Int, expected: String) throws {
    let frame = try BeaconFrame(identity(text), measuredPower: power)
    #expect(frame.advertisingData == bytes(expected))
  }

  /// Whatever the identity and the power, decoding gives them again, and the data fit.
  @Test func `decoding gives identity and power again`() throws {
    var random = SeededGenerator(seed: 7)
    func digits(_ count: Int) -> String {
      (0..<2 * count).map { _ in String(Int.random(in: 0..<16, using: &random), radix: 16) }
        .joined()
    }
    let expansions = [
      ".com/", ".org/", ".edu/", ".net", ".info", ".biz/", ".gov", ".co", "a", "%7E", "/",
    ]
    for _ in 0..<2000 {
      let url =
        ["http://www.", "https://www.", "http://", "https://"].randomElement(using: &random)! + "x"
        + (0..<Int.random(in: 0...4, using: &random)).map { _ in
          expansions.randomElement(using: &random)!
        }.joined()
      let texts = [
        "ibeacon:\(digits(16)):\(UInt16.random(in: 0...65535, using: &random)):\(UInt16.random(in: 0...65535, using: &random))",
        "altbeacon:\(digits(20))", "eddystone-uid:\(digits(10)):\(digits(6))",
        "eddystone-url:\(url)",
      ]
      let text = texts.randomElement(using: &random)!
      let power = Int.random(in: -127 ... -21, using: &random)
      let identity = try identity(text)
      let frame = try BeaconFrame(identity, measuredPower: power)
      let data = frame.advertisingData
      #expect(data.count <= 31)
      let decoded = BeaconFrame(payload: data.span)
      #expect(decoded == frame)
      #expect(decoded.measuredPower == Int8(power))
      #expect(BeaconIdentity(decoded, address: DeviceAddress(bits: 0, type: 0)) == identity)
    }
  }

  /// No way of writing an address with expansions is shorter than the one that is sent.
  @Test func `addresses are compressed as far as they go`() throws {
    let table =
      [".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/"]
      + [".com", ".org", ".edu", ".net", ".info", ".biz", ".gov"]
    func shortest(_ rest: Substring) -> Int {
      guard !rest.isEmpty else { return 0 }
      return table.filter { rest.hasPrefix($0) }.map { 1 + shortest(rest.dropFirst($0.count)) }
        .reduce(1 + shortest(rest.dropFirst())) { min($0, $1) }
    }
    var random = SeededGenerator(seed: 11)
    let parts = [".com", ".com/", ".in", ".info", ".infos/", "a", ".", "/", ".gov.", ".org//"]
    for _ in 0..<500 {
      let rest = (0..<4).map { _ in parts.randomElement(using: &random)! }.joined()
      let count = shortest(rest[...])
      guard let frame = EddystoneURL(url: "https://" + rest, power0m: 0) else {
        #expect(count > 17, "\(rest)")
        continue
      }
      #expect(frame.advertisingData.count == 14 + count, "\(rest)")
    }
  }

  @Test(arguments: [
    ("ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:0:0", -127...20),
    ("altbeacon:2f234454cf6d4a0fadf2f4911ba9ffa600010002", -127...0),
    ("eddystone-uid:e157bd5df90aad1dc2fb:000000000001", -128 ... -21),
    ("eddystone-url:https://a.com", -128 ... -21),
  ])
  func `powers that no frame can contain`(text: String, limits: ClosedRange<Int>) throws {
    let identity = try identity(text)
    for power in [limits.lowerBound, limits.upperBound] {
      #expect(try BeaconFrame(identity, measuredPower: power).measuredPower == Int8(power))
    }
    for power in [limits.lowerBound - 1, limits.upperBound + 1, .min / 2, .max / 2] {
      let error = #expect(throws: RSSIError.self) {
        try BeaconFrame(identity, measuredPower: power)
      }
      #expect(error?.kind == .usage)
      #expect(error?.advice?.contains("to \(limits.upperBound)") == true)
    }
  }

  @Test(arguments: [
    ("eddystone-url:ftp://a.com", "\(EddystoneURL.Refusal.scheme)"),
    ("eddystone-url:https://", "\(EddystoneURL.Refusal.scheme)"),
    ("eddystone-url:https://ä.de", "\(EddystoneURL.Refusal.character)"),
    ("eddystone-url:https://abcdefghijklmnopqr", "\(EddystoneURL.Refusal.length(18))"),
    ("eddystone-eid:0102030405060708", "eddystone-uid"),
    ("addr:AA:BB:CC:DD:EE:FF", "address"),
  ])
  func `identities that no frame carries`(text: String, words: String) throws {
    let identity = try identity(text)
    let error = #expect(throws: RSSIError.self) { try BeaconFrame(identity, measuredPower: -59) }
    #expect(error?.kind == .usage)
    #expect(error?.description.contains(words) == true)
  }

  @Test func `the company of an AltBeacon is chosen`() throws {
    let identity = try identity("altbeacon:2f234454cf6d4a0fadf2f4911ba9ffa600010002")
    let frame = try BeaconFrame(identity, measuredPower: -59, company: 0xABCD)
    #expect(frame.advertisingData[2...3] == [0xCD, 0xAB])
  }
}
