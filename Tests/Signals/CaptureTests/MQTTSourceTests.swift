import Advertising
import Foundation
import Sightings
import Support
import TestSupport
import Testing

@testable import Capture

@Suite(.enabled(if: Broker.isInstalled, "needs Mosquitto: run scripts/bootstrap test"))
struct MQTTSourceTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Ruuvi's message of now, with a level for a number.
  static func message(_ number: Int) -> String {
    GatewaySamples.ruuvi.text.replacing("-26", with: "-\(number)")
      .replacing("1653668027", with: "\(SystemClock.now / Timestamp.second)")
  }

  @Test func `a gateway of this program keeps its radio`() throws {
    let broker = try Broker(in: directory)
    var isPublished = false
    let sink = try listen(broker.url("#")) { sink in
      if !isPublished, broker.subscriptions(to: "#") > 0 {
        isPublished = true
        try broker.publish([GatewaySamples.rssi.text], to: GatewaySamples.rssi.topic)
      }
      return sink.reports.count >= 2
    }
    #expect(sink.receivers[0]?.name == "hall-1" && sink.receivers[0]?.radio.adapter == "hci0")
    #expect(sink.reports[0].report.time == 1_700_000_000_123_456_789)
    #expect(sink.losses.count == 1 && sink.named.count == 1)
  }

  @Test func `every gateway is a receiver`() throws {
    let broker = try Broker(in: directory)
    let messages = GatewaySamples.all.filter { $0.dialect != .rssi }.flatMap { sample in
      // A board's lines are a message each.
      let texts =
        sample.dialect == .uBlox
        ? sample.text.split(separator: "\n").map(String.init) : [sample.text]
      return texts.map { (sample.topic, $0) }
    }
    var isPublished = false
    let sink = try listen(broker.url("#")) { sink in
      if !isPublished, broker.subscriptions(to: "#") > 0 {
        isPublished = true
        for (topic, text) in messages { try broker.publish([text], to: topic) }
        try broker.publish(["on"], to: "lamp")
      }
      return sink.rejected["bad-json"] != nil
    }
    #expect(sink.reports.count == 8)
    #expect(sink.named.count == 10)
    #expect(sink.counts.packets == messages.count + 1)
    #expect(sink.counts.rejectedPackets >= 1)
    #expect(sink.counts.sightings == 18)
    #expect(sink.counts.reports == 18 + sink.counts.rejectedReports)
    let names = sink.receivers.values.map(\.name).sorted()
    #expect(
      names == [
        "AC233FC001EA", "C8:25:2D:8E:9C:2C", "CCF9578E0D89", "CCF9579B21AE", "OMG_kitchen",
        "TheengsGateway", "ac233fc09290", "bath", "kitchen", "kitchen/IBEACON",
        "shellyplus1-08b61fd9333c",
      ])
    for (_, radio) in sink.receivers.values { #expect(radio.adapter == broker.url("#")) }
    let first = try #require(sink.reports.first)
    #expect(sink.receivers[first.report.adapter]?.name == "C8:25:2D:8E:9C:2C")
    #expect(first.report.address.description == "F4:1F:0C:28:CB:D6")
    #expect(first.report.eventType == Sighting.unknownEventType)
    #expect(first.report.primaryPHY == 0 && first.report.dataStatus == 0)
    #expect(first.report.rssi == -26)
    #expect(first.payload.starts(with: [0x02, 0x01, 0x06, 0x1B, 0xFF, 0x99, 0x04, 0x05]))
    #expect(first.payload.count == 31)
    #expect(sink.reports.map(\.report.dataStatus) == [0, 0, 0, 0, 1, 1, 0, 0])
    #expect(sink.losses.isEmpty)
  }

  @Test func `a missing broker is reported at once`() throws {
    let port = try reservedPort()
    let error = #expect(throws: RSSIError.self) {
      try listen("mqtt://127.0.0.1:\(port)/ruuvi/#") { _ in false }
    }
    #expect(error?.kind == .unavailable)
    #expect(error?.description.contains("127.0.0.1:\(port)") == true)
    let lookup = #expect(throws: RSSIError.self) {
      try listen("mqtt://no-such-host.invalid/ruuvi/#") { _ in false }
    }
    #expect(lookup?.kind == .unavailable)
  }

  @Test func `a silent server does not stop the ticks`() throws {
    let (socket, port) = try listeningSocket()
    defer { close(socket) }
    let sink = try listen("mqtt://127.0.0.1:\(port)/ruuvi/#") { $0.ticks == 5 }
    #expect(sink.ticks == 5)
  }

  @Test func `only who has the password is let in`() throws {
    let passwords = try directory.write("", to: "passwords")
    let result = try runProgram(
      "/usr/bin/mosquitto_passwd", ["-b", passwords, "walker", "s3cret"])
    try #require(result.exitCode == 0, "\(result.error)")
    let broker = try Broker(
      "allow_anonymous false\npassword_file \(passwords)", in: directory)
    var options = GatewayOptions()
    options.passwordFile = try directory.write(
      "s3cret\n", to: "password", permissions: 0o600)
    let url = broker.url("ruuvi/#", user: "walker")
    for (options, environment) in [
      (options, [:]), (GatewayOptions(), ["RSSI_MQTT_PASSWORD": "s3cret"]),
    ] {
      let before = broker.subscriptions(to: "ruuvi/#")
      var isPublished = false
      let sink = try listen(url, options: options, environment: environment) { sink in
        if !isPublished, broker.subscriptions(to: "ruuvi/#") > before {
          isPublished = true
          try broker.publish(
            [Self.message(60)], to: GatewaySamples.ruuvi.topic,
            arguments: ["-u", "walker", "-P", "s3cret"])
        }
        return !sink.reports.isEmpty
      }
      #expect(sink.receivers[0]?.radio.adapter == broker.url("ruuvi/#"))
    }
    for environment in [["RSSI_MQTT_PASSWORD": "guess"], [:]] {
      let error = #expect(throws: RSSIError.self) {
        try listen(url, environment: environment) { _ in false }
      }
      #expect(error?.kind == .permission)
      #expect(error?.description.contains("guess") == false)
    }
  }

  @Test func `the certificate must be trusted`() throws {
    let files = try Certificates(in: directory)
    let broker = try Broker(
      "allow_anonymous true\ncertfile \(files.certificate)\nkeyfile \(files.key)", in: directory)
    var options = GatewayOptions()
    options.caFile = files.authority
    let url = broker.url("ruuvi/#", scheme: "mqtts")
    var isPublished = false
    let sink = try listen(url, options: options) { sink in
      if !isPublished, broker.subscriptions(to: "ruuvi/#") > 0 {
        isPublished = true
        try broker.publish(
          [Self.message(60)], to: GatewaySamples.ruuvi.topic,
          arguments: ["--cafile", files.authority])
      }
      return !sink.reports.isEmpty
    }
    #expect(sink.receivers[0]?.radio.adapter == url)
    let untrusted = #expect(throws: RSSIError.self) { try listen(url) { _ in false } }
    #expect(untrusted?.kind == .unavailable)
    #expect(untrusted?.description.contains("of its authority") == true)
    let plain = #expect(throws: RSSIError.self) {
      try listen(broker.url("ruuvi/#")) { _ in false }
    }
    #expect(plain?.description.contains("mqtts://") == true)
  }

  @Test func `a group shares the messages`() throws {
    let broker = try Broker(in: directory)
    let topic = "$share/workers/ruuvi/#"
    let count = 100
    let second = Worker(try MQTTSource(url: broker.url(topic), environment: [:]))
    var isPublished = false
    let sink = try listen(broker.url(topic)) { sink in
      if !isPublished, broker.subscriptions(to: topic) == 2 {
        isPublished = true
        try broker.publish((1...count).map(Self.message), to: GatewaySamples.ruuvi.topic)
      }
      return sink.reports.count + second.count == count
    }
    let others = Set(second.finish())
    let own = Set(sink.reports.map(\.report.rssi))
    #expect(!own.isEmpty && !others.isEmpty)
    #expect(own.isDisjoint(with: others))
    #expect(own.union(others) == Set((1...count).map { -Float($0) }))
  }

  @Test func `a broker may be killed and come back`() throws {
    let broker = try Broker(
      """
      allow_anonymous true
      persistence true
      autosave_on_changes true
      autosave_interval 1
      """, in: directory)
    var options = GatewayOptions()
    options.clientID = "walk"
    var step = 0
    let begin = SystemClock.now
    let sink = try listen(broker.url("ruuvi/#"), options: options) { sink in
      switch step {
      case 0 where broker.subscriptions(to: "ruuvi/#") > 0:
        try broker.publish([Self.message(1)], to: GatewaySamples.ruuvi.topic)
        step = 1
      case 1 where sink.reports.count == 1:
        // Between two ticks, so that the capture is not connected when these are published.
        broker.kill()
        try broker.start()
        try broker.publish((2...50).map(Self.message), to: GatewaySamples.ruuvi.topic)
        step = 2
      default: break
      }
      return sink.reports.count >= 50
    }
    #expect(sink.reports.map(\.report.rssi) == (1...50).map { -Float($0) })
    #expect(sink.losses.count == 1)
    let loss = try #require(sink.losses.first)
    #expect(loss.reason == .disconnected && loss.adapter == 0)
    #expect(begin < loss.start && loss.start < loss.end && loss.end <= SystemClock.now)
    #expect(sink.notes.count == 2, "\(sink.notes)")
    #expect(sink.notes.last?.contains("kept") == true)
  }

  @Test func `an outage at the end is a loss too`() throws {
    let broker = try Broker(in: directory)
    var step = 0
    let sink = try listen(broker.url("ruuvi/#")) { sink in
      switch step {
      case 0 where broker.subscriptions(to: "ruuvi/#") > 0:
        try broker.publish([Self.message(1)], to: GatewaySamples.ruuvi.topic)
        step = 1
      case 1 where sink.reports.count == 1:
        broker.kill()
        step = 2
      default: break
      }
      return sink.notes.count == 2
    }
    #expect(sink.losses.map(\.reason) == [.disconnected])
    #expect(sink.notes[1].contains("no MQTT broker"))
  }

  @Test func `a session outlives the capture`() throws {
    let broker = try Broker(in: directory)
    var options = GatewayOptions()
    options.clientID = "walk"
    _ = try listen(broker.url("ruuvi/#"), options: options) { _ in
      broker.subscriptions(to: "ruuvi/#") > 0
    }
    try broker.publish((1...5).map(Self.message), to: GatewaySamples.ruuvi.topic)
    let sink = try listen(broker.url("ruuvi/#"), options: options) { $0.reports.count == 5 }
    #expect(sink.reports.map(\.report.rssi) == [-1, -2, -3, -4, -5])
  }

  /// A capture that fails before it saved anything leaves every message to the next one.
  @Test func `unsaved messages stay with the broker`() throws {
    let broker = try Broker(in: directory)
    var options = GatewayOptions()
    options.clientID = "walk"
    _ = try listen(broker.url("ruuvi/#"), options: options) { _ in
      broker.subscriptions(to: "ruuvi/#") > 0
    }
    try broker.publish((1...9).map(Self.message), to: GatewaySamples.ruuvi.topic)
    var failing = FailingSink()
    var source = try MQTTSource(url: broker.url("ruuvi/#"), options: options, environment: [:])
    #expect(throws: FailingSink.DiskFull.self) { try source.run(into: &failing) }
    #expect(failing.received == 9)
    let next = try listen(broker.url("ruuvi/#"), options: options, savesAtTicks: false) {
      $0.reports.count == 9
    }
    #expect(next.reports.map(\.report.rssi) == (1...9).map { -Float($0) })
    // What was saved at the end is not sent again.
    try broker.publish([Self.message(50)], to: GatewaySamples.ruuvi.topic)
    let last = try listen(broker.url("ruuvi/#"), options: options) { !$0.reports.isEmpty }
    #expect(last.reports.map(\.report.rssi) == [-50])
  }

  @Test func `reports two captures of one name`() throws {
    let broker = try Broker(in: directory)
    var options = GatewayOptions()
    options.clientID = "walk"
    var second: Worker?
    let sink = try listen(broker.url("ruuvi/#"), options: options) { sink in
      if second == nil, broker.subscriptions(to: "ruuvi/#") == 1 {
        second = Worker(
          try MQTTSource(url: broker.url("ruuvi/#"), options: options, environment: [:]))
      }
      return !sink.notes.isEmpty
    }
    #expect(sink.notes[0].contains("client id"))
    _ = second?.finish()
  }

  @Test func `retained messages are not sightings`() throws {
    let broker = try Broker(in: directory)
    try broker.publish(
      [Self.message(1)], to: GatewaySamples.ruuvi.topic, arguments: ["--retain"])
    var isPublished = false
    let sink = try listen(broker.url("ruuvi/#")) { sink in
      if !isPublished, broker.subscriptions(to: "ruuvi/#") > 0 {
        isPublished = true
        try broker.publish([Self.message(2)], to: GatewaySamples.ruuvi.topic)
      }
      return sink.reports.contains { $0.report.rssi == -2 }
    }
    #expect(sink.reports.map(\.report.rssi) == [-2])
  }

  @Test func `a flood is taken whole`() throws {
    let broker = try Broker("allow_anonymous true\nmax_queued_messages 0", in: directory)
    let count = 20_000
    var isPublished = false
    let sink = try listen(broker.url("ruuvi/#")) { sink in
      if !isPublished, broker.subscriptions(to: "ruuvi/#") > 0 {
        isPublished = true
        try broker.publish(
          (0..<count).map { Self.message(1 + $0 % 100) }, to: GatewaySamples.ruuvi.topic)
      }
      return sink.reports.count >= count
    }
    #expect(sink.reports.map(\.report.rssi) == (0..<count).map { -Float(1 + $0 % 100) })
  }
}

/// A sink whose disk is full once it has nine reports.
private struct FailingSink: CaptureSink {
  struct DiskFull: Error {}
  var received = 0
  var isSaved: Bool { false }

  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws { received += 1 }
  mutating func receive(event: Span<UInt8>, time: Int64, adapter: UInt16) throws {}
  mutating func receive(_ sighting: GatewaySighting) throws {}
  mutating func notice(_ notice: SourceNotice) throws {}
  mutating func save() throws { throw DiskFull() }
  mutating func tick() throws -> Bool {
    if received >= 9 { throw DiskFull() }
    return true
  }
}
