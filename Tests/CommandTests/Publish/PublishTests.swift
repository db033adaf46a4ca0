import Foundation
import TestSupport
import Testing

private let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path

@Suite(
  "Publishing for Home Assistant",
  .enabled(if: Broker.isInstalled, "needs Mosquitto: run scripts/bootstrap test"))
struct PublishTests {
  let folder: TemporaryDirectory
  let broker: Broker
  let calibration: String

  init() throws {
    folder = try TemporaryDirectory()
    broker = try Broker(in: folder)
    calibration = folder.path("calibration.json")
    let distances = repositoryRoot.appending(path: "notebooks-data/example/distances.csv").path
    let fit = try rssi("fit", distances, "-o", calibration)
    try #require(fit.exitCode == 0, "\(fit.error)")
  }

  private func watch(_ options: [String] = []) throws -> RunningProgram {
    try RunningProgram(
      builtProgram,
      ["watch", "replay:\(longWalk.get())", "--calibration", calibration, "--format", "ndjson"]
        + ["--publish", broker.url("rssi/lab")] + options)
  }

  /// Returns whether the broker has announcements, states, and the status of the program.
  private func isPublished() throws -> Bool {
    let topics = try broker.retained()
    return topics["rssi/lab/status"] == "online"
      && topics.keys.contains { $0.hasPrefix("homeassistant/sensor/rssi_lab_ibeacon") }
      && topics.keys.contains { $0.hasPrefix("rssi/lab/ibeacon") && $0.hasSuffix("/state") }
  }

  /// A watch that has published.
  private func publishing() throws -> RunningProgram {
    let program = try watch()
    let isThere = try program.waits(until: isPublished)
    try #require(isThere, "\(program.error)")
    return program
  }

  private func status(is text: String) throws -> Bool {
    for _ in 0..<50 where try broker.retained()["rssi/lab/status"] == text { return true }
    return false
  }

  @Test
  func `the broker keeps states, announcements and the status of the program`() throws {
    let program = try publishing()
    for (topic, payload) in try broker.retained() where topic != "rssi/lab/status" {
      _ = try json(payload)
    }
    program.send(SIGTERM)
    #expect(program.wait().exitCode == 0)
    #expect(try status(is: "offline"))
  }

  @Test func `a program that is killed is offline by its last will`() throws {
    let program = try publishing()
    program.send(SIGKILL)
    _ = program.wait()
    #expect(try status(is: "offline"))
  }

  @Test func `a broker that starts again without a memory gets everything again`() throws {
    let program = try publishing()
    broker.stop()
    try broker.start()
    let isThereAgain = try program.waits(until: isPublished)
    #expect(isThereAgain, "\(program.error)")
    program.send(SIGTERM)
    #expect(program.wait().exitCode == 0)
  }

  /// Publishes an iBeacon as a gateway of the dialect Ruuvi does.
  private func hear(_ beacons: [(uuid: String, address: Int)]) throws {
    for (uuid, address) in beacons {
      let digits = String(address + 0x1_0000_0000, radix: 16, uppercase: true).suffix(8)
      let octets = stride(from: 0, to: 8, by: 2).map { place in
        String(digits.dropFirst(place).prefix(2))
      }
      let now = Int(Date().timeIntervalSince1970)
      let message =
        #"{"gw_mac":"AA:BB:CC:00:00:01","rssi":-50,"aoa":[],"gwts":"\#(now)","ts":"\#(now)","#
        + #""data":"0201061AFF4C000215\#(uuid)00010001C5","coords":""}"#
      try broker.publish([message], to: "ruuvi/gw1/C0:00:" + octets.joined(separator: ":"))
    }
  }

  @Test(arguments: [false, true])
  func `a registry limits publishing to its beacons, unless strangers are requested`(
    _ takesStrangers: Bool
  )
    throws
  {
    let keys = "5E1F0A3C7B424D96A8E12C90D4B7F365"
    let registry = try folder.write(
      "id,name\nibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:1,my key ring\n", to: "keys.csv")
    let program = try RunningProgram(
      builtProgram,
      ["watch", broker.address + "/ruuvi/#", "--registry", registry, "--publish"]
        + [broker.url("rssi/keys")] + (takesStrangers ? ["--publish-strangers"] : []))
    let isThere = program.waits { broker.subscriptions(to: "ruuvi/#") > 0 }
    try #require(isThere, "\(program.error)")
    try hear(
      (1...5).map { (String(format: "%032X", $0 * 7), $0) } + [(keys, 99)])
    let isPublished = try program.waits {
      let topics = try broker.retained()
      return topics.keys.contains { $0.contains("5e1f0a3c") && $0.hasSuffix("/state") }
        && (!takesStrangers || topics.keys.count { $0.hasSuffix("/state") } == 6)
    }
    #expect(isPublished, "\(program.error)")
    if !takesStrangers {
      #expect(try broker.retained().keys.count { $0.hasSuffix("/state") } == 1)
    }
    program.send(SIGTERM)
    #expect(program.wait().exitCode == 0)
  }

  @Test func `locate publishes rooms`() throws {
    let example = repositoryRoot.appending(path: "notebooks-data/example/site.toml").path
    let walk = try longWalk.get()
    let nodes = URL(filePath: walk).deletingLastPathComponent().appending(path: "nodes.csv").path
    let program = try RunningProgram(
      builtProgram,
      ["locate", "replay:\(walk)", "--receiver", "phone", "--nodes", nodes, "--site", example]
        + ["--calibration", calibration, "--publish", broker.address])
    let hasRoom = try program.waits {
      guard let state = try broker.retained().first(where: { $0.key.hasPrefix("rssi/phone_") })
      else { return false }
      return try json(state.value)["room"] is String
    }
    #expect(hasRoom, "\(program.error)")
    program.send(SIGTERM)
    #expect(program.wait().exitCode == 0)
  }

  @Test(
    arguments: [
      (["replay:x", "--publish", "http://127.0.0.1"], 64),
      (["replay:x", "--publish", "mqtt://127.0.0.1/a/#"], 64),
      (["replay:x", "--publish", "mqtt://127.0.0.1/a//b"], 64),
      (["replay:x", "--publish", "mqtt://127.0.0.1:1"], 69), ([walk, "--publish", "mqtt://h"], 64),
    ] as [([String], Int32)])
  func `addresses that cannot be used are refused`(_ arguments: [String], code: Int32) throws {
    let result = try runProgram(builtProgram, ["watch"] + arguments)
    #expect(result.exitCode == code, "\(result.error)")
  }

  @Test(.systemRun)
  func `Home Assistant has the devices, their states and their availability`() throws {
    let rig = repositoryRoot.appending(path: "Tests/Rig/homeassistant/ha").path
    let environment = repositoryRoot.appending(path: ".build/homeassistant").path
    let home = folder.path("homeassistant")
    func ha(_ arguments: String...) throws -> ProgramResult {
      try runProgram("/usr/bin/python3", [rig] + arguments)
    }
    let up = try ha("up", home, environment, "\(broker.port)")
    try #require(up.exitCode == 0, "\(up.error)\(up.output)")
    defer { _ = try? ha("down", home) }
    let named = try folder.write(
      "kind,uuid,major,minor,name\nibeacon,5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365,1,1,Front door\n",
      to: "registry.csv")
    let program = try watch(["--registry", named, "--receiver", "hall"])
    for (entity, expected) in [
      ("device_tracker.front_door_tracker", "home"), ("sensor.front_door_receiver", "hall"),
    ] {
      let state = try ha("wait", home, entity, expected)
      #expect(state.exitCode == 0, "\(state.error)")
    }
    let distance = try json(ha("wait", home, "sensor.front_door_distance").output)
    let attributes = try #require(distance["attributes"] as? [String: Any])
    #expect(attributes["unit_of_measurement"] as? String == "m")
    #expect(attributes["ci95_lower_m"] is Double && attributes["ci95_upper_m"] is Double)
    #expect(Double(distance["state"] as? String ?? "") != nil)
    let tracker = try json(ha("wait", home, "device_tracker.front_door_tracker").output)
    #expect((tracker["attributes"] as? [String: Any])?["source_type"] as? String == "bluetooth_le")
    program.send(SIGKILL)
    _ = program.wait()
    let state = try ha("wait", home, "device_tracker.front_door_tracker", "unavailable")
    #expect(state.exitCode == 0, "\(state.error)")
  }
}
