import Foundation
import Glibc
import TestSupport
import Testing

@Suite(
  "A capture of gateways that is killed",
  .enabled(if: Broker.isInstalled, "needs Mosquitto: run scripts/bootstrap test"))
struct GatewayKillTests {
  private let gateway = NumberedGateway()

  /// Every message of QoS 1 is in a trace, although each capture but the last is killed while it
  /// has some that are not flushed.
  @Test func `every message is in a trace`() throws {
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
        try broker.publish((first..<first + 10).map(gateway.message), to: topic)
      }
      program.end()
    }
    let program = try capture("last.h5")
    // The broker keeps their order: once it has sent the last, it has sent all.
    try broker.publish([gateway.message(rounds * messages)], to: topic)
    let last = gateway.beacon(rounds * messages)
    let isThere = try program.waits {
      try rssi("export", folder.path("last.h5"), "--beacon", last).output.contains(last)
    }
    #expect(isThere, "\(program.error)")
    program.send(SIGINT)
    #expect(program.wait().exitCode == 0, "\(program.error)")

    let received = try gateway.received(
      in: (0..<rounds).map { "\($0).h5" } + ["last.h5"], of: folder)
    let expected = (0...rounds * messages).map(gateway.beacon)
    #expect(Set(received.keys) == Set(expected))
  }
}
