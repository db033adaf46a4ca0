import Advertising
import Foundation
import Sightings
import Support
import TestSupport
import Testing

@testable import Capture

@Suite(.enabled(if: NATSServer.isInstalled, "needs nats-server: run scripts/bootstrap test"))
struct StreamPublisherTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func publisher(
    _ url: String, options: GatewayOptions = GatewayOptions(), limit: UInt64 = 1_000_000_000
  ) throws -> StreamPublisher {
    try StreamPublisher(
      url: url, options: options, spool: directory.path("spool"), limit: limit, environment: [:])
  }

  /// A message with one report, whose time has the number.
  private func message(_ number: Int, data: Int = 3) -> RSSIMessage {
    var message = RSSIMessage(receiver: "hall-1", radio: Radio())
    let report = AdvertisingReport(
      time: Int64(number) * Timestamp.second, address: DeviceAddress(bits: 1, type: 0), rssi: -60,
      eventType: 0)
    message.append(.data(report, [UInt8](repeating: 0, count: data)))
    return message
  }

  /// Captures the stream.
  private func received(
    _ server: NATSServer, _ options: GatewayOptions = GatewayOptions(), scheme: String = "nats",
    until isEnough: @escaping (RecordingSink) throws -> Bool
  ) throws -> RecordingSink {
    var source = try NATSSource(
      url: server.url("SITE", scheme: scheme), options: options, positions: { [] },
      environment: [:])
    return try listen(to: &source, until: isEnough)
  }

  private func numbers(_ sink: RecordingSink) -> [Int] {
    sink.reports.map { Int($0.report.time / Timestamp.second) }
  }

  @Test func `messages are stored in order and the spool is empty`() throws {
    let server = try NATSServer(in: directory)
    try server.createStream("SITE", of: "rssi.>")
    let publisher = try publisher(server.url("rssi.hall-1"))
    for number in 0..<2000 { publisher.append(message(number)) }
    #expect(publisher.finish() == nil && publisher.takeNotes().isEmpty)
    #expect(try server.messages(of: "SITE") == 2000)
    let sink = try received(server) { $0.reports.count >= 2000 }
    #expect(numbers(sink) == Array(0..<2000))
    #expect(sink.receivers.values.map(\.name) == ["hall-1"])
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.path("spool"))
    #expect(left == ["lock"])
  }

  /// The server is killed while messages are under way, some of which it stored unacknowledged.
  @Test func `a killed server gets each message once`() throws {
    let server = try NATSServer(in: directory)
    try server.createStream("SITE", of: "rssi.>")
    let publisher = try publisher(server.url("rssi.hall-1"))
    for round in 0..<4 {
      for number in 0..<500 { publisher.append(message(round * 500 + number)) }
      server.kill()
      try server.start()
    }
    #expect(publisher.finish() == nil)
    let sink = try received(server) { $0.reports.count >= 2000 }
    #expect(numbers(sink) == Array(0..<2000))
    #expect(try server.messages(of: "SITE") == 2000)
  }

  @Test func `records that a missing server did not take are sent by the next publisher`() throws {
    let server = try NATSServer(in: directory)
    try server.createStream("SITE", of: "rssi.>")
    server.kill()
    let first = try publisher(server.url("rssi.hall-1"))
    for number in 0..<10 { first.append(message(number)) }
    let failure = try #require(first.finish())
    #expect(failure.kind == .unavailable && failure.description.contains("10 messages"))
    #expect(first.takeNotes().contains { $0.contains("no NATS server") })
    try server.start()
    let second = try publisher(server.url("rssi.hall-1"))
    second.append(message(10))
    #expect(second.finish() == nil)
    let sink = try received(server) { $0.reports.count >= 11 }
    #expect(numbers(sink) == Array(0...10))
  }

  @Test func `dropped records are a gap in the stream`() throws {
    let server = try NATSServer(in: directory)
    try server.createStream("SITE", of: "rssi.>")
    server.kill()
    let publisher = try publisher(server.url("rssi.hall-1"), limit: 1_000_000)
    for number in 0..<2000 {
      publisher.append(message(number, data: 300))
      if number % 100 == 99 { publisher.synchronise() }
    }
    try server.start()
    #expect(publisher.finish() == nil)
    #expect(publisher.takeNotes().contains { $0.contains("were dropped") })
    var quiet = 0
    let sink = try received(server) { sink in
      quiet = sink.reports.last?.report.time == 1999 * Timestamp.second ? quiet + 1 : 0
      return quiet > 10
    }
    let kept = numbers(sink)
    #expect(kept == Array((2000 - kept.count)..<2000))
    #expect(sink.losses.allSatisfy { $0.reason == .disconnected })
    #expect(sink.losses.reduce(0) { $0 + Int($1.dropped) } == 2000 - kept.count)
    #expect(sink.losses.map(\.start).min() == 0)
    #expect(sink.losses.map(\.end).max() == Int64(1999 - kept.count) * Timestamp.second)
  }

  /// Records that cannot be read are a gap between those that can, and the file is kept.
  @Test func `damaged records are a gap in the stream`() throws {
    let server = try NATSServer(in: directory)
    try server.createStream("SITE", of: "rssi.>")
    server.kill()
    let first = try publisher(server.url("rssi.hall-1"))
    for number in 0..<10 { first.append(message(number)) }
    _ = first.finish()
    let folder = directory.path("spool")
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".segment") }
    )
    let path = "\(folder)/\(name)"
    var bytes = try Data(contentsOf: URL(filePath: path))
    for record in [4, 5] {
      let before = (0..<record).map { SpoolSegment.recordHeaderLength + message($0).bytes.count }
      let place = before.reduce(SpoolSegment.headerLength, +)
      bytes[place + 3] ^= 0x80
      bytes[place + SpoolSegment.recordHeaderLength + 9] ^= 1
    }
    try bytes.write(to: URL(filePath: path))
    try server.start()
    let second = try publisher(server.url("rssi.hall-1"))
    #expect(second.finish() == nil)
    #expect(second.takeNotes().contains { $0.contains("2 damaged records") })
    let sink = try received(server) { $0.reports.count >= 8 && !$0.losses.isEmpty }
    #expect(numbers(sink) == [0, 1, 2, 3, 6, 7, 8, 9])
    #expect(
      sink.losses == [
        Loss(
          adapter: 0, reason: .disconnected, start: 3 * Timestamp.second, end: 6 * Timestamp.second)
      ])
    #expect(sink.rejected == ["damaged-in-spool": 2])
    #expect(FileManager.default.fileExists(atPath: path + Spool.damagedSuffix))
  }

  @Test func `a message that is too long for the server is counted`() throws {
    let server = try NATSServer("max_payload: 2048", in: directory)
    try server.createStream("SITE", of: "rssi.>")
    let publisher = try publisher(server.url("rssi.hall-1"))
    for (number, data) in [3, 1600, 3].enumerated() {
      publisher.append(message(number, data: data))
    }
    #expect(publisher.finish() == nil)
    let sink = try received(server) { $0.reports.count >= 2 && !$0.losses.isEmpty }
    #expect(numbers(sink) == [0, 2])
    #expect(sink.losses.map(\.dropped) == [1] && sink.losses[0].reason == .overflow)
  }

  @Test func `refusals of the server are named`() throws {
    let server = try NATSServer(
      """
      authorization { users: [
        { user: admin, password: pw }
        { user: reader, password: pw, permissions: { publish: "$JS.API.>" } }
        { user: gateway, password: pw, permissions: {
          publish: ["rssi.>"], subscribe: ["_INBOX.>"] } }
      ] }
      """, user: ("admin", "pw"), in: directory)
    try server.createStream("SITE", of: "rssi.>")
    var options = GatewayOptions()
    let stranger = #expect(throws: RSSIError.self) { try publisher(server.url("rssi.a")) }
    #expect(stranger?.kind == .permission)
    options.passwordFile = try directory.write("pw\n", to: "password", permissions: 0o600)
    let reader = #expect(throws: RSSIError.self) {
      try publisher(server.url("rssi.a", user: "reader"), options: options)
    }
    #expect(reader?.kind == .permission, "\(reader as Any)")
    let other = #expect(throws: RSSIError.self) {
      try publisher(server.url("other.a", user: "admin"), options: options)
    }
    #expect(other?.kind == .unavailable)
    #expect(other?.description.contains("other.a") == true, "\(other as Any)")
    // With the permissions of docs/fleet.md.
    let gateway = try publisher(server.url("rssi.a", user: "gateway"), options: options)
    gateway.append(message(1))
    #expect(gateway.finish() == nil)
    #expect(try server.messages(of: "SITE") == 1)
  }

  @Test func `the certificate must be trusted`() throws {
    let files = try Certificates(in: directory)
    let server = try NATSServer(
      "tls { cert_file: \"\(files.certificate)\", key_file: \"\(files.key)\" }",
      authority: files.authority,
      in: directory)
    try server.createStream("SITE", of: "rssi.>")
    let url = server.url("rssi.hall-1", scheme: "nats+tls")
    let untrusted = #expect(throws: RSSIError.self) { try publisher(url) }
    #expect(untrusted?.kind == .unavailable)
    #expect(untrusted?.description.contains("of its authority") == true)
    var options = GatewayOptions()
    options.caFile = files.authority
    let trusting = try publisher(url, options: options)
    trusting.append(message(1))
    #expect(trusting.finish() == nil)
    let sink = try received(server, options, scheme: "nats+tls") { !$0.reports.isEmpty }
    #expect(numbers(sink) == [1])
  }

  @Test func `subjects that cannot be published to are refused`() throws {
    for url in [
      "nats://host", "nats://host/", "nats://host/rssi.*", "nats://host/rssi.>", "nats://host/a..b",
      "nats://host/a/b", "nats://host/$JS.API.x", "nats://:4222/a",
    ] {
      let error = #expect(throws: RSSIError.self) { try NATSSubject(url: url) }
      #expect(error?.kind == .usage, "\(url)")
    }
    #expect(try NATSSubject(url: "nats://me@host:4223/site.rssi.hall-1").receiver == "hall-1")
  }
}
