import Advertising
import TestSupport
import Testing

/// The input of a decoder is counted independently, and has to equal the sums of its counts.
@Suite struct DecodingCountsTests {
  @Test func `every report of a sound event is accounted for`() throws {
    var random = SeededGenerator(seed: 31)
    for _ in 0..<300 {
      var announced = 0
      let events = (0..<30).map { _ -> [UInt8] in
        let count = Int.random(in: 1...4, using: &random)
        func reports(_ report: (inout SeededGenerator) -> [UInt8]) -> [[UInt8]] {
          announced += count
          return (0..<count).map { _ in report(&random) }
        }
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          return legacyEvent(
            reports {
              legacyReport(
                type: .random(in: 0...6, using: &$0), addressType: .random(in: 0...4, using: &$0))
            })
        case 1:
          return directedEvent(
            reports {
              directedReport(addressType: .random(in: 0...4, using: &$0))
            })
        case 2, 3:
          // Few senders, so that fragments meet those that they continue.
          return extendedEvent(
            reports {
              extendedReport(
                type: .random(in: 0...3, using: &$0) << 5, last: .random(in: 0...1, using: &$0))
            })
        default: return [UInt8.random(in: 0...0x3D, using: &random), 1, 0]
        }
      }
      let (collector, counts) = try decode(events)
      #expect(counts.packets == events.count)
      #expect(counts.reports == announced)
      #expect(counts.sightings == collector.reports.count)
      #expect(counts.otherEvents.total == events.count { $0[0] != 0x3E })
      #expect(counts.rejectedPackets == 0)
    }
  }

  @Test func `counts that were taken are not counted again`() throws {
    var decoder = HCIEventDecoder()
    var collector = ReportCollector()
    let event = legacyEvent([legacyReport(), legacyReport(type: 9)])
    var sum = DecodingCounts()
    for round in 1...3 {
      try decoder.decode(event.span, time: 0, into: &collector)
      decoder.pass(.aclData)
      decoder.reject(.truncatedPacket)
      if round < 3 { sum.merge(decoder.takeCounts()) }
    }
    #expect(decoder.counts.packets == 3)
    sum.merge(decoder.takeCounts())
    #expect(decoder.counts == DecodingCounts())
    #expect(sum.packets == 9 && sum.packetsWithReports == 3 && sum.rejectedPackets == 3)
    #expect(sum.reports == 6 && sum.sightings == 3 && sum.rejectedReports == 3)
    #expect(sum.otherEvents[.aclData] == 3)
    #expect(sum.rejections[.reservedEventType] == 3 && sum.rejections[.truncatedPacket] == 3)
  }

  @Test func `other link layer packets are counted by kind`() throws {
    var data = legacyPacket()
    data[0] ^= 1
    let sync = radioPacket(
      linkLayerPacket(header: 7, payload: extendedPayload(dataInformation: 1)), rfChannel: 5,
      flags: 0x2083)
    let bare = try decode(
      [3, 5, 8].map { linkLayerPacket(header: $0, payload: sentAddress + sentAddress) } + [data],
      .none)
    for kind in [
      PacketKind.scanRequest, .connectRequest, .connectResponse, .dataChannel,
    ] { #expect(bare.counts.otherEvents[kind] == 1, "\(kind)") }
    #expect(try decode([sync], .radio).counts.otherEvents[.periodicAdvertising] == 1)
  }
}
