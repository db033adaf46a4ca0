import Advertising
import TestSupport
import Testing

@Suite struct HCIEventFuzzTests {
  /// What holds of any bytes whatever.
  private func check(_ events: [[UInt8]]) throws {
    let (collector, counts) = try decode(events)
    #expect(counts.packets == events.count)
    #expect(counts.sightings == collector.reports.count)
    #expect(counts.packetsWithReports <= counts.reports)
    #expect(collector.reports.count <= events.reduce(0) { $0 + $1.count / 10 })
    let lost = counts.packetsWithReports > 0 && collector.reports.isEmpty
    #expect(!lost || counts.rejections.total > 0)
    for (report, payload) in zip(collector.reports, collector.payloads) {
      #expect(report.rssi.isNaN || (-127...20).contains(report.rssi))
      #expect(payload.count <= 1650)
      #expect(report.dataStatus <= 2)
      #expect(report.eventType & 0x60 == 0)
      #expect(report.address.bits < 1 << 48)
      #expect(report.address.type <= 3 || report.address.type == 0xFF)
      _ = BeaconIdentity(BeaconFrame(payload: payload.span), address: report.address).description
    }
  }

  @Test func `random bytes`() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<3000 {
      var event = (0..<Int.random(in: 0...260, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if event.count > 3, Bool.random(using: &random) {
        event[0] = 0x3E
        event[1] = UInt8(min(255, event.count - 2))
        event[2] = [0x02, 0x0B, 0x0D][Int.random(in: 0..<3, using: &random)]
        event[3] = UInt8.random(in: 0...3, using: &random)
      }
      try check([event])
    }
  }

  @Test func `flipped bits of valid events`() throws {
    var random = SeededGenerator(seed: 2)
    let valid = [
      legacyEvent([legacyReport(last: 1), legacyReport(last: 2)]),
      directedEvent([directedReport(last: 1), directedReport(last: 2)]),
      extendedEvent([extendedReport(last: 1), extendedReport(last: 2)]),
      extendedEvent([extendedReport(type: 0x20)]), extendedEvent([extendedReport(type: 0x00)]),
    ]
    for _ in 0..<2000 {
      var events = valid.shuffled(using: &random)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let event = Int.random(in: events.indices, using: &random)
        let byte = Int.random(in: events[event].indices, using: &random)
        events[event][byte] ^= 1 << UInt8.random(in: 0...7, using: &random)
      }
      try check(events)
    }
  }
}
