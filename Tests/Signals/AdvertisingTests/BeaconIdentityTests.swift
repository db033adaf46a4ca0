import Advertising
import Testing

@Suite struct BeaconIdentityTests {
  @Test func `descriptions are those of the files`() throws {
    let address = DeviceAddress(bits: 0x0ABB_CCDD_EE0F, type: 1)
    let identities = try sampleFrames().map { BeaconIdentity($0, address: address) }
    #expect(
      identities.map(\.description) == [
        "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:258:772",
        "altbeacon:000102030405060708090A0B0C0D0E0F10111213",
        "eddystone-uid:EDD1EBEAC04E5DEFA017:0BDB87539B67",
        "eddystone-url:https://www.example.com/a", "addr:0A:BB:CC:DD:EE:0F",
        "addr:0A:BB:CC:DD:EE:0F", "eddystone-eid:0011223344556677",
      ])
    #expect(
      identities.map(\.kind) == [
        .iBeacon, .altBeacon, .eddystoneUID, .eddystoneURL, .other, .other, .eddystoneEID,
      ])
    #expect(Set(identities).count == 6)
    #expect(BeaconIdentity(.other, address: address) == identities[4])
  }

  @Test func `kinds have their names`() {
    #expect(
      BeaconKind.allCases.map(\.rawValue) == [
        "ibeacon", "altbeacon", "eddystone-uid", "eddystone-url", "eddystone-tlm", "eddystone-eid",
        "other",
      ])
  }
}
