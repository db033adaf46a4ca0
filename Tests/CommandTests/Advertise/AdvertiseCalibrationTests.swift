import Foundation
import TestSupport
import Testing

/// The measured power that a beacon advertises, from a calibration.
@Suite("rssi advertise --calibration") struct AdvertiseCalibrationTests {
  private let folder: TemporaryDirectory
  private let beacons = [
    "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:1",
    "eddystone-uid:00010203040506070809:AABBCCDDEEFF",
  ]

  init() throws { folder = try TemporaryDirectory() }

  /// Readings on exact lines: -58.6 dBm at 1 m for the first beacon, -70.2 for the second.
  private func readings() throws -> String {
    var lines = ["time_s,beacon,receiver,distance_m,rssi_dbm"]
    for (beacon, power) in zip(beacons, [-58.6, -70.2]) {
      for distance in [1.0, 2, 4, 8] {
        for noise in [-0.25, 0.25] {
          lines.append(
            "\(lines.count),\(beacon),r,\(distance),\(power - 20 * log10(distance) + noise)")
        }
      }
    }
    return try folder.write(lines.joined(separator: "\n") + "\n", to: "distances.csv")
  }

  private func fit(by: String) throws -> String {
    let path = folder.path("\(by).json")
    let result = try rssi("fit", readings(), "--by", by, "-o", path)
    try #require(result.exitCode == 0, "\(result.error)")
    return path
  }

  private func advertise(_ arguments: String...) throws -> ProgramResult {
    try runProgram(builtProgram, ["advertise"] + arguments + ["--print", "--json"])
  }

  @Test func `takes the fit of the beacon`() throws {
    let calibration = try fit(by: "beacon")
    let first = try advertise(beacons[0], "--calibration", calibration)
    #expect(first.error == "")
    let report = try json(first.output)
    let power = try #require(report["measured_power_dbm"] as? Double)
    #expect(abs(power + 58.6) < 1e-4)
    #expect((report["payload"] as? String)?.hasSuffix("C5") == true)
    #expect(report["pooled"] as? Bool == false)
    #expect((report["ci95_dbm"] as? [Double])?.count == 2)
    // The power at 0 m is 41 dB more: -70 + 41.
    let second = try json(advertise(beacons[1], "--calibration", calibration).output)
    #expect(second["eddystone_tx_power_dbm"] as? Int == -29)
    #expect(second["measured_power_rounded_dbm"] as? Int == -70)
  }

  @Test func `warns that a pool is not the beacon`() throws {
    for (calibration, beacon) in [
      (try fit(by: "pooled"), beacons[0]),
      (try fit(by: "beacon"), "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:9:9"),
    ] {
      let result = try advertise(beacon, "--calibration", calibration)
      #expect(result.exitCode == 0)
      #expect(result.error.contains("(pooled)"), "\(result.error)")
      let report = try json(result.output)
      #expect(report["pooled"] as? Bool == true)
      #expect(report["measured_power_rounded_dbm"] as? Int == -64)
    }
  }

  @Test func `asks which of several fits`() throws {
    let path = try fit(by: "link")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let group = beacons[0] + "/r"
    #expect(text.contains(group))
    let one = try advertise(beacons[0], "--calibration", path)
    #expect(one.exitCode == 0, "\(one.error)")
    let chosen = try json(
      advertise(beacons[0], "--calibration", path, "--group", beacons[1] + "/r").output)
    #expect(chosen["measured_power_rounded_dbm"] as? Int == -70)
    let unknown = try advertise(beacons[0], "--calibration", path, "--group", "x")
    #expect(unknown.exitCode == 65)
    #expect(unknown.error.contains(group))
    // Two receivers heard it, and each has a fit.
    let readings = try String(contentsOfFile: readings(), encoding: .utf8)
    let other = readings.split(separator: "\n").dropFirst().map {
      $0.replacing(",r,", with: ",s,") + "\n"
    }.joined()
    let both = folder.path("both.json")
    let table = try folder.write(readings + other, to: "both.csv")
    _ = try rssi("fit", table, "--by", "link", "-o", both)
    let several = try advertise(beacons[0], "--calibration", both)
    #expect(several.exitCode == 64)
    #expect(several.error.contains("choose with --group"))
  }

  @Test func `reads what the bench wrote`() throws {
    let room = try simulatedRoom(in: folder)
    let bench = folder.path("bench.json")
    let measured = try rssi("calibrate", room + "/distances.csv", "--all-beacons", "-o", bench)
    try #require(measured.exitCode == 0, "\(measured.error)")
    let document = try json(String(contentsOfFile: bench, encoding: .utf8))
    let all = try #require(document["beacons"] as? [[String: Any]])
    let beacon = try #require(all.first { $0["measured_power_dbm"] is Double })
    let power = try #require(beacon["measured_power_dbm"] as? Double)
    let name = try #require(beacon["beacon"] as? String)
    let id = "ibeacon:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0:1:1"
    // Tables may have names of their own; the bench of a live beacon has its identity.
    let named = try folder.write(
      String(contentsOfFile: bench, encoding: .utf8).replacing("\"\(name)\"", with: "\"\(id)\""),
      to: "named.json")
    let result = try advertise(id, "--calibration", named)
    let rounded = try json(result.output)["measured_power_rounded_dbm"] as? Int
    #expect(rounded == Int(power.rounded(.toNearestOrAwayFromZero)))
    // What calibrate names no byte for, advertise warns of.
    #expect(
      result.error.contains("too uncertain")
        == (beacon["measured_power_byte"] is NSNull), "\(result.error)")
    let missing = try advertise(beacons[1], "--calibration", named)
    #expect(missing.exitCode == 65)
    #expect(missing.error.contains(beacons[1]))
  }

  @Test func `refuses other files`() throws {
    let missing = try advertise(beacons[0], "--calibration", folder.path("missing.json"))
    #expect(missing.exitCode == 66)
    let other = try advertise(beacons[0], "--calibration", folder.write("{}", to: "other.json"))
    #expect(other.exitCode == 65)
    let damaged = try advertise(
      beacons[0], "--calibration",
      folder.write(
        "{\"format\": \"rssi-measured-power\", \"format_version\": 1}", to: "damaged.json"))
    #expect(damaged.exitCode == 65)
    #expect(damaged.error.contains("is damaged"))
    let newer = try advertise(
      beacons[0], "--calibration",
      folder.write("{\"format\": \"rssi-measured-power\", \"format_version\": 2}", to: "newer.json")
    )
    #expect(newer.error.contains("update rssi"))
  }
}
