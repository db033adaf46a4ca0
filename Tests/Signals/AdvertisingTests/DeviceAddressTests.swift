import Advertising
import Testing

@Suite struct DeviceAddressTests {
  @Test func `printed most significant byte first`() {
    #expect(DeviceAddress(bits: 0x01AB_00CD_EF09, type: 0).description == "01:AB:00:CD:EF:09")
  }

  @Test func `only forty eight bits are kept`() {
    #expect(DeviceAddress(bits: .max, type: 0).bits == 0xFFFF_FFFF_FFFF)
  }
}
