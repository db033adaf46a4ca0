import Advertising
import Testing

@Suite struct IBeaconTests {
  private let data: [UInt8] =
    [0x4C, 0x00, 0x02, 0x15] + (0..<16).map { UInt8($0 * 17) } + [1, 2, 3, 4, 0xC5]

  @Test func `fields are read in their byte order`() throws {
    let decodedBeacon = IBeacon(manufacturerData: data.span)
    let beacon = try #require(decodedBeacon)
    #expect(beacon.uuid.description == "00112233-4455-6677-8899-AABBCCDDEEFF")
    #expect(beacon.major == 0x0102)
    #expect(beacon.minor == 0x0304)
    #expect(beacon.measuredPower == -59)
    #expect(beacon.advertisingData == [2, 1, 6, 26, 0xFF] + data)
  }

  @Test(arguments: 0..<4)
  func `every fixed byte matters`(offset: Int) {
    var other = data
    other[offset] ^= 1
    let decoded = IBeacon(manufacturerData: other.span)
    #expect(decoded == nil)
  }
}
