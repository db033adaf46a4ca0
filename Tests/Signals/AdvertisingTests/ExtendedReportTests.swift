import Advertising
import Testing

@Suite struct ExtendedReportTests {
  @Test func `every field is read`() throws {
    let result = try decode([extendedEvent([extendedReport(type: 0x8013, rssi: -77)])], adapter: 2)
    var expected = AdvertisingReport(
      time: 0, address: DeviceAddress(bits: 0xAABB_CCDD_EEFF, type: 1), rssi: -77,
      eventType: 0x8013)
    expected.adapter = 2
    expected.secondaryPHY = 2
    expected.sid = 5
    expected.txPower = 7
    #expect(result.collector.reports == [expected])
    #expect(result.collector.payloads == [[2, 1, 6]])
  }

  @Test func `an anonymous advertisement has no address`() throws {
    let result = try decode([extendedEvent([extendedReport(addressType: 0xFF)])])
    #expect(result.collector.reports[0].address == DeviceAddress(bits: 0, type: 0xFF))
  }

  @Test func `truncated by the controller`() throws {
    let result = try decode([extendedEvent([extendedReport(type: 0x40)])])
    #expect(result.collector.reports.map(\.dataStatus) == [2])
    #expect(result.collector.reports.map(\.eventType) == [0])
  }

  @Test func `reserved values refuse their report only`() throws {
    let good = extendedReport(last: 7)
    let result = try decode([
      extendedEvent([extendedReport(type: 0x60), good]),
      extendedEvent([extendedReport(addressType: 0xFE), good]),
    ])
    #expect(result.collector.reports.count == 2)
    #expect(result.counts.rejections[.reservedDataStatus] == 1)
    #expect(result.counts.rejections[.reservedAddressType] == 1)
  }
}
