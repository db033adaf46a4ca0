import Advertising
import Testing

@Suite struct BeaconPatternTests {
  static let uuid = "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365"

  @Test(arguments: [
    (uuid, true), ("\(uuid):1", true), ("\(uuid):1:7", true), ("ibeacon:\(uuid):1:7", true),
    (uuid.lowercased(), true), (uuid.split(separator: "-").joined(), true),
    ("\(uuid):2", false), ("\(uuid):1:8", false), ("00000000-0000-0000-0000-000000000000", false),
    ("addr:AA:BB:CC:DD:EE:FF", false),
  ])
  func `means an iBeacon by its first parts`(_ text: String, _ isMeant: Bool) throws {
    let uuid = try #require(Identifier<16>(Self.uuid))
    let pattern = try #require(BeaconPattern(text))
    #expect(pattern.matches(.iBeacon(uuid: uuid, major: 1, minor: 7)) == isMeant)
  }

  @Test(arguments: [
    "", "ibeacon", "ibeacon:", "\(uuid):", "\(uuid):65536", "\(uuid):1:2:3", "\(uuid):-1", "12345",
    "addr:AA:BB:CC:DD:EE", "AA:BB:CC:DD:EE:GG", "A:BB:CC:DD:EE:FF", "+A:BB:CC:DD:EE:FF",
    "eddystone-uid:00", "eddystone-uid:00112233445566778899:0", "altbeacon:00", "eddystone-url",
  ])
  func `is nothing else`(_ text: String) { #expect(BeaconPattern(text) == nil) }

  @Test(arguments: [
    "ibeacon:\(uuid):1:7", "altbeacon:\(String(repeating: "0A", count: 20))",
    "eddystone-uid:00112233445566778899:AABBCCDDEEFF", "eddystone-eid:0011223344556677",
    "eddystone-url:https://example.com:8080/a", "addr:AA:BB:CC:DD:EE:FF",
  ])
  func `an identity means itself`(_ text: String) throws {
    let pattern = try #require(BeaconPattern(text))
    let identity = try #require(pattern.identity)
    #expect(identity.description == text)
    #expect(pattern.matches(identity))
  }

  @Test func `an identity in part means no single beacon`() {
    #expect(BeaconPattern("\(Self.uuid):1")?.identity == nil)
    #expect(BeaconPattern("eddystone-uid:00112233445566778899")?.identity == nil)
  }

  @Test func `a bare address is an address`() {
    #expect(BeaconPattern("aa:bb:cc:dd:ee:ff") == .address(0xAABB_CCDD_EEFF))
  }
}
