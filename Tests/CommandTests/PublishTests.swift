import Foundation
import Sightings
import TestSupport
import Testing
import TraceStore

@Suite(
  "A capture that publishes",
  .enabled(if: NATSServer.isInstalled, "needs nats-server: run scripts/bootstrap test"))
struct PublishTests {
  private let folder: TemporaryDirectory
  private let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path

  init() throws { folder = try TemporaryDirectory() }

  private func publish(_ server: NATSServer, _ arguments: String...) throws -> ProgramResult {
    try publish("replay:\(walk)", server, ["--speed", "max"] + arguments)
  }

  private func publish(
    _ source: String, _ server: NATSServer, _ arguments: [String]
  ) throws -> ProgramResult {
    try runProgram(
      builtProgram,
      ["capture", source, "--spool", folder.path("spool")] + arguments
        + ["-o", server.url("rssi.hall-1")])
  }

  /// Records what a stream has, until a number of its messages is acknowledged.
  private func record(_ server: NATSServer) throws -> String {
    let count = try server.messages(of: "SITE")
    let path = folder.path("stream.h5")
    let program = try RunningProgram(
      builtProgram, ["capture", server.url("SITE"), "-o", path, "--no-pack"])
    let isRead = try program.waits { try server.acknowledged(by: "rssi", of: "SITE") == count }
    #expect(isRead, "\(program.error)")
    program.send(SIGINT)
    #expect(program.wait().exitCode == 0, "\(program.error)")
    return path
  }

  /// Every row as text, with what its indices stand for.
  private func rows(of path: String) throws -> [String] {
    let reader = try TraceReader(path: path)
    let (catalogue, payloads) = (reader.catalogue, reader.payloads())
    var block = SightingColumns(capacity: 0)
    try reader.read(0..<reader.count, into: &block)
    return try (0..<block.count).map { row in
      let fields: [Any] = [
        block.time[row], catalogue.beacons[Int(block.beacon[row])].id,
        catalogue.advertisers[Int(block.advertiser[row])],
        catalogue.receivers[Int(block.receiver[row])].id, block.rssi[row], block.eventType[row],
        block.channel[row], block.primaryPHY[row], block.secondaryPHY[row], block.sid[row],
        block.txPower[row], block.dataStatus[row], try payloads[block.payload[row]],
      ]
      return fields.map { "\($0)" }.joined(separator: " ")
    }
  }

  @Test func aTraceOfTheStreamEqualsOneOfTheRadio() throws {
    let server = try NATSServer(in: folder)
    try server.createStream("SITE", of: "rssi.>")
    let published = try publish(server)
    #expect(published.exitCode == 0, "\(published.error)")
    #expect(published.error.contains("1064 sightings"))
    let direct = folder.path("direct.h5")
    #expect(
      try rssi("capture", "replay:\(walk)", "--speed", "max", "-o", direct, "--no-pack").exitCode
        == 0)
    let stream = try record(server)
    let rows = try rows(of: direct)
    #expect(rows.count == 1064)
    #expect(try self.rows(of: stream) == rows)
    let (a, b) = (try TraceReader(path: direct).catalogue, try TraceReader(path: stream).catalogue)
    #expect(zip(a.receivers, b.receivers).allSatisfy(Node.isSame) && a.receivers.count == 1)
    #expect(a.gaps == b.gaps && a.rejected == b.rejected)
  }

  /// A publisher that meets many addresses begins its tables again; the stream does not show it.
  @Test func everyAddressIsPublished() throws {
    let (count, recording) = (70_000, folder.path("crowd.btsnoop"))
    let made = try runPython(
      """
      import struct, sys
      with open(sys.argv[1], "wb") as file:
          file.write(b"btsnoop\\0" + struct.pack(">II", 1, 1002))
          for number in range(int(sys.argv[2])):
              event = (bytes.fromhex("043e0f02010301") + (0xC00000000000 + number).to_bytes(6, "little")
                       + bytes.fromhex("03020106c4"))
              time = 0x00DCDDB30F2F8000 + 1_700_000_000_000_000 + 100 * number
              file.write(struct.pack(">IIIIQ", len(event), len(event), 3, 0, time) + event)
      """, [recording, "\(count)"])
    try #require(made.exitCode == 0, "\(made.error)")
    let server = try NATSServer(in: folder)
    try server.createStream("SITE", of: "rssi.>")
    let published = try publish("replay:\(recording)", server, ["--speed", "max"])
    #expect(published.exitCode == 0, "\(published.error)")
    let reader = try TraceReader(path: record(server))
    #expect(reader.count == count && reader.catalogue.advertisers.count == count)
    #expect(reader.catalogue.gaps.isEmpty && reader.catalogue.receivers.count == 1)
    var block = SightingColumns(capacity: 0)
    try reader.read(0..<count, into: &block)
    let addresses = block.advertiser.map { "\(reader.catalogue.advertisers[Int($0)])" }
    #expect(Set(addresses).count == count)
    #expect(addresses[0].contains("C0:00:00:00:00:00"))
    #expect(addresses[count - 1].contains("C0:00:00:01:11:6F"))
  }

  @Test(.enabled(if: hasBumble, "needs bumble: run scripts/bootstrap test"))
  func whatAControllerReceivesIsPublished() throws {
    let port = try "\(freePort())"
    let bumble = try RunningProgram(
      pythonPath, [repositoryRoot.appending(path: "Tests/Rig/bumble/advertise.py").path, port])
    defer { bumble.send(SIGKILL) }
    try #require(bumble.waits { bumble.output.contains("ready") }, "\(bumble.error)")
    let server = try NATSServer(in: folder)
    try server.createStream("SITE", of: "rssi.>")
    let published = try publish("h4:tcp:127.0.0.1:\(port)", server, ["--count", "20"])
    #expect(published.exitCode == 0, "\(published.error)")
    let reader = try TraceReader(path: record(server))
    var block = SightingColumns(capacity: 0)
    try reader.read(0..<reader.count, into: &block)
    #expect(block.count >= 20 && block.rssi.allSatisfy { $0 == -50 })
    #expect(reader.catalogue.receivers[0].radio.adapter.contains(port))
    #expect(
      reader.catalogue.beacons.contains {
        $0.id.hasSuffix("E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:2")
      })
  }

  /// A limit on the size of files fails writes as a full disk does.
  @Test func whatAFullDiskDoesNotTakeIsCountedInTheStream() throws {
    let server = try NATSServer(in: folder)
    try server.createStream("SITE", of: "rssi.>")
    let script =
      "ulimit -f 40; trap '' XFSZ; exec \(builtProgram) capture replay:\(walk) --speed max "
      + "--spool \(folder.path("spool")) -o \(server.url("rssi.hall-1"))"
    let result = try runProgram("/bin/bash", ["-c", script])
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(result.error.contains("the spool cannot grow"), "\(result.error)")
    let catalogue = try TraceReader(path: record(server)).catalogue
    let dropped = catalogue.gaps.reduce(0) { $0 + Int($1.dropped) }
    #expect(catalogue.gaps.allSatisfy { $0.reason == .overflow } && dropped > 0)
    #expect(try rows(of: folder.path("stream.h5")).count + dropped == 1064)
  }

  @Test func whatCannotBePublishedIsRefused() throws {
    let server = try NATSServer(in: folder)
    let missing = try publish(server)
    #expect(missing.exitCode == 69 && missing.error.contains("takes the subject rssi.hall-1"))
    try server.createStream("SITE", of: "rssi.>")
    for arguments in [
      ["--at", "1,2"], ["--rotate", "1h"], ["--note", "x"], ["--distance", "2m"],
    ] {
      let result = try publish(server, arguments[0], arguments[1])
      #expect(result.exitCode == 64 && result.error.contains(arguments[0]), "\(result.error)")
    }
    #expect(try publish(server, "--spool-limit", "1").exitCode == 64)
    #expect(try publish(server, "--spool-limit", "10KB").exitCode == 64)
    let useless = try rssi("capture", "replay:\(walk)", "--spool", "x", "-o", "-")
    #expect(useless.exitCode == 64, "\(useless.error)")
    #expect(try server.messages(of: "SITE") == 0)
  }

  @Test func aServerThatIsAwayLeavesTheSpool() throws {
    let server = try NATSServer(in: folder)
    try server.createStream("SITE", of: "rssi.>")
    server.kill()
    let away = try publish(server)
    #expect(away.exitCode == 69 && away.error.contains("23 messages"), "\(away.error)")
    try server.start()
    let result = try publish(server, "--count", "1")
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(try server.messages(of: "SITE") == 25)
    #expect(try rows(of: record(server)).count == 1065)
  }
}
