import Foundation
import TestSupport
import Testing

/// The configuration that docs/fleet.md shows, in a real server.
@Suite(
  .enabled(
    if: NATSServer.isInstalled && Broker.isInstalled,
    "needs nats-server and Mosquitto: run scripts/bootstrap test"))
struct FleetPageTests {
  private let gateway = NumberedGateway()

  /// The lines between two fences that hold some words.
  private func block(with words: String) throws -> String {
    let page = try String(
      contentsOf: repositoryRoot.appending(path: "docs/fleet.md"), encoding: .utf8)
    let blocks = page.split(separator: "\n```").filter { $0.contains(words) }
    return String(try #require(blocks.first).drop { $0 != "\n" })
  }

  /// Gateways publish over MQTT and captures read over NATS, both with TLS and as their users.
  @Test func `users and TLS are as the page shows`() throws {
    let folder = try TemporaryDirectory()
    let files = try Certificates(in: folder)
    let port = try reservedPort()
    let settings = try block(with: "authorization")
      .replacing("/etc/nats/server.pem", with: files.certificate)
      .replacing("/etc/nats/server.key", with: files.key)
      .replacing("0.0.0.0:8883", with: "127.0.0.1:\(port)")
      .replacing("$ADMIN_PASSWORD", with: "admin-pw")
      .replacing("$CAPTURE_PASSWORD", with: "capture-pw")
      .replacing("$GATEWAY_PASSWORD", with: "gateway-pw")
    let server = try NATSServer(
      settings, user: ("admin", "admin-pw"), authority: files.authority, in: folder)
    try server.createStream("SITE", of: "ruuvi.>")

    for (qos, user, topic, isHeard) in [
      ("0", "gateway", "ruuvi/C8:25:2D:8E:9C:2C/F4:1F:0C:28:CB:D6", true),
      ("1", "gateway", "ruuvi/C8:25:2D:8E:9C:2C/F4:1F:0C:28:CB:D6", true),
      ("1", "stranger", "ruuvi/C8:25:2D:8E:9C:2C/F4:1F:0C:28:CB:D6", false),
    ] {
      let result = try runProgram(
        "/usr/bin/mosquitto_pub",
        [
          "-h", "127.0.0.1", "-p", "\(port)", "--cafile", files.authority, "-u", user, "-P",
          "gateway-pw", "-q", qos, "-t", topic, "-m", gateway.message(qos == "0" ? 0 : 1),
        ])
      #expect((result.exitCode == 0) == isHeard, "\(result.error)")
    }

    let password = try folder.write("capture-pw\n", to: "password", permissions: 0o600)
    let program = try RunningProgram(
      builtProgram,
      [
        "capture", server.url("SITE", scheme: "nats+tls", user: "capture"), "--cafile",
        files.authority, "--password-file", password, "--count", "2", "-o",
        folder.path("site") + "/",
      ])
    #expect(program.wait().exitCode == 0, "\(program.error)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("site"))
    #expect(
      try gateway.received(in: names.map { "site/" + $0 }, of: folder)
        == [gateway.beacon(0): 1, gateway.beacon(1): 1])
    // The password is in no file and in no message.
    for name in names {
      let trace = try Data(contentsOf: folder.url.appending(path: "site/\(name)"))
      #expect(trace.range(of: Data("capture-pw".utf8)) == nil)
    }
    #expect(!(program.output + program.error).contains("capture-pw"))
  }
}
