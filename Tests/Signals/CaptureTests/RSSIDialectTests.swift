import Advertising
import Sightings
import TestSupport
import Testing

@testable import Capture

@Suite struct RSSIDialectTests {
  private let second: Int64 = 1_000_000_000

  /// What a capture passes on of a message.
  private func received(
    _ text: String, topic: String = "rssi/hall-1", dialect: Dialect? = nil
  ) throws -> RecordingSink {
    var builder = GatewayIntake(dialect: dialect, place: "nats://host/SITE")
    var sink = RecordingSink { _ in true }
    let message = BrokerMessage(
      topic: Array(topic.utf8), payload: Array(text.utf8), arrival: 2_000_000_000 * second)
    try builder.take(message, &sink)
    try builder.account(to: &sink)
    return sink
  }

  @Test func `every field arrives`() throws {
    let sink = try received(GatewaySamples.rssi.text)
    let (first, second) = (sink.reports[0].report, sink.reports[1].report)
    #expect(first.time == 1_700_000_000_123_456_789 && first.rssi == -60 && first.eventType == 19)
    #expect(first.address == DeviceAddress(bits: 0xC000_0000_0001, type: 1) && first.channel == 37)
    #expect(sink.reports[0].payload.count == 30)
    #expect(second.eventType == 0 && second.sid == 3 && second.txPower == -8 && second.rssi == 7)
    #expect(second.primaryPHY == 3 && second.secondaryPHY == 2 && second.dataStatus == 2)
    #expect(sink.named.map(\.beacon) == ["\(GatewaySamples.identity):100:1"])
    #expect(
      sink.named[0].measuredPower == -59 && sink.named[0].channel == 38
        && sink.named[0].rssi == -71.5)
    var radio = Radio()
    (radio.adapter, radio.scan, radio.phys, radio.timeKind) = ("hci0", "passive", "1m", .kernel)
    (radio.interval, radio.window) = (0.01, 0.01)
    #expect(sink.receivers.count == 1)
    #expect(sink.receivers[0]?.name == "hall-1" && sink.receivers[0]?.radio == radio)
    #expect(
      sink.losses == [
        Loss(
          adapter: 0, reason: .silence, start: 1_699_999_990 * self.second,
          end: 1_700_000_000 * self.second, dropped: 4)
      ])
    #expect(sink.rejected == ["truncated-report": 2, "other:connection": 1])
    #expect(sink.counts.packets == 1 && sink.counts.sightings == 3)
  }

  /// What is written reads back as the same, whatever the numbers are.
  @Test func `what is written reads back`() throws {
    var generator = SeededGenerator(seed: 41)
    for _ in 0..<200 {
      var radio = Radio()
      radio.adapter = "hci1"
      radio.interval = Float.random(in: 0...10, using: &generator)
      radio.rssiKind = Radio.RSSIKind.allCases.randomElement(using: &generator)!
      radio.timeKind = Radio.TimeKind.allCases.randomElement(using: &generator)!
      var message = RSSIMessage(receiver: "Büro \"1\"", radio: radio)
      var expected: [RecordingSink.Received] = []
      while !message.isFull {
        var report = AdvertisingReport(
          time: .random(in: -(1 << 62)...1 << 62, using: &generator),
          address: DeviceAddress(
            bits: .random(in: 0..<1 << 48, using: &generator),
            type: .random(in: 0...3, using: &generator)),
          rssi: Float(Int.random(in: -127...20, using: &generator)) / 4,
          eventType: .random(in: 0...UInt16.max, using: &generator))
        report.channel = .random(in: 0...255, using: &generator)
        report.primaryPHY = .random(in: 0...3, using: &generator)
        report.secondaryPHY = .random(in: 0...3, using: &generator)
        report.sid = .random(in: 0...255, using: &generator)
        report.txPower = .random(in: -128...127, using: &generator)
        report.dataStatus = .random(in: 0...3, using: &generator)
        let count = Int.random(in: 0...255, using: &generator)
        let data = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        message.append(.data(report, data))
        expected.append(RecordingSink.Received(report: report, payload: data))
      }
      let isOpen = !message.isFull
      var named = GatewaySighting(
        time: 5, adapter: 0, beacon: "addr:C0:00:00:00:00:01", rssi: -61.5)
      named.channel = .random(in: 0...255, using: &generator)
      if isOpen { message.append(.name(named)) }
      let sink = try received(String(decoding: message.bytes, as: UTF8.self))
      #expect(sink.named == (isOpen ? [named] : []))
      #expect(sink.reports == expected)
      #expect(sink.receivers[0]?.name == "Büro \"1\"" && sink.rejected.isEmpty)
      #expect(sink.receivers[0]?.radio.interval == radio.interval)
      #expect(sink.receivers[0]?.radio.timeKind == radio.timeKind)
    }
  }

  @Test func `a message without reports is no packet`() throws {
    let sink = try received(
      #"{"dialect":"rssi","version":1,"new":{"a":[1]},"rejected":{"bad-crc":3}}"#)
    #expect(sink.receivers[0]?.name == "hall-1")
    #expect(sink.receivers[0]?.radio.adapter == "nats://host/SITE")
    #expect(sink.rejected == ["bad-crc": 3] && sink.counts.packets == 0)
  }

  @Test(arguments: [
    (#""version":2"#, "unknown-version"), (#""version":"1""#, "unknown-version"),
    (#""version":1,"receiver":"""#, "missing-name"),
    (#""version":1,"receiver":"a\u0000""#, "bad-name"),
    (#""version":1,"radio":{"adapter":"a\u0000"}"#, "bad-name"),
    (#""version":1,"reports":[{"address":"C0"}]"#, "bad-address"),
    (#""version":1,"reports":[5]"#, "bad-address"),
    (#""version":1,"reports":[{"address":"C00000000001","rssi_dbm":[]}]"#, "bad-rssi"),
    (#""version":1,"reports":[{"address":"C00000000001","data":"0"}]"#, "bad-payload"),
    (#""version":1,"reports":[{"address":"C00000000001","time_ns":1.5}]"#, "bad-field"),
    (
      #""version":1,"reports":[{"address":"C00000000001","time_ns":9223372036854775807}]"#,
      "bad-field"
    ),
    (#""version":1,"reports":[{"address":"C00000000001","sid":256}]"#, "bad-field"),
    (#""version":1,"reports":[{"beacon":""}]"#, "missing-name"),
  ])
  func `each refusal has a reason`(_ members: String, _ reason: String) throws {
    let sink = try received("{\"dialect\":\"rssi\",\(members)}")
    #expect(sink.rejected == [reason: 1])
    #expect(sink.reports.isEmpty && sink.named.isEmpty)
  }

  /// Whatever a hostile message states as lost or refused, sums stay within their types.
  @Test func `stated counts are bounded`() throws {
    let row = #"{"reason":"silence","start_ns":1,"end_ns":2,"events":9223372036854775807}"#
    let reasons = (0..<2000).map { "\"r\($0)\":4294967295" }.joined(separator: ",")
    let sink = try received(
      """
      {"dialect":"rssi","version":1,"lost":[\(row),\(row),\(row),
       {"reason":"silence","start_ns":-9223372036854775808,"end_ns":2},{"reason":"x"}],
       "rejected":{\(reasons)}}
      """)
    #expect(sink.losses.map(\.dropped) == [4_294_967_295, 4_294_967_295, 4_294_967_295])
    #expect(sink.rejected.count == GatewayReasons.most + 1)
    #expect(sink.rejected[GatewayReasons.other] != nil)
  }

  @Test func `another message is not of this dialect`() throws {
    #expect(try received("{}", dialect: .rssi).rejected == ["no-sighting": 1])
  }
}
