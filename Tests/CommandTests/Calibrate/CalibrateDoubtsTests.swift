import Foundation
import TestSupport
import Testing

@Suite("What a calibration doubts")
struct CalibrateDoubtsTests {
  /// Poses at 1 m of 20 s each, one packet per second, each at its receiver's level.
  private func bench(_ poses: [[(receiver: String, level: Double)]], distance: Double = 1) -> String
  {
    var lines = ["time_s,receiver,beacon,rssi_dbm,distance_m,pose"]
    for (index, pose) in poses.enumerated() {
      for second in 0..<20 {
        let time = 1_700_000_000 + 100 * index + second
        lines += pose.map { "\(time),\($0.receiver),tag,\($0.level),\(distance),pose \(index + 1)" }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func calibrated(_ text: String, _ options: String...) throws -> (
    beacon: [String: Any], warnings: [String], text: String
  ) {
    let folder = try TemporaryDirectory()
    let table = try folder.write(text, to: "bench.csv")
    let result = try runProgram(builtProgram, ["calibrate", "--json", table] + options)
    try #require(result.exitCode == 0, "\(result.error)")
    let beacons = try #require(try json(result.output)["beacons"] as? [[String: Any]])
    try #require(beacons.count == 1)
    return (
      beacons[0], try #require(beacons[0]["warnings"] as? [String]),
      try runProgram(builtProgram, ["calibrate", table] + options).output
    )
  }

  @Test func `two poses that agree are not enough`() throws {
    let one = [("phone", -60.0)]
    let two = try calibrated(bench([one, one]))
    #expect(
      two.text.contains("± 2.59 dBm") && two.text.contains("4 or more show"))
    #expect(two.beacon["pose_sd_db"] as? Double == 0)
    #expect(try #require(two.beacon["poses_needed"] as? Int) > 3)
    #expect(two.beacon["poses_needed_probability"] as? Double == 0.8)
    #expect(two.warnings.contains { $0.contains("± 2.59 dB, wider") })
    let loose = try calibrated(bench([one, one]), "--precision", "5")
    #expect(!loose.text.contains("enough for"))
    #expect(loose.warnings == ["2 poses may agree by chance: record 3 or more"])
    let three = try calibrated(bench([one, one, one]))
    #expect(three.text.contains("± 0.72 dBm") && three.text.contains("enough for ± 1 dB"))
    #expect(three.warnings.isEmpty)
  }

  @Test func `an unreachable precision is doubted too`() throws {
    let poses = bench([[("phone", -55)], [("phone", -65)]])
    let found = try calibrated(poses, "--precision", "1e-7")
    #expect(found.beacon["poses_needed"] is NSNull)
    #expect(found.text.contains("spread is too large"))
    #expect(
      found.warnings.contains {
        $0.contains("± 63.53 dB") && $0.contains("differ by 7.1 dB")
      })
  }

  /// From the spread that the trial had, ± 1 dB would take 711 poses: the cause is the advice.
  @Test func `many poses are not the advice`() throws {
    let poses = bench([-60, -85, -71].map { [("phone", $0)] })
    let found = try calibrated(poses)
    #expect(try #require(found.beacon["further_poses_needed"] as? Int) > 500)
    #expect(!found.text.contains("more poses"))
    #expect(found.warnings.contains { $0.contains("differ by 12.5 dB") })
    let exact = try calibrated(
      bench([-60, -60, -60].map { [("phone", $0)] }), "--precision", "0.01")
    #expect(exact.warnings.contains { $0.contains("more poses than 50") })
  }

  /// Each pose's mean over its receivers is what poses differ by: (-60 - 64) / 2 and so on.
  @Test func `receivers of one pose are one pose`() throws {
    let found = try calibrated(
      bench([
        [("phone", -60), ("gateway", -64)], [("phone", -62), ("gateway", -66)],
        [("phone", -61), ("gateway", -65)],
      ]))
    #expect(found.beacon["measured_power_dbm"] as? Double == -63)
    #expect(found.beacon["pose_sd_db"] as? Double == 1)
    #expect(found.text.contains("over 3 poses"))
    let poses = try #require(found.beacon["poses"] as? [[String: Any]])
    #expect(poses.count == 6)
    for receiver in ["phone", "gateway"] {
      let own = poses.filter { $0["receiver"] as? String == receiver }
      #expect(own.compactMap { $0["name"] as? String } == ["pose 1", "pose 2", "pose 3"])
    }
    #expect(found.text.contains("receiver  distance"))
    #expect(found.warnings.contains { $0.hasPrefix("2 receivers") })
  }

  @Test func `a receiver that misses a pose is mentioned`() throws {
    let found = try calibrated(
      bench([[("phone", -60), ("gateway", -64)], [("phone", -62)], [("phone", -61)]]))
    #expect(found.text.contains("over 3 poses"))
    #expect(found.warnings.contains { $0.contains("not every pose") })
  }

  /// The same name at another time is another pose, for any receiver.
  @Test func `receivers one after the other hear poses of their own`() throws {
    let text = bench([[("phone", -60)], [("gateway", -64)]]).replacing("pose 2", with: "pose 1")
    let found = try calibrated(text)
    #expect(found.text.contains("over 2 poses"))
    let poses = try #require(found.beacon["poses"] as? [[String: Any]])
    #expect(poses.compactMap { $0["name"] as? String } == ["pose 1", "pose 1 (2)"])
  }

  @Test(arguments: [
    (-0.4, true), (-19, true), (-20, false), (-59, false), (-110, false), (-111, true),
  ])
  func `levels that no beacon has are doubted`(_ level: Double, _ isDoubted: Bool) throws {
    let pose = [("phone", level)]
    let found = try calibrated(bench([pose, pose, pose]))
    #expect(
      found.warnings.contains { $0.hasPrefix("no beacon has") } == isDoubted, "\(found.warnings)")
  }
}
