import Advertising
import Testing

@Suite struct LegacyReportTests {
  @Test(arguments: [(0, 0x13), (1, 0x15), (2, 0x12), (3, 0x10), (4, 0x1B)] as [(UInt8, UInt16)])
  func `every event type has its extended form`(legacy: UInt8, extended: UInt16) throws {
    let result = try decode([legacyEvent([legacyReport(type: legacy)])], adapter: 3)
    var expected = AdvertisingReport(
      time: 0, address: DeviceAddress(bits: 0xAABB_CCDD_EEFF, type: 1), rssi: -60,
      eventType: extended)
    expected.adapter = 3
    #expect(result.collector.reports == [expected])
    #expect(result.collector.payloads == [[2, 1, 6]])
    #expect(result.counts.rejections.total == 0)
  }

  @Test func `several reports of an event follow each other whole`() throws {
    let result = try decode([
      legacyEvent([
        legacyReport(last: 1, data: [1, 2, 3, 4], rssi: -41),
        legacyReport(last: 2, data: [], rssi: -42),
        legacyReport(last: 3, data: [9], rssi: -43),
      ])
    ])
    #expect(result.collector.reports.map(\.rssi) == [-41, -42, -43])
    #expect(result.collector.reports.map { $0.address.bits & 0xFF } == [1, 2, 3])
    #expect(result.collector.payloads == [[1, 2, 3, 4], [], [9]])
    #expect(result.counts.packetsWithSeveralReports == 1)
  }

  @Test(arguments: Int8.min...Int8.max)
  func `strength is a number only where a radio can measure it`(byte: Int8) throws {
    let rssi = try decode([legacyEvent([legacyReport(rssi: byte)])]).collector.reports[0].rssi
    if byte >= -127 && byte <= 20 { #expect(rssi == Float(byte)) } else { #expect(rssi.isNaN) }
  }

  @Test func `reserved values refuse their report only`() throws {
    let good = legacyReport(last: 7)
    let result = try decode([
      legacyEvent([legacyReport(type: 5), good]),
      legacyEvent([legacyReport(addressType: 4), good]),
    ])
    #expect(result.collector.reports.count == 2)
    #expect(result.counts.rejections[.reservedEventType] == 1)
    #expect(result.counts.rejections[.reservedAddressType] == 1)
  }

  @Test func `data above thirty one bytes are delivered`() throws {
    let result = try decode([legacyEvent([legacyReport(data: [UInt8](repeating: 1, count: 62))])])
    #expect(result.collector.payloads.map(\.count) == [62])
  }
}
