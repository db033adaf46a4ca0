import Sightings
import Testing

@Suite("Measured power as beacons advertise it")
struct AdvertisedPowerTests {
  /// The iBeacon specification's own example is 0xC5 for -59 dBm; Eddystone's is -18 dBm for -59.
  @Test(
    arguments: [
      (-59.0, -59, "0xC5", -18), (-58.5, -59, "0xC5", -18), (-58.499, -58, "0xC6", -17),
      (-59.49, -59, "0xC5", -18), (-59.5, -60, "0xC4", -19), (-0.4, 0, "0x00", nil),
      (-20.6, -21, "0xEB", 20), (-20.4, -20, "0xEC", nil), (-100, -100, "0x9C", -59),
      (-128.4, -128, "0x80", -87),
    ] as [(Double, Int, String, Int?)])
  func `rounds half away from zero`(
    power: Double, rounded: Int, hexadecimal: String, eddystone: Int?
  ) {
    let advertised = AdvertisedPower(power)
    #expect(advertised.rounded == rounded)
    #expect(advertised.byte.map(Int.init) == rounded)
    #expect(advertised.hexadecimal == hexadecimal)
    #expect(advertised.eddystone.map(Int.init) == eddystone)
    #expect(advertised.refusals.count == (eddystone == nil ? 1 : 0))
  }

  @Test(arguments: [-128.5, -141.6, 127.5, 1e300])
  func `refuses values beyond a byte, with the reason`(power: Double) {
    let advertised = AdvertisedPower(power)
    #expect(advertised.byte == nil && advertised.hexadecimal == nil)
    #expect(advertised.refusals.contains { $0.contains("a signed byte") })
  }

  @Test(arguments: -128...127)
  func `agrees with two's complement for every byte`(power: Int) {
    let hexadecimal = AdvertisedPower(Double(power)).hexadecimal
    #expect(hexadecimal.flatMap { Int($0.dropFirst(2), radix: 16) } == (power + 256) % 256)
    #expect(hexadecimal?.count == 4)
  }
}
