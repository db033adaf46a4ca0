import Advertising
import Testing

@Suite struct EddystoneTests {
  @Test func `a UID may lack its reserved bytes`() throws {
    let data: [UInt8] = [0xAA, 0xFE, 0x00, 0xEE] + (0..<16).map { UInt8($0) }
    let decodedShort = EddystoneUID(serviceData: data.span)
    let short = try #require(decodedShort)
    let decodedLong = EddystoneUID(serviceData: (data + [0, 0]).span)
    let long = try #require(decodedLong)
    #expect(short == long)
    #expect(short.namespace.description == "00010203040506070809")
    #expect(short.instance.description == "0A0B0C0D0E0F")
    #expect(short.power0m == -18)
    #expect(short.measuredPower == -59)
    let longer = EddystoneUID(serviceData: (data + [0]).span)
    #expect(longer == nil)
  }

  @Test(arguments: [(-100, nil), (-88, nil), (-87, -128), (20, -21), (21, nil)] as [(Int8, Int8?)])
  func `power at one metre is nil where it cannot be`(power0m: Int8, expected: Int8?) throws {
    let id = try #require(Identifier<8>("0011223344556677"))
    #expect(EddystoneEID(id: id, power0m: power0m).measuredPower == expected)
  }

  @Test func `unmeasured telemetry is nil`() throws {
    let data: [UInt8] = [0xAA, 0xFE, 0x20, 0, 0, 0, 0x80, 0, 0, 0, 1, 0, 0, 0, 0, 10]
    let decodedTelemetry = EddystoneTLM(serviceData: data.span)
    let telemetry = try #require(decodedTelemetry)
    #expect(telemetry.batteryVoltage == nil)
    #expect(telemetry.temperature == nil)
    #expect(telemetry.advertisementCount == 256)
    #expect(telemetry.uptimeTenths == 10)
    #expect(telemetry.advertisingData.suffix(16) == data[...])
  }

  @Test func `temperature is signed`() throws {
    let data: [UInt8] = [0xAA, 0xFE, 0x20, 0, 0x0B, 0xB8, 0xFE, 0x80, 0, 0, 0, 1, 0, 0, 0, 10]
    let decodedTelemetry = EddystoneTLM(serviceData: data.span)
    let telemetry = try #require(decodedTelemetry)
    #expect(telemetry.batteryVoltage == 3000)
    #expect(telemetry.temperature == -1.5)
  }
}
