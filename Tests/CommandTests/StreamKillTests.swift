import Foundation
import Glibc
import TestSupport
import Testing

@Suite(
  "Captures of a stream that are killed",
  .enabled(if: NATSServer.isInstalled, "needs nats-server: run scripts/bootstrap test"))
struct StreamKillTests {
  private let gateway = NumberedGateway()

  /// Each capture but the last is killed while messages arrive, and the server once; still the
  /// traces of the folder together have each message once.
  @Test func everyMessageIsInOneTraceOnce() throws {
    let folder = try TemporaryDirectory()
    let server = try NATSServer(in: folder)
    try server.createStream("SITE", of: "ruuvi.>")
    let subject = "ruuvi.C8:25:2D:8E:9C:2C.F4:1F:0C:28:CB:D6"
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
      // Whoever was killed has the lease for some seconds more.
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

    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("site"))
    #expect(names.count == rounds + 1)
    let received = try gateway.received(in: names.map { "site/" + $0 }, of: folder)
    let expected = (0...rounds * messages).map { (gateway.beacon($0), 1) }
    #expect(received == Dictionary(uniqueKeysWithValues: expected))
  }
}
