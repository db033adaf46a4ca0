import Advertising
import TestSupport
import Testing

@testable import Capture

@Suite struct GatewayFuzzTests {
  /// Damaged copies of every dialect's messages are read by every dialect: whatever comes out has a
  /// name and a possible level, and the next whole message is read as if nothing had been.
  @Test(arguments: Dialect.allCases)
  func `no message brings it down`(_ dialect: Dialect) {
    var generator = SeededGenerator(seed: 0x6D71_7474)
    var forced = GatewayReadings(dialect: dialect)
    var told = GatewayReadings()
    for sample in GatewaySamples.all {
      for _ in 0..<400 {
        let payload = mutatedJSON(Array(sample.text.utf8), &generator)
        let topic = String(
          decoding: mutatedJSON(Array(sample.topic.utf8), &generator), as: UTF8.self)
        let readings = forced.read(payload, topic: topic) + told.read(payload, topic: topic)
        for batch in [forced.batch, told.batch] { check(batch) }
        for reading in readings {
          #expect(!reading.gateway.isEmpty && !reading.beacon.isEmpty)
          #expect(reading.gateway.utf8.count <= 128)
        }
      }
    }
    var fresh = GatewayReadings(dialect: dialect)
    for sample in GatewaySamples.all where sample.dialect == dialect {
      if dialect != .roomAssistant { #expect(forced.read(sample) == fresh.read(sample)) }
    }
  }

  /// One message is one packet, whatever is in it but an account, and its reports add up.
  private func check(_ batch: GatewayBatch) {
    var counts = DecodingCounts()
    batch.count(in: &counts)
    let isAccount = batch.account != nil && batch.entries.isEmpty && batch.rejected.isEmpty
    #expect(counts.packets == (isAccount ? 0 : 1))
    let refused = batch.rejected.count { $0.isOfReport }
    #expect(counts.rejectedReports == refused)
    #expect(counts.packetsWithReports == (batch.entries.count + refused > 0 ? 1 : 0))
    #expect(
      counts.otherEvents.total
        == (batch.entries.isEmpty && batch.rejected.isEmpty && !isAccount ? 1 : 0))
  }

  @Test func `deep nesting is refused without recursion`() {
    for opener in ["[", #"{"a":"#, #"[{"a":"#] {
      var readings = GatewayReadings()
      let text = String(repeating: opener, count: 300_000 / opener.utf8.count)
      #expect(readings.read(Array(text.utf8), topic: "x").isEmpty)
      #expect(readings.rejected == ["bad-json"])
    }
  }
}
