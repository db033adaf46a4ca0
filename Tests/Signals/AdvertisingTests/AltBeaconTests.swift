import Advertising
import Testing

@Suite struct AltBeaconTests {
  private let data: [UInt8] = [0x18, 0x01, 0xBE, 0xAC] + (1...20).map { UInt8($0) } + [0xC5, 0x77]

  @Test func `fields are read in their byte order`() throws {
    let decodedBeacon = AltBeacon(manufacturerData: data.span)
    let beacon = try #require(decodedBeacon)
    #expect(beacon.company == 0x0118)
    #expect(beacon.id.description == "0102030405060708090A0B0C0D0E0F1011121314")
    #expect(beacon.measuredPower == -59)
    #expect(beacon.reserved == 0x77)
    #expect(beacon.advertisingData == [27, 0xFF] + data)
  }

  @Test(arguments: 2..<4)
  func `every fixed byte matters`(offset: Int) {
    var other = data
    other[offset] ^= 1
    let decoded = AltBeacon(manufacturerData: other.span)
    #expect(decoded == nil)
  }
}
