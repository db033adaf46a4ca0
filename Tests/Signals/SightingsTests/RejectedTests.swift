import Advertising
import Sightings
import Testing

@Suite struct RejectedTests {
  @Test func `what is no sighting has a row`() throws {
    var counts = DecodingCounts()
    counts.packetsWithReports = 9
    counts.sightings = 4
    counts.joinedFragments = 3
    counts.pointers = 2
    counts.otherEvents.add(.aclData)
    counts.otherEvents.add(.scanRequest)
    counts.rejectPacket(.badCRC)
    counts.rejectReport(.reservedEventType)
    var builder = TraceBuilder(into: BlockCollector())
    builder.account(for: counts)
    builder.account(for: counts)
    builder.reject("bad-json")
    let catalogue = try builder.complete()
    #expect(
      catalogue.rejected == [
        Rejected(reason: "bad-crc", count: 2), Rejected(reason: "bad-json", count: 1),
        Rejected(reason: "other:acl-data", count: 2),
        Rejected(reason: "other:scan-request", count: 2),
        Rejected(reason: "report:joined-fragment", count: 6),
        Rejected(reason: "report:pointer", count: 4),
        Rejected(reason: "reserved-event-type", count: 2),
      ])
    #expect(catalogue.refusals.map(\.reason) == ["bad-crc", "bad-json", "reserved-event-type"])
    #expect(catalogue.otherEvents.map(\.kind) == ["acl-data", "scan-request"])
    #expect(catalogue.otherEvents.map(\.count) == [2, 2])
    #expect(catalogue.joinedFragments == 6 && catalogue.pointers == 4)
    #expect(builder.counts.packets == 24 && builder.counts.reports == 20)
  }

  @Test func `a loss is a gap of the receiver behind the adapter`() throws {
    var builder = TraceBuilder(into: BlockCollector())
    _ = try builder.receiver(adapter: 1)
    try builder.lost(Loss(adapter: 4, reason: .overflow, start: 5, end: 7, dropped: 3))
    let catalogue = try builder.complete()
    #expect(catalogue.receivers.map(\.id) == ["hci1", "hci4"])
    #expect(
      catalogue.gaps == [Gap(start: 5, end: 7, receiver: 1, reason: .overflow, dropped: 3)])
  }
}
