import Advertising
import Testing

@Suite struct DirectedReportTests {
  @Test func `levels addresses and event types`() throws {
    let (collector, counts) = try decode([
      directedEvent([directedReport(last: 1, rssi: -71), directedReport(last: 2, rssi: 127)])
    ])
    #expect(
      collector.reports.map(\.address.description) == [
        "AA:BB:CC:DD:EE:01", "AA:BB:CC:DD:EE:02",
      ])
    #expect(collector.reports.map(\.address.type) == [1, 1])
    #expect(collector.reports[0].rssi == -71)
    #expect(collector.reports[1].rssi.isNaN)
    // Connectable, directed, legacy: as LE Advertising Report writes the same PDU.
    #expect(collector.reports.map(\.eventType) == [0x15, 0x15])
    #expect(collector.payloads == [[], []])
    #expect(counts.packetsWithReports == 1 && counts.packetsWithSeveralReports == 1)
    #expect(counts.sightings == 2 && counts.reports == 2)
    #expect(counts.rejections.total == 0)
  }

  @Test func `reserved values are refused`() throws {
    var wrongType = directedReport()
    wrongType[0] = 0
    let reports = [wrongType, directedReport(addressType: 4), directedReport(rssi: -50)]
    let (collector, counts) = try decode([directedEvent(reports)])
    #expect(collector.reports.map(\.rssi) == [-50])
    #expect(counts.rejections[.reservedEventType] == 1)
    #expect(counts.rejections[.reservedAddressType] == 1)
    #expect(counts.rejectedReports == 2 && counts.reports == 3 && counts.packets == 1)
  }

  @Test func `every truncation`() throws {
    let event = directedEvent([directedReport(last: 1), directedReport(last: 2)])
    for length in 0..<event.count {
      let (collector, counts) = try decode([Array(event.prefix(length))])
      #expect(collector.reports.count == (length < 20 ? 0 : 1), "\(length)")
      #expect(counts.rejections[length < 4 ? .truncatedEvent : .truncatedReport] == 1)
      #expect(counts.packets == 1 && counts.rejectedPackets == (length < 4 ? 1 : 0))
      #expect(counts.rejectedReports == (length < 4 ? 0 : 1))
    }
  }

  @Test func `it is encoded as the legacy report of the same PDU`() throws {
    let told = try decode([directedEvent([directedReport(rssi: -71)])]).collector
    let payload = told.payloads[0]
    let events = HCIEventEncoder.events(of: told.reports[0], payload: payload.span)
    #expect(try decode(events).collector.reports == told.reports)
  }

  @Test func `events that announce reports`() {
    func announces(_ event: [UInt8]) -> Bool { event.span.announcesReports }
    let subevents = (UInt8.min...UInt8.max).filter { announces([0x3E, 1, $0]) }
    #expect(subevents == [0x02, 0x0B, 0x0D])
    #expect(!announces([0x3E, 0]))
    #expect(!announces([0x0E, 1, 2]))
  }
}
