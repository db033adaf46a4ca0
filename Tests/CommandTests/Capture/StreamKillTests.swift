import Foundation
import Glibc
import TestSupport
import Testing

@Suite(
  "Captures of a stream that are killed",
  .enabled(if: NATSServer.isInstalled, "needs nats-server: run scripts/bootstrap test"))
struct StreamKillTests {
  private let gateway = NumberedGateway()
  private let subject = "ruuvi.C8:25:2D:8E:9C:2C.F4:1F:0C:28:CB:D6"

  /// Each capture but the last is killed while messages arrive, and the server once; still the
  /// traces of the folder together have each message once.
  @Test func `every message is in one trace once`() throws {
    let folder = try TemporaryDirectory()
    let server = try NATSServer(in: folder)
    try server.createStream("SITE", of: "ruuvi.>")
    func capture() throws -> RunningProgram {
      try RunningProgram(
        builtProgram,
        [
          "capture", server.url("SITE"), "--flush", "100ms", "-o", folder.path("site") + "/",
          "--no-pack",
        ])
    }
    let (rounds, messages) = (6, 60)
    for round in 0..<rounds {
      let program = try capture()
      let before = try server.acknowledged(by: "rssi", of: "SITE") ?? 0
      for part in 0..<6 {
        let first = round * messages + part * 10
        try server.publish((first..<first + 10).map(gateway.message), to: subject)
      }
      // A killed capture keeps its lease for some seconds.
      let isRead = try program.waits {
        try server.acknowledged(by: "rssi", of: "SITE") ?? 0 > before
      }
      #expect(isRead, "\(program.error)")
      program.end()
      if round == 2 {
        server.kill()
        try server.start()
      }
    }
    try server.publish([gateway.message(rounds * messages)], to: subject)
    let program = try capture()
    let isRead = try program.waits {
      try server.acknowledged(by: "rssi", of: "SITE") == UInt64(rounds * messages + 1)
    }
    #expect(isRead, "\(program.error)")
    program.send(SIGINT)
    #expect(program.wait().exitCode == 0, "\(program.error)")

    #expect(try received(in: folder) == once(0...rounds * messages))
  }

  /// A capture that cannot write acknowledges nothing of what it could not.
  @Test func `messages that a full disk refused are read by the next capture`() throws {
    let folder = try TemporaryDirectory()
    let server = try NATSServer(in: folder)
    try server.createStream("SITE", of: "ruuvi.>")
    let count = 4000
    try server.publish((0...count).map(gateway.message), to: subject)
    let command = "capture \(server.url("SITE")) --no-pack -o \(folder.path("site"))/"
    // A limit on the size of files fails writes as a full disk does.
    let full = try runProgram(
      "/bin/bash", ["-c", "ulimit -f 200; trap '' XFSZ; exec \(builtProgram) \(command)"])
    #expect(full.exitCode == 74, "\(full.error)")
    #expect(full.error.contains("space"), "\(full.error)")
    let kept = try server.acknowledged(by: "rssi", of: "SITE") ?? 0
    #expect(kept <= UInt64(count))

    let next = try RunningProgram(builtProgram, command.split(separator: " ").map(String.init))
    let isRead = try next.waits {
      try server.acknowledged(by: "rssi", of: "SITE") == UInt64(count + 1)
    }
    #expect(isRead, "\(next.error)")
    next.send(SIGINT)
    #expect(next.wait().exitCode == 0, "\(next.error)")
    #expect(try received(in: folder) == once(0...count))
  }

  private func received(in folder: TemporaryDirectory) throws -> [String: Int] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("site"))
      .filter { $0.hasSuffix(".h5") }
    return try gateway.received(in: names.map { "site/" + $0 }, of: folder)
  }

  private func once(_ numbers: ClosedRange<Int>) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: numbers.map { (gateway.beacon($0), 1) })
  }
}
