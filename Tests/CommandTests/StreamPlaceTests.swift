import Foundation
import Glibc
import Sightings
import TestSupport
import Testing
import TraceStore

/// Recordings of a NATS stream in a session or on a bench name the stream and the place in it, and
/// do not move the place of captures.
@Suite(
  "The place in a stream, of sessions and benches",
  .enabled(
    if: NATSServer.isInstalled && Broker.isInstalled,
    "needs nats-server and Mosquitto: run scripts/bootstrap test"))
struct StreamPlaceTests {
  private let gateway = NumberedGateway()
  private let subject = "ruuvi.C8:25:2D:8E:9C:2C.F4:1F:0C:28:CB:D6"
  private let folder: TemporaryDirectory
  private let server: NATSServer

  init() throws {
    folder = try TemporaryDirectory()
    server = try NATSServer(in: folder)
    try server.createStream("SITE", of: "ruuvi.>")
  }

  /// The stream and the number of its last message that a trace covers.
  private func place(in path: String) throws -> (stream: String?, sequence: UInt64?) {
    let trace = try TraceReader(path: path)
    return (trace.stream?.name, trace.catalogue.positions.last?.sequence)
  }

  /// Publishes messages until a program does what a test waits for.
  private func publish(
    from first: Int, until isDone: () throws -> Bool, _ program: RunningProgram
  ) throws -> Int {
    var next = first
    let isReached = try program.waits {
      try server.publish([gateway.message(next)], to: subject)
      next += 1
      return try isDone()
    }
    try #require(isReached, "\(program.error)")
    return next
  }

  private func capture(_ messages: Int) throws {
    let program = try RunningProgram(
      builtProgram, ["capture", server.url("SITE"), "-o", folder.path("site") + "/", "--no-pack"])
    let isRead = try program.waits {
      try server.acknowledged(by: "rssi", of: "SITE") == UInt64(messages)
    }
    try #require(isRead, "\(program.error)")
    program.send(SIGINT)
    #expect(program.wait().exitCode == 0, "\(program.error)")
  }

  @Test
  func `a session's part has the place, and the next capture has what came before the session`()
    throws
  {
    let broker = try Broker(in: folder)
    try server.publish((0..<10).map(gateway.message), to: subject)
    try capture(10)
    try server.publish((10..<20).map(gateway.message), to: subject)

    let part = folder.path("site/part.h5")
    let member = try RunningProgram(
      builtProgram,
      [
        "session", "start", "lab", server.url("SITE"), "--name", "hall", "-o", part,
        "--members", "1", "--broker", broker.address, "--flush", "100ms", "--no-pack",
      ])
    let count = try publish(
      from: 20, until: { (try? self.place(in: part))?.sequence ?? 0 > 20 }, member)
    member.send(SIGINT)
    #expect(member.wait().exitCode == 0, "\(member.error)")
    let place = try self.place(in: part)
    #expect(place.stream == "SITE")
    // The messages that came while the session ended are not of it.
    #expect(try 21...UInt64(count) ~= #require(place.sequence))

    try FileManager.default.moveItem(atPath: part, toPath: folder.path("site/session.h5"))
    try capture(count)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("site"))
      .filter { $0.hasSuffix(".h5") && $0 != "session.h5" }
    #expect(
      try gateway.received(in: names.map { "site/" + $0 }, of: folder)
        == Dictionary(uniqueKeysWithValues: (0..<count).map { (gateway.beacon($0), 1) }))
  }

  @Test func `the trace of a bench has the place`() throws {
    let trace = folder.path("bench.h5")
    let bench = try RunningProgram(
      builtProgram,
      [
        "calibrate", server.url("SITE"), "--all-beacons", "--yes", "--poses", "1", "--countdown",
        "0", "--duration", "3s", "--record", trace,
      ])
    var sent = 0
    while bench.isRunning, sent < 2000 {
      // One beacon, so that its pose has enough packets.
      try server.publish([gateway.message(7)], to: subject)
      sent += 1
      usleep(20_000)
    }
    #expect(bench.wait().exitCode == 0, "\(bench.error)")
    let place = try self.place(in: trace)
    #expect(place.stream == "SITE")
    #expect(try 10...UInt64(sent) ~= #require(place.sequence))
  }
}
