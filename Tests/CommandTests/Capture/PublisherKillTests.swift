import Foundation
import Glibc
import Sightings
import TestSupport
import Testing
import TraceStore

@Suite(
  "A capture that publishes and is killed", .systemRun,
  .enabled(if: NATSServer.isInstalled, "needs nats-server: run scripts/bootstrap test"))
struct PublisherKillTests {
  /// Each round publishes a recording until it is killed at random, and the server is killed now
  /// and then: of every round the stream has the first sightings up to some point, each once and in
  /// order, and all of the last.
  @Test func `every sighting is in the stream once`() throws {
    let folder = try TemporaryDirectory()
    let server = try NATSServer(in: folder)
    try server.createStream("SITE", of: "rssi.>")
    let rounds = 8
    var generator = SeededGenerator(seed: 11)
    var recordings: [[Int64]] = []
    for round in 0..<rounds {
      let walk = try simulated(round, in: folder)
      recordings.append(try times(of: walk, in: folder))
      let isLast = round == rounds - 1
      let program = try RunningProgram(
        builtProgram,
        [
          "capture", "replay:\(walk)", "--speed", isLast ? "max" : "30", "--flush", "20ms",
          "--receiver", "round-\(round)", "--spool", folder.path("spool"), "-o",
          server.url("rssi.hall-1"),
        ])
      guard !isLast else {
        #expect(program.wait().exitCode == 0, "\(program.error)")
        break
      }
      let before = try server.messages(of: "SITE")
      let extra = UInt64.random(in: 1...60, using: &generator)
      let isUnderWay = try program.waits { try server.messages(of: "SITE") >= before + extra }
      #expect(isUnderWay || !program.isRunning, "\(program.error)")
      if round % 3 == 1 {
        server.kill()
        program.end()
        try server.start()
      } else {
        program.end()
        if round % 3 == 2 {
          server.kill()
          try server.start()
        }
      }
    }

    let path = folder.path("stream.h5")
    let count = try server.messages(of: "SITE")
    let capture = try RunningProgram(
      builtProgram, ["capture", server.url("SITE"), "-o", path, "--no-pack"])
    let isRead = try capture.waits { try server.acknowledged(by: "rssi", of: "SITE") == count }
    #expect(isRead, "\(capture.error)")
    capture.send(SIGINT)
    #expect(capture.wait().exitCode == 0, "\(capture.error)")
    let received = try timesByReceiver(of: path)
    for (round, times) in recordings.enumerated() {
      let found = received["round-\(round)"] ?? []
      #expect(found == Array(times.prefix(found.count)), "round \(round)")
      #expect(!found.isEmpty && (round < rounds - 1 || found.count == times.count))
    }
    #expect(try TraceReader(path: path).catalogue.gaps.isEmpty)
  }

  private func simulated(_ seed: Int, in folder: TemporaryDirectory) throws -> String {
    let name = folder.path("room-\(seed)")
    let result = try rssi(
      "simulate", "--model", "simple", "--seed", "\(seed)", "--walks", "1", "--duration", "120",
      "-o", name)
    try #require(result.exitCode == 0, "\(result.error)")
    return name + "/walk-1.btsnoop"
  }

  /// Returns the times of the sightings of a recording, as a trace has them.
  private func times(of walk: String, in folder: TemporaryDirectory) throws -> [Int64] {
    let path = folder.path("direct.h5")
    let result = try rssi("capture", "replay:\(walk)", "--speed", "max", "-o", path, "--no-pack")
    try #require(result.exitCode == 0, "\(result.error)")
    return try timesByReceiver(of: path)["hci0"] ?? []
  }

  private func timesByReceiver(of path: String) throws -> [String: [Int64]] {
    let reader = try TraceReader(path: path)
    var block = SightingColumns(capacity: 0)
    try reader.read(0..<reader.count, into: &block)
    var times: [String: [Int64]] = [:]
    for row in 0..<block.count {
      let name = reader.catalogue.receivers[Int(block.receiver[row])].id
      times[name, default: []].append(block.time[row])
    }
    return times
  }
}
