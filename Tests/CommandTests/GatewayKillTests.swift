import Foundation
import Glibc
import TestSupport
import Testing

@Suite(
  "A capture of gateways that is killed",
  .enabled(if: Broker.isInstalled, "needs Mosquitto: run scripts/bootstrap test"))
struct GatewayKillTests {
  private let uuid = "FDA50693-A4E2-4FB1-AFCF-C6EB07647825"

  /// A gateway's message of an iBeacon whose major is a number.
  private func message(_ number: Int) -> String {
    let major = String(number + 0x10000, radix: 16).dropFirst()
    let data = "0201061AFF4C000215\(uuid.filter { $0 != "-" })\(major)0001C5"
    return #"{"gw_mac":"C8:25:2D:8E:9C:2C","rssi":-60,"data":"\#(data)"}"#
  }

  /// Every message of QoS 1 is in a trace, although each capture but the last is killed while it
  /// has some that are not flushed.
  @Test func everyMessageIsInATrace() throws {
    let folder = try TemporaryDirectory()
    let broker = try Broker(in: folder)
    let topic = "ruuvi/C8:25:2D:8E:9C:2C/F4:1F:0C:28:CB:D6"
    func capture(_ name: String) throws -> RunningProgram {
      let subscriptions = broker.subscriptions(to: "ruuvi/#")
      let program = try RunningProgram(
        builtProgram,
        [
          "capture", broker.url("ruuvi/#"), "--client-id", "site", "--flush", "150ms", "-o",
          folder.path(name), "--no-pack",
        ])
      let listens = program.waits { broker.subscriptions(to: "ruuvi/#") > subscriptions }
      try #require(listens, "\(program.error)")
      return program
    }
    let (rounds, messages) = (8, 40)
    for round in 0..<rounds {
      let program = try capture("\(round).h5")
      for part in 0..<4 {
        let first = round * messages + part * 10
        try broker.publish((first..<first + 10).map(message), to: topic)
      }
      program.end()
    }
    let program = try capture("last.h5")
    // The broker keeps their order: once it has sent the last, it has sent all.
    try broker.publish([message(rounds * messages)], to: topic)
    let last = "\(uuid):\(rounds * messages):1"
    let isThere = try program.waits {
      try rssi("export", folder.path("last.h5"), "--beacon", last).output.contains(last)
    }
    #expect(isThere, "\(program.error)")
    program.send(SIGINT)
    #expect(program.wait().exitCode == 0, "\(program.error)")

    var received: [String: Int] = [:]
    for name in (0..<rounds).map({ "\($0).h5" }) + ["last.h5"] {
      let rows = try rssi("export", folder.path(name))
      try #require(rows.exitCode == 0, "\(rows.error)")
      for line in rows.output.split(separator: "\n") {
        let beacon = try #require(try json(String(line))["beacon"] as? String)
        received[beacon, default: 0] += 1
      }
    }
    let expected = (0...rounds * messages).map { "ibeacon:\(uuid):\($0):1" }
    #expect(Set(received.keys) == Set(expected))
  }
}
