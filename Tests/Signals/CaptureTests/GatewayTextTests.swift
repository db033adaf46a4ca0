import Advertising
import Sightings
import Support
import TestSupport
import Testing
import TraceStore

@testable import Capture

/// Writes the texts of gateways into a live trace, as a recorder does.
private struct TraceOfGateways: CaptureSink, ~Copyable {
  var builder: TraceBuilder<LiveTraceSink>

  init(_ path: String) throws {
    let provenance = Provenance(stage: "test", toolVersion: "1", commandLine: "", inputs: [])
    var builder = TraceBuilder(
      into: try LiveTraceSink(path: path, start: 0, provenance: provenance, clock: "test"))
    builder.currentTrace = try builder.trace(named: "test")
    self.builder = builder
  }

  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    try builder.receive(report, payload: payload)
  }
  mutating func receive(_ sighting: GatewaySighting) throws {
    try builder.receive(
      beacon: sighting.beacon, measuredPower: sighting.measuredPower, adapter: sighting.adapter,
      time: sighting.time, rssi: sighting.rssi, channel: sighting.channel)
  }
  mutating func notice(_ notice: SourceNotice) throws {
    switch notice {
    case .receiver(let adapter, let name, let radio):
      try builder.describe(adapter: adapter, name: name, radio: radio)
    case .loss(let loss): try builder.lost(loss)
    case .counts(let counts): builder.account(for: counts)
    case .refusal(let reason, let count): builder.reject(reason, count: count)
    case .stream, .position, .start, .message: break
    }
  }
  mutating func tick() throws -> Bool {
    try builder.flush()
    try builder.sink.update(builder.currentCatalogue())
    return true
  }
  func receive(event: Span<UInt8>, time: Int64, adapter: UInt16) {}
  var isSaved: Bool { true }
  func save() {}

  consuming func finish() throws -> Catalogue {
    let catalogue = try builder.complete()
    try builder.takeSink().finish(catalogue)
    return catalogue
  }
}

@Suite struct GatewayTextTests {
  private static let radio = GatewaySamples.Sample(
    dialect: .rssi, topic: "rssi/hall-2",
    text: #"""
      {"dialect":"rssi","version":1,"receiver":"hall-2","radio":{"adapter":"hci0","controller":"c","scan":"passive",
       "phys":"1m,coded","rssi_kind":"last","time_kind":"host"},"reports":[
        {"time_ns":1700000000123456789,"address":"C0:00:00:00:00:01","rssi_dbm":-60,"data":"0201"},
        {"time_ns":1700000001000000000,"beacon":"tag-1","rssi_dbm":-71.5}],
       "lost":[{"reason":"silence","start_ns":1,"end_ns":2,"events":4}],"rejected":{"bad-crc":2}}
      """#)

  /// Bytes of a text from a stranger: long, with zero bytes, controls, reversals, and what is not
  /// UTF-8.
  private func hostile(_ generator: inout SeededGenerator) -> [UInt8] {
    let pieces: [[UInt8]] = [
      Array("x".utf8), Array("é".utf8), Array("\u{1F4E1}".utf8), [0], [0x1B, 0x5B, 0x33], [0xFF],
      [0xC3],
      [0xED, 0xA0, 0x80], Array("\u{202E}".utf8), Array("e\u{301}".utf8), [0x7F],
      Array(#"\u0000"#.utf8),
      Array(#"\ud800"#.utf8), Array(#"\u001b"#.utf8), Array("\u{10FFFF}".utf8),
    ]
    let count = [0, 1, 5, 17, 33, 65, 129, 161, 300, 5000].randomElement(using: &generator)!
    let isOfOne = Bool.random(using: &generator)
    let one = pieces.randomElement(using: &generator)!
    return (0..<count).flatMap { _ in isOfOne ? one : pieces.randomElement(using: &generator)! }
  }

  /// Returns the ranges of the texts of a message: between quotes, and between commas and colons.
  private func fields(_ bytes: [UInt8], _ separators: String) -> [Range<Int>] {
    let isSeparator = Set(separators.utf8)
    var fields: [Range<Int>] = []
    var start = 0
    for (place, byte) in bytes.enumerated() where isSeparator.contains(byte) {
      fields.append(start..<place)
      start = place + 1
    }
    return fields + [start..<bytes.count]
  }

  /// Whatever stands in any text of any message, in any level of its topic: it is written into a
  /// trace, and each message is a packet, and its reports are sightings or refused.
  @Test(arguments: Dialect.allCases)
  func `no text of a message fails a trace`(_ dialect: Dialect) throws {
    let directory = try TemporaryDirectory()
    var generator = SeededGenerator(seed: 3737)
    var builder = GatewayIntake(dialect: dialect, place: String(repeating: "p", count: 300))
    var told = GatewayIntake(dialect: nil, place: "mqtt://host/#")
    let path = directory.path("trace.h5")
    var sink = try TraceOfGateways(path)
    var messages = 0
    for sample in GatewaySamples.all + [Self.radio] where sample.dialect == dialect {
      let (text, topic) = (Array(sample.text.utf8), Array(sample.topic.utf8))
      var variants: [(topic: [UInt8], text: [UInt8])] = []
      for field in fields(text, dialect == .uBlox ? ",:\"\n" : "\"") {
        for _ in 0..<6 {
          variants.append(
            (
              topic,
              Array(text[..<field.lowerBound]) + hostile(&generator) + text[field.upperBound...]
            ))
        }
      }
      for level in fields(topic, "/") {
        for _ in 0..<6 {
          variants.append(
            (
              Array(topic[..<level.lowerBound]) + hostile(&generator) + topic[level.upperBound...],
              text
            ))
        }
      }
      for (topic, text) in variants {
        let message = BrokerMessage(
          topic: topic, payload: text, arrival: 1_800_000_000 * Timestamp.second)
        try builder.take(message, &sink)
        try told.take(message, &sink)
        messages += 1
        if messages % 20 == 0 { _ = try sink.tick() }
      }
    }
    try builder.account(to: &sink)
    try told.account(to: &sink)
    let counts = sink.builder.counts
    let catalogue = try sink.finish()
    let reader = try TraceReader(path: path)
    #expect(messages > 20 && reader.count == counts.sightings && reader.count > 0)
    // Messages about a receiver alone are not packets.
    #expect(counts.packets <= 2 * messages)
    if dialect != .rssi { #expect(counts.packets == 2 * messages) }
    let refused = catalogue.rejected.filter {
      GatewayRejection(rawValue: $0.reason)?.isOfReport == true
    }
    #expect(refused.reduce(0) { $0 + Int($1.count) } == counts.rejectedReports)
    #expect(reader.catalogue.receivers.map(\.id) == catalogue.receivers.map(\.id))
    #expect(reader.catalogue.beacons.map(\.id) == catalogue.beacons.map(\.id))
    #expect(
      zip(reader.catalogue.receivers, catalogue.receivers).allSatisfy {
        Radio.isSame($0.radio, $1.radio)
      })
  }

  @Test(arguments: [
    (#""phys":"\#(String(repeating: "x", count: 33))""#, 32),
    (#""scan":"\#(String(repeating: "x", count: 17))""#, 16),
    (#""adapter":"\#(String(repeating: "x", count: 257))""#, 256),
    (#""controller":"\#(String(repeating: "x", count: 129))""#, 128),
  ])
  func `a long text of a radio is cut`(_ member: String, _ bytes: Int) throws {
    var builder = GatewayIntake(dialect: .rssi, place: "")
    var sink = RecordingSink { _ in true }
    let text =
      #"{"dialect":"rssi","version":1,"radio":{\#(member)},"reports":[{"address":"C00000000001"}]}"#
    try builder.take(
      BrokerMessage(topic: Array("a/b".utf8), payload: Array(text.utf8), arrival: 0), &sink)
    let radio = try #require(sink.receivers[0]?.radio)
    let texts = [radio.phys, radio.scan, radio.adapter, radio.controller]
    #expect(texts.contains { $0.hasSuffix("x…") && $0.utf8.count == bytes })
    #expect(sink.reports.count == 1 && sink.rejected.isEmpty)
  }

  /// An identity is refused, never cut.
  @Test func `a long name is refused and the next is taken`() throws {
    var builder = GatewayIntake(dialect: .rssi, place: "")
    var sink = RecordingSink { _ in true }
    for (name, isTaken) in [(128, true), (129, false)] {
      let name = String(repeating: "n", count: name)
      for text in [
        #"{"dialect":"rssi","version":1,"receiver":"\#(name)","reports":[{"address":"C00000000001"}]}"#,
        #"{"dialect":"rssi","version":1,"reports":[{"beacon":"\#(name)"}]}"#,
      ] {
        (sink.reports, sink.named, sink.rejected) = ([], [], [:])
        try builder.take(
          BrokerMessage(topic: Array("a/b".utf8), payload: Array(text.utf8), arrival: 0), &sink)
        #expect(sink.reports.count + sink.named.count == (isTaken ? 1 : 0))
        #expect(sink.rejected == (isTaken ? [:] : ["bad-name": 1]))
      }
    }
  }

  @Test func `a name that is not UTF-8 is not another`() throws {
    var readings = GatewayReadings()
    let text = Array(#"{"id":"tag"#.utf8) + [0xFF] + Array(#"","rssi@1m":-59,"rssi":-70}"#.utf8)
    #expect(readings.read(text, topic: "espresense/devices/tag/kitchen").isEmpty)
    #expect(readings.rejected == ["bad-name"])
  }
}
