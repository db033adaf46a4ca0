import Testing

@testable import Capture

@Suite struct HCIStatusTests {
  @Test func `names are those of the specification`() {
    // Volume 1, part F, section 1.3.
    #expect(HCIStatus(rawValue: 0x0C).description == "Command Disallowed (0x0c)")
    #expect(HCIStatus(rawValue: 0x12).description == "Invalid HCI Command Parameters (0x12)")
    #expect(HCIStatus(rawValue: 0x2B).description == "status 0x2b")
    #expect(HCIStatus(rawValue: 0x3C).description == "Advertising Timeout (0x3c)")
    #expect(HCIStatus(rawValue: 0x44).description == "Operation Cancelled by Host (0x44)")
    #expect(HCIStatus(rawValue: 0x47).description == "Packet Too Early (0x47)")
    #expect(HCIStatus(rawValue: 0xFF).description == "status 0xff")
  }
}
