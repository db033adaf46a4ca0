import Advertising
import Foundation
import Sightings
import Support
import Synchronization
import TestSupport
import Testing

@testable import Capture

@Suite(.enabled(if: NATSServer.isInstalled, "needs nats-server: run scripts/bootstrap test"))
struct NATSSourceTests {
  private typealias Positions = [(stream: StreamIdentity, position: StreamPosition)]
  private let directory: TemporaryDirectory
  private let subject = "ruuvi.C8:25:2D:8E:9C:2C.F4:1F:0C:28:CB:D6"

  init() throws { directory = try TemporaryDirectory() }

  private func messages(_ levels: Range<Int>) -> [String] { levels.map(MQTTSourceTests.message) }

  /// Listens until a condition holds; what is done meanwhile is done between two ticks.
  private func listen(
    _ url: String, options: GatewayOptions = GatewayOptions(), since: StreamStart? = nil,
    positions: Positions? = [], savesAtTicks: Bool = true,
    until isEnough: @escaping (RecordingSink) throws -> Bool
  ) throws -> RecordingSink {
    var source = try NATSSource(
      url: url, options: options, since: since, positions: positions.map { found in { found } },
      environment: [:])
    return try CaptureTests.listen(to: &source, savesAtTicks: savesAtTicks, until: isEnough)
  }

  private func levels(_ sink: RecordingSink) -> [Int] { sink.reports.map { -Int($0.report.rssi) } }

  @Test func `messages are read in order and from where the last ended`() throws {
    let server = try NATSServer(in: directory)
    try server.createStream("SITE", of: "ruuvi.>")
    try server.publish(messages(40..<60), to: subject)
    let first = try listen(server.url("SITE")) { $0.reports.count >= 20 }
    #expect(levels(first) == Array(40..<60))
    #expect(first.receivers.values.map(\.name) == ["C8:25:2D:8E:9C:2C"])
    #expect(first.reached.map(\.sequence) == Array(1...20))
    let stream = try #require(first.stream)
    #expect(stream.broker == "127.0.0.1:\(server.port)" && stream.name == "SITE")
    let isAcknowledged = try eventually { try server.acknowledged(by: "rssi", of: "SITE") == 20 }
    #expect(isAcknowledged)

    try server.publish(messages(60..<65) + ["on"], to: subject)
    let second = try listen(server.url("SITE")) { !$0.rejected.isEmpty }
    #expect(levels(second) == Array(60..<65))
    #expect(second.counts.packets == 6 && second.counts.rejectedPackets == 1)
  }

  /// A trace has more than the server knows of where a capture was killed between the flush and the
  /// acknowledgement.
  @Test func `messages in a trace are not taken again`() throws {
    let server = try NATSServer(in: directory)
    try server.createStream("SITE", of: "ruuvi.>")
    try server.publish(messages(40..<50), to: subject)
    let lost = try listen(server.url("SITE"), savesAtTicks: false) { $0.reports.count >= 10 }
    let stream = try #require(lost.stream)
    let saved = try #require(lost.reached.first { $0.sequence == 7 })
    // The sink of `lost` saved when it was asked to at its end; another consumer has no such place.
    var options = GatewayOptions()
    options.clientID = "other"
    let next = try listen(
      server.url("SITE"), options: options, positions: [(stream, saved)]
    ) { $0.reports.count >= 3 }
    #expect(levels(next) == Array(47..<50))
  }

  @Test func `nothing is acknowledged before it is saved`() throws {
    let server = try NATSServer(in: directory)
    try server.createStream("SITE", of: "ruuvi.>")
    try server.publish(messages(40..<50), to: subject)
    var ticksWithAll = 0
    var floors: Set<UInt64> = []
    let sink = try listen(server.url("SITE"), savesAtTicks: false) { sink in
      guard sink.reports.count >= 10, sink.saves == 0 else { return sink.saves > 0 }
      ticksWithAll += 1
      floors.insert(try server.acknowledged(by: "rssi", of: "SITE") ?? 0)
      return ticksWithAll > 10
    }
    #expect(sink.saves == 1 && floors == [0])
    let isAcknowledged = try eventually { try server.acknowledged(by: "rssi", of: "SITE") == 10 }
    #expect(isAcknowledged)
  }

  private struct Crash: Error {}

  /// Starts captures until one reads on; each has the levels that it saved before it ended.
  ///
  /// - Parameter failure: an error that a sink throws for a level, such as an unforeseen one.
  private func starts(
    _ server: NATSServer, atMost limit: Int, until last: Int,
    _ failure: @escaping (Int) -> (any Error)?
  ) throws -> (starts: Int, saved: [Int], rejected: [String: UInt64], notes: [String]) {
    var saved: [Int] = []
    for start in 1...limit {
      var source = try NATSSource(
        url: server.url("SITE"), options: GatewayOptions(), positions: { [] }, environment: [:])
      var sink = RecordingSink { sink in sink.reports.last.map { -Int($0.report.rssi) } != last }
      sink.savesAtTicks = false
      sink.failure = { failure(-Int($0.rssi)) }
      do {
        try source.run(into: &sink)
        return (start, saved + levels(sink), sink.rejected, sink.notes)
      } catch {
        // What was not saved is taken again.
        saved += levels(sink).prefix(sink.saves)
      }
    }
    return (limit, saved, [:], [])
  }

  /// One message ends every capture that takes it: the first, in the middle, the last but one.
  @Test(arguments: [40, 47, 58])
  func `a message that ends captures is skipped`(_ bad: Int) throws {
    let server = try NATSServer(in: directory)
    try server.createStream("SITE", of: "ruuvi.>")
    try server.publish(messages(40..<60), to: subject)
    for error in [RSSIError(.badInput, "unforeseen"), Crash()] as [any Error] {
      let result = try starts(server, atMost: 8, until: 59) { $0 == bad ? error : nil }
      #expect(result.starts == StreamAttempts.most + 2)
      #expect(result.saved == Array(40..<60).filter { $0 != bad })
      #expect(result.rejected == ["skipped:\(bad - 39)": 1])
      #expect(
        result.notes.contains { $0.contains("message \(bad - 39)") })
      try server.deleteStream("SITE")
      try server.createStream("SITE", of: "ruuvi.>")
      try server.publish(messages(40..<60), to: subject)
    }
  }

  @Test func `each of two messages that end captures is skipped`() throws {
    let server = try NATSServer(in: directory)
    try server.createStream("SITE", of: "ruuvi.>")
    try server.publish(messages(40..<60), to: subject)
    let result = try starts(server, atMost: 20, until: 59) {
      [45, 46].contains($0) ? Crash() : nil
    }
    #expect(result.saved == Array(40..<60).filter { $0 != 45 && $0 != 46 })
  }

  /// A full disk, a server that is away or a missing permission is not of the message.
  @Test(arguments: [RSSIError.Kind.inputOutput, .unavailable, .permission])
  func `errors that are not of the message skip none`(_ kind: RSSIError.Kind) throws {
    let server = try NATSServer(in: directory)
    try server.createStream("SITE", of: "ruuvi.>")
    try server.publish(messages(40..<50), to: subject)
    let broken = try starts(server, atMost: 7, until: 49) {
      $0 == 44 ? RSSIError(kind, "elsewhere") : nil
    }
    #expect(broken.starts == 7)
    let next = try starts(server, atMost: 1, until: 49) { _ in nil }
    #expect(broken.saved + next.saved == Array(40..<50) && next.rejected.isEmpty)
  }

  @Test func `a restarted server is read on`() throws {
    let server = try NATSServer(in: directory)
    try server.createStream("SITE", of: "ruuvi.>")
    try server.publish(messages(40..<45), to: subject)
    var (isKilled, isRestarted) = (false, false)
    let sink = try listen(server.url("SITE")) { sink in
      if sink.reports.count >= 5, !isKilled {
        isKilled = true
        server.kill()
      }
      if sink.notes.contains(where: { $0.contains("lost") }), !isRestarted {
        isRestarted = true
        try server.start()
        try server.publish(messages(45..<50), to: subject)
      }
      return sink.reports.count >= 10
    }
    #expect(levels(sink) == Array(40..<50))
    #expect(sink.notes.contains { $0.contains("lost") })
  }

  /// The server repeats the messages after 30 s, though nothing new comes.
  @Test(.systemRun) func `an acknowledgement that is lost is sent again`() throws {
    let server = try NATSServer(in: directory)
    try server.createStream("SITE", of: "ruuvi.>")
    try server.publish(messages(40..<45), to: subject)
    var ticksWithAll = 0
    let sink = try listen(server.url("SITE")) { sink in
      guard sink.reports.count >= 5 else { return false }
      ticksWithAll += 1
      switch ticksWithAll {
      case 1:
        server.pause()
        return false
      case 2, 3: return false
      case 4:
        server.kill()
        try server.start()
        return false
      default: return try server.acknowledged(by: "rssi", of: "SITE") == 5
      }
    }
    #expect(levels(sink) == Array(40..<45))
    #expect(try server.acknowledged(by: "rssi", of: "SITE") == 5)
  }

  @Test func `a partition is read by its subjects and has its own topics`() throws {
    let server = try NATSServer(
      #"""
      mappings: { "gw.*": "part.{{partition(2,1)}}.ruuvi.{{wildcard(1)}}.F4:1F:0C:28:CB:D6" }
      """#, in: directory)
    try server.createStream("SITE", of: "part.>")
    let gateways = (0..<8).map { "C8:25:2D:8E:9C:0\($0)" }
    for (index, gateway) in gateways.enumerated() {
      let text = MQTTSourceTests.message(40 + index)
        .replacing("C8:25:2D:8E:9C:2C", with: gateway)
      try server.publish([text], to: "gw.\(gateway)")
    }
    var received: [String] = []
    for partition in ["part.0", "part.1"] {
      var quiet = 0
      let sink = try listen(server.url("SITE/\(partition)")) { sink in
        quiet = sink.reached.isEmpty ? 0 : quiet + 1
        return quiet >= 10
      }
      received += sink.receivers.values.map(\.name)
      #expect(sink.rejected.isEmpty)
    }
    #expect(received.sorted() == gateways)
  }

  @Test func `a partition has one owner`() throws {
    let server = try NATSServer(in: directory)
    try server.createStream("SITE", of: "ruuvi.>")
    let url = server.url("SITE")
    let refusal = Mutex<RSSIError?>(nil)
    var isAsked = false
    _ = try listen(url) { sink in
      if sink.starts == 1, !isAsked {
        isAsked = true
        Thread.detachNewThread {
          var sink = RecordingSink { _ in true }
          do {
            var source = try NATSSource(url: url, positions: { [] }, environment: [:])
            try source.run(into: &sink)
          } catch {
            refusal.withLock { $0 = error as? RSSIError }
          }
        }
      }
      return refusal.withLock { $0 } != nil
    }
    let error = try #require(refusal.withLock { $0 })
    #expect(error.kind == .unavailable)
    #expect(error.description.contains("process \(getpid())"), "\(error)")
    // It was given back at the end.
    let next = try listen(server.url("SITE")) { $0.ticks > 1 }
    #expect(next.starts == 1)
  }

  @Test func `the beginning can be chosen`() throws {
    let server = try NATSServer(in: directory)
    try server.createStream("SITE", of: "ruuvi.>")
    try server.publish(messages(40..<50), to: subject)
    var options = GatewayOptions()
    options.clientID = "replay"
    let replay = try listen(server.url("SITE"), options: options, since: .sequence(8)) {
      $0.reports.count >= 3
    }
    #expect(levels(replay) == [47, 48, 49])
    let time = try #require(replay.reached.first { $0.sequence == 9 }).time
    options.clientID = "replay-2"
    let late = try listen(server.url("SITE"), options: options, since: .time(time)) {
      $0.reports.count >= 2
    }
    #expect(levels(late) == [48, 49])
    // Without a place only what comes from now on is read.
    var isPublished = false
    let live = try listen(server.url("SITE"), positions: nil) { sink in
      if sink.starts == 1, !isPublished {
        isPublished = true
        try server.publish(messages(70..<71), to: subject)
      }
      return !sink.reports.isEmpty
    }
    #expect(levels(live) == [70])
  }

  @Test func `removed messages are counted`() throws {
    let server = try NATSServer(in: directory)
    try server.createStream("SITE", of: "ruuvi.>")
    try server.publish(messages(40..<42), to: subject)
    let first = try listen(server.url("SITE")) { $0.reports.count >= 2 }
    #expect(first.rejected.isEmpty)
    try server.publish(messages(42..<47), to: subject)
    try server.purge("SITE")
    try server.publish(messages(47..<48), to: subject)
    let saved = (try #require(first.stream), try #require(first.reached.last))
    let next = try listen(server.url("SITE"), positions: [saved]) { !$0.reports.isEmpty }
    #expect(levels(next) == [47])
    #expect(next.rejected == ["removed-from-stream": 5])
    #expect(next.notes.contains { $0.contains("5 messages") }, "\(next.notes)")
  }

  @Test func `an unknown stream and a server that is not there are named`() throws {
    let server = try NATSServer(in: directory)
    let unknown = #expect(throws: RSSIError.self) { try listen(server.url("SITE")) { _ in false } }
    #expect(unknown?.kind == .unavailable)
    #expect(unknown?.description.contains("has no stream SITE") == true, "\(unknown as Any)")
    let port = try reservedPort()
    let missing = #expect(throws: RSSIError.self) {
      try listen("nats://127.0.0.1:\(port)/SITE") { _ in false }
    }
    #expect(missing?.kind == .unavailable)
    #expect(missing?.description.contains("127.0.0.1:\(port)") == true)
    let plain = #expect(throws: RSSIError.self) {
      try listen(server.url("SITE", scheme: "nats+tls")) { _ in false }
    }
    #expect(plain?.description.contains("does not support TLS") == true, "\(plain as Any)")
  }

  @Test func `permissions are named`() throws {
    let server = try NATSServer(
      """
      authorization { users: [
        { user: admin, password: pw }
        { user: walker, password: s3cret, permissions: { publish: "nothing.>" } }
        { user: capture, password: pw, permissions: {
          publish: ["$JS.API.>", "$JS.ACK.>", "$KV.rssi-leases.>"], subscribe: ["_INBOX.>"] } }
      ] }
      """, user: ("admin", "pw"), in: directory)
    try server.createStream("SITE", of: "ruuvi.>")
    let stranger = #expect(throws: RSSIError.self) { try listen(server.url("SITE")) { _ in false } }
    #expect(stranger?.kind == .permission, "\(stranger as Any)")
    var options = GatewayOptions()
    options.passwordFile = try directory.write("s3cret\n", to: "password", permissions: 0o600)
    let walker = #expect(throws: RSSIError.self) {
      try listen(server.url("SITE", user: "walker"), options: options) { _ in false }
    }
    #expect(walker?.kind == .permission, "\(walker as Any)")
    #expect(walker?.description.contains("docs/fleet.md") == true, "\(walker as Any)")
    options.passwordFile = try directory.write("pw\n", to: "admin", permissions: 0o600)
    // With the permissions of docs/fleet.md.
    try server.publish(messages(40..<42), to: subject)
    let capture = try listen(server.url("SITE", user: "capture"), options: options) {
      $0.reports.count >= 2
    }
    #expect(levels(capture) == [40, 41])
    let isAcknowledged = try eventually { try server.acknowledged(by: "rssi", of: "SITE") == 2 }
    #expect(isAcknowledged)
  }

  @Test(arguments: [("IP:127.0.0.1", true), ("DNS:other.example", false)])
  func `the certificate must be trusted and of the server`(name: String, isOfTheServer: Bool) throws
  {
    let files = try Certificates(for: name, in: directory)
    let server = try NATSServer(
      #"tls { cert_file: "\#(files.certificate)", key_file: "\#(files.key)" }"#,
      authority: files.authority, in: directory)
    try server.createStream("SITE", of: "ruuvi.>")
    try server.publish(messages(40..<42), to: subject)
    var options = GatewayOptions()
    options.caFile = files.authority
    let url = server.url("SITE", scheme: "nats+tls")
    if isOfTheServer {
      #expect(levels(try listen(url, options: options) { $0.reports.count >= 2 }) == [40, 41])
      options.caFile = nil
    }
    let error = #expect(throws: RSSIError.self) { try listen(url, options: options) { _ in false } }
    #expect(error?.kind == .unavailable, "\(error as Any)")
    #expect(error?.description.contains("check the name") == true, "\(error as Any)")
  }

  @Test func `addresses without a stream are refused`() {
    for url in [
      "nats://host", "nats://host/", "nats://host/A.B", "nats://host/A/b/c", "nats://host/A/*",
      "nats://host/A/part..0", "nats://:4222/A",
    ] {
      let error = #expect(throws: RSSIError.self) { try NATSAddress(url: url) }
      #expect(error?.kind == .usage, "\(url)")
    }
  }

  @Test func `topics are those of MQTT`() throws {
    func topic(_ url: String, _ subject: String) throws -> String {
      let address = try NATSAddress(url: url)
      let bytes = Array(subject.utf8)
      return bytes.withUnsafeBufferPointer {
        String(decoding: address.topic(of: $0), as: UTF8.self)
      }
    }
    #expect(try topic("nats://host/A", "ruuvi.a.b") == "ruuvi/a/b")
    #expect(try topic("nats://host/A/part.0", "part.0.ruuvi.a") == "ruuvi/a")
    #expect(try topic("nats://host/A", "/.a") == "/a")
  }
}
