import Foundation
import Glibc
import TestSupport
import Testing

@Suite(
  "Captures of a stream that are killed",
  .enabled(if: NATSServer.isInstalled, "needs nats-server: run scripts/bootstrap test"))
struct StreamKillTests {
  private let uuid = "FDA50693-A4E2-4FB1-AFCF-C6EB07647825"

  /// A gateway's message of an iBeacon whose major is a number.
  private func message(_ number: Int) -> String {
    let major = String(number + 0x10000, radix: 16).dropFirst()
    let data = "0201061AFF4C000215\(uuid.filter { $0 != "-" })\(major)0001C5"
    return #"{"gw_mac":"C8:25:2D:8E:9C:2C","rssi":-60,"data":"\#(data)"}"#
  }

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
        try server.publish((first..<first + 10).map(message), to: subject)
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
    try server.publish([message(rounds * messages)], to: subject)
    let program = try capture()
    let isRead = try program.waits {
      try server.acknowledged(by: "rssi", of: "SITE") == UInt64(rounds * messages + 1)
    }
    #expect(isRead, "\(program.error)")
    program.send(SIGINT)
    #expect(program.wait().exitCode == 0, "\(program.error)")

    var received: [String: Int] = [:]
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("site"))
    #expect(names.count == rounds + 1)
    for name in names {
      let rows = try rssi("export", folder.path("site/" + name))
      try #require(rows.exitCode == 0, "\(rows.error)")
      for line in rows.output.split(separator: "\n") {
        let beacon = try #require(try json(String(line))["beacon"] as? String)
        received[beacon, default: 0] += 1
      }
    }
    let expected = (0...rounds * messages).map { ("ibeacon:\(uuid):\($0):1", 1) }
    #expect(received == Dictionary(uniqueKeysWithValues: expected))
  }
}
