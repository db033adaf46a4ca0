import Foundation
import TestSupport
import Testing

/// A bench on paper: poses of one beacon, with readings that no calibration may count among them.
private func bench(
  _ distances: [Double], poses: Int, packets: Int, seed: UInt64 = 21, power: Double = -59.3
) -> String {
  var generator = SeededGenerator(seed: seed)
  var lines = ["time_s,receiver,beacon,rssi_dbm,channel,distance_m,pose,trace"]
  var time = 1_700_000_000.0
  for distance in distances {
    for pose in 1...poses {
      let level = power - 20 * log10(distance) + 2 * generator.gaussian()
      for packet in 0..<packets {
        time += 0.1
        var rssi = "\(Int((level + 3 * generator.gaussian()).rounded()))"
        if packet % 37 == 5 { rssi = ["", "127", "0", "3"][packet / 37 % 4] }
        lines.append("\(time),phone,tag,\(rssi),\(37 + packet % 3),\(distance),pose \(pose),bench")
      }
    }
  }
  return lines.joined(separator: "\n") + "\n"
}

/// The same numbers by pandas and scipy, as the keys of a report.
private let judge = """
  import json, sys
  import numpy as np, pandas as pd
  from scipy import stats
  report, data = json.loads(sys.argv[1]), pd.read_csv(sys.argv[2])
  one = 1.0
  def close(mine, theirs, what):
      assert mine is not None and abs(mine - theirs) < 1e-9, (what, mine, theirs)
  data = data.rename(columns={"series": "trace"})
  data = data[(data.rssi_dbm <= 20) & (data.rssi_dbm != 0)]
  for found in report["beacons"]:
      mine = data[data.beacon == found["beacon"]]
      pose = "pose" if "pose" in mine else "trace"
      means, untrimmed = {}, {}
      for key, group in mine.groupby([pose, "distance_m"]):
          row = [p for p in found["poses"] if (p["name"], p["distance_m"]) == key]
          assert len(row) == 1, key
          means[key] = stats.trim_mean(group.rssi_dbm, 0.1)
          close(row[0]["trimmed_mean_dbm"], means[key], key)
          close(row[0]["mean_dbm"], group.rssi_dbm.mean(), key)
          untrimmed[key] = group.rssi_dbm.mean()
          close(row[0]["sd_db"], group.rssi_dbm.std(ddof=1), key)
          assert row[0]["samples"] == len(group)
      assert len(found["poses"]) == len(means)
      at_one = np.array([m for (_, d), m in means.items() if d == 1])
      close(found["measured_power_dbm"], at_one.mean(), "mean")
      close(found["pose_sd_db"], at_one.std(ddof=1), "sd")
      all_packets = np.mean([m for (_, d), m in untrimmed.items() if d == 1])
      close(found["untrimmed_power_dbm"], all_packets, "all packets")
      close(found["trimming_difference_db"], at_one.mean() - all_packets, "trimming")
      # What levels of whole decibels can be known to.
      deviation = max(at_one.std(ddof=1), 12 ** -0.5)
      error = deviation / len(at_one) ** 0.5
      close(found["standard_error_db"], error, "error")
      ci = stats.t.interval(0.95, len(at_one) - 1, at_one.mean(), error)
      close(found["ci95_dbm"][0], ci[0], "lower")
      close(found["ci95_dbm"][1], ci[1], "upper")
      few = k = len(at_one)
      def probability(k):
          largest = report["precision_db"] * k ** 0.5 / stats.t.ppf(0.975, k - 1)
          ratio = ((k - 1) * (largest / deviation) ** 2 - (few - 1)) / (k - few)
          return stats.f.cdf(ratio, k - few, few - 1)
      if stats.t.ppf(0.975, k - 1) * deviation / k ** 0.5 > report["precision_db"]:
          k += 1
          while probability(k) < found["poses_needed_probability"]: k += 1
      assert found["poses_needed"] == k, (found["poses_needed"], k)
      assert found["further_poses_needed"] == max(0, k - len(at_one))
      away = [(-10 * np.log10(d), m) for (_, d), m in means.items() if d != 1]
      if len({x for x, _ in away}) > 1:
          line = stats.linregress(*zip(*away))
          close(found["extrapolated"]["measured_power_dbm"], line.intercept, "extrapolated")
          half = stats.t.ppf(0.975, len(away) - 2) * line.intercept_stderr
          close(found["extrapolated"]["ci95"][0], line.intercept - half, "extrapolated lower")
          close(found["extrapolated"]["difference_db"], at_one.mean() - line.intercept, "difference")
      else:
          assert found["extrapolated"] is None
  print(len(report["beacons"]))
  """

@Suite("Calibrating from recordings")
struct CalibrateRecordingTests {
  private func calibrated(_ arguments: String..., input: String = "") throws -> [String: Any] {
    let result = try runProgram(
      builtProgram, ["calibrate", "--json"] + arguments, input: Data(input.utf8))
    try #require(result.exitCode == 0, "\(result.error)")
    return try json(result.output)
  }

  private func only(_ report: [String: Any]) throws -> [String: Any] {
    let beacons = try #require(report["beacons"] as? [[String: Any]])
    try #require(beacons.count == 1)
    return beacons[0]
  }

  private func expectAgreement(_ table: String, _ options: [String], beacons: Int) throws {
    let result = try runProgram(builtProgram, ["calibrate", "--json", table] + options)
    try #require(result.exitCode == 0, "\(result.error)")
    let check = try runPython(judge, [result.output, table])
    #expect(check.exitCode == 0, "\(check.error)")
    #expect(check.output == "\(beacons)\n")
  }

  @Test(
    arguments: [
      ([1], 2, []), ([1], 5, ["--precision", "0.3"]), ([1, 2, 4, 8], 3, []), ([0.5, 1, 2], 4, []),
      ([1, 4], 3, []),
    ] as [([Double], Int, [String])])
  func `agrees with scipy`(_ distances: [Double], _ poses: Int, _ options: [String]) throws {
    let folder = try TemporaryDirectory()
    let table = try folder.write(bench(distances, poses: poses, packets: 151), to: "bench.csv")
    try expectAgreement(table, options, beacons: 1)
  }

  @Test(.needs(data: "flat-walks/one-metre.csv"))
  func `agrees with scipy on real beacons`() throws {
    let table = try #require(sharedData("flat-walks/one-metre.csv")).path
    try expectAgreement(table, ["--all-beacons"], beacons: 10)
  }

  @Test func `a trace and a stream give what their table gives`() throws {
    let folder = try TemporaryDirectory()
    let table = try folder.write(bench([1, 2, 4], poses: 3, packets: 80), to: "bench.csv")
    let trace = folder.path("bench.h5")
    try #require(try rssi("import", table, "-o", trace).exitCode == 0)
    let direct = try only(calibrated(table))
    #expect(try only(calibrated(trace)) as NSDictionary == direct as NSDictionary)
    let lines = try rssi("export", trace, "--format", "ndjson")
    let streamed = try only(calibrated("-", input: lines.output))
    #expect(streamed as NSDictionary == direct as NSDictionary)
  }

  @Test func `readings without valid levels are counted`() throws {
    let folder = try TemporaryDirectory()
    let table = try folder.write(bench([1], poses: 2, packets: 151), to: "bench.csv")
    let excluded = try #require(try calibrated(table)["excluded"] as? [String: Int])
    // Packets 5, 42, 79 and 116 of each pose: no number, 127, 0, and 3 dBm, which is a level.
    #expect(excluded == ["no-rssi": 6])
  }

  @Test func `every key is there for scripts`() throws {
    let folder = try TemporaryDirectory()
    let report = folder.path("report.json")
    let table = try folder.write(bench([1, 2, 4], poses: 2, packets: 40), to: "bench.csv")
    let result = try rssi("calibrate", table, "-o", report)
    try #require(result.exitCode == 0, "\(result.error)")
    let written = try json(try String(contentsOfFile: report, encoding: .utf8))
    #expect(
      Set(written.keys) == [
        "format", "format_version", "tool_version", "command_line", "source", "inputs",
        "precision_db", "trimming", "excluded", "warnings", "beacons",
      ])
    #expect(written["trimming"] as? Double == 0.1 && written["precision_db"] as? Double == 1)
    let inputs = try #require(written["inputs"] as? [[String: String]])
    #expect(inputs.map { $0["name"] } == [table] && inputs[0]["sha256"]?.count == 64)
    let beacon = try only(written)
    #expect(
      Set(beacon.keys) == [
        "beacon", "measured_power_dbm", "measured_power_rounded_dbm", "measured_power_byte",
        "measured_power_hex", "eddystone_tx_power_dbm", "standard_error_db", "ci95_dbm",
        "pose_sd_db", "poses", "poses_needed",
        "poses_needed_probability", "further_poses_needed", "extrapolated",
        "stated_power_dbm", "stated_difference_db", "channel_balanced_dbm", "warnings",
        "untrimmed_power_dbm", "trimming_difference_db",
      ])
    let pose = try #require((beacon["poses"] as? [[String: Any]])?.first)
    #expect(
      Set(pose.keys) == [
        "name", "receiver", "distance_m", "samples", "trimmed_mean_dbm", "mean_dbm", "sd_db",
        "start",
        "duration_s", "channels", "channel_balanced_dbm", "at_one_metre",
      ])
    #expect(pose["start"] as? String == "2023-11-14T22:13:20.100000Z")
  }

  /// A recording of one beacon at one level, with a bit of noise that cancels.
  private func steady(_ level: Int, beacon: String = "tag", packets: Int = 30) -> String {
    (["time_s,receiver,beacon,rssi_dbm"]
      + (0..<packets).map { "\(1_700_000_000 + $0),phone,\(beacon),\(level + $0 % 3 - 1)" })
      .joined(separator: "\n") + "\n"
  }

  @Test func `a file without stays is one pose`() throws {
    let folder = try TemporaryDirectory()
    let first = try folder.write(steady(-58), to: "upright.csv")
    let second = try folder.write(steady(-61), to: "flat.csv")
    let third = try folder.write(steady(-66), to: "far.csv")
    let refused = try rssi("calibrate", first, second)
    #expect(refused.exitCode == 64 && refused.error.contains("--distance"))

    let beacon = try only(calibrated(first, second, "--distance", "1m"))
    #expect(beacon["measured_power_dbm"] as? Double == -59.5)
    let names = (beacon["poses"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
    #expect(names == ["upright", "flat"])

    let three = try only(
      calibrated(
        first, second, third, "--distance", "1m", "--distance", "1m", "--distance", "2m", "--pose",
        "a", "--pose", "b", "--pose", "c"))
    #expect(three["measured_power_dbm"] as? Double == -59.5)
    let poses = try #require(three["poses"] as? [[String: Any]])
    #expect(poses.compactMap { $0["name"] as? String } == ["a", "b", "c"])
    #expect(poses.compactMap { $0["distance_m"] as? Double } == [1, 1, 2])

    #expect(try rssi("calibrate", first, first, "--distance", "1m").exitCode == 65)
    #expect(try rssi("calibrate", first, "--distance", "1m", "--distance", "2m").exitCode == 64)
  }

  @Test func `four poses that agree name a byte to flash`() throws {
    let folder = try TemporaryDirectory()
    let close = try (0..<4).map {
      try folder.write(steady(-59 - $0 % 2, packets: 30 + 3 * $0), to: "close-\($0).csv")
    }
    let sure = try only(
      calibrated(close[0], close[1], close[2], close[3], "--distance", "1m"))
    #expect(sure["measured_power_dbm"] as? Double == -59.5)
    #expect(sure["measured_power_rounded_dbm"] as? Int == -60)
    #expect(sure["measured_power_byte"] as? Int == -60)
    #expect(sure["measured_power_hex"] as? String == "0xC4")
    #expect(sure["eddystone_tx_power_dbm"] as? Int == -19)
  }

  /// Two poses 3 dB apart are ± 19 dB, by Student's t with one degree of freedom.
  @Test func `a power that is too uncertain names no byte`() throws {
    let folder = try TemporaryDirectory()
    let first = try folder.write(steady(-58), to: "upright.csv")
    let second = try folder.write(steady(-61), to: "flat.csv")
    let report = folder.path("report.json")
    let table = folder.path("beacons.csv")
    let shown = try rssi(
      "calibrate", first, second, "--distance", "1m", "-o", report, "--table", table)
    try #require(shown.exitCode == 0, "\(shown.error)")
    #expect(shown.output.contains("too uncertain"))
    #expect(shown.output.contains("-59.50 ± 19.06 dBm") && !shown.output.contains("byte 0x"))
    let beacon = try only(try json(String(contentsOfFile: report, encoding: .utf8)))
    #expect(beacon["measured_power_dbm"] as? Double == -59.5)
    for key in [
      "measured_power_rounded_dbm", "measured_power_byte", "measured_power_hex",
      "eddystone_tx_power_dbm",
    ] {
      #expect(beacon[key] is NSNull, "\(key)")
    }
    #expect(
      (beacon["warnings"] as? [String])?.contains {
        $0.contains("± 19.06 dB")
          && $0.contains("2.1 dB (sd)")
      } == true)
    let row = try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n")[1]
    #expect(row.hasSuffix(",-59.50,,"))
  }

  @Test func `one pose has no interval, with the reason`() throws {
    let folder = try TemporaryDirectory()
    let table = try folder.write(steady(-58), to: "only.csv")
    let beacon = try only(calibrated(table, "--distance", "1m"))
    #expect(beacon["measured_power_dbm"] as? Double == -58)
    for key in [
      "standard_error_db", "ci95_dbm", "pose_sd_db", "poses_needed", "further_poses_needed",
    ] {
      #expect(beacon[key] is NSNull, "\(key)")
    }
    #expect((beacon["warnings"] as? [String])?.contains { $0.contains("one pose") } == true)
    #expect(try rssi("calibrate", table, "--distance", "1m").output.contains("from one pose"))
  }

  @Test func `poses with too few packets are left out`() throws {
    let folder = try TemporaryDirectory()
    let few = try folder.write(steady(-70, packets: 9), to: "few.csv")
    let many = try folder.write(steady(-58, packets: 12), to: "many.csv")
    let beacon = try only(calibrated(few, many, "--distance", "1m"))
    #expect(beacon["measured_power_dbm"] as? Double == -58)
    let warnings = try #require(beacon["warnings"] as? [String])
    #expect(warnings.contains { $0.contains("\"few\"") && $0.contains("9 packets") })
    let nothing = try rssi("calibrate", few, "--distance", "1m")
    #expect(nothing.exitCode == 65 && nothing.error.contains("no measured power"))
  }

  @Test func `without a pose at one metre there is no measured power`() throws {
    let folder = try TemporaryDirectory()
    let table = try folder.write(bench([2, 4], poses: 2, packets: 40), to: "bench.csv")
    let result = try rssi("calibrate", table, "--json")
    #expect(result.exitCode == 65 && result.error.contains("no pose there has enough packets"))
    let beacon = try only(try json(result.output))
    #expect(beacon["measured_power_dbm"] is NSNull && beacon["measured_power_hex"] is NSNull)
    #expect((beacon["extrapolated"] as? [String: Any])?["measured_power_dbm"] is Double)
  }

  @Test func `a bench that contradicts itself is flagged`() throws {
    let folder = try TemporaryDirectory()
    var lines = ["time_s,receiver,beacon,rssi_dbm,distance_m"]
    for (stay, (distance, level)) in [(1, -55), (2, -66), (4, -72), (8, -78)].enumerated() {
      lines += (0..<20).map { "\(1_700_000_000 + stay * 100 + $0),phone,tag,\(level),\(distance)" }
    }
    let table = try folder.write(lines.joined(separator: "\n") + "\n", to: "bench.csv")
    let beacon = try only(calibrated(table))
    let extrapolated = try #require(beacon["extrapolated"] as? [String: Any])
    // 6 dB a doubling from -66 dBm at 2 m is -60 dBm at 1 m.
    #expect(isClose(try #require(extrapolated["measured_power_dbm"] as? Double), -60))
    #expect(isClose(try #require(extrapolated["difference_db"] as? Double), 5))
    #expect(
      (beacon["warnings"] as? [String])?.contains { $0.contains("5.0 dB above") } == true)
  }

  @Test func `levels that a receiver smoothed are doubted`() throws {
    let folder = try TemporaryDirectory()
    let table = try folder.write(steady(-58), to: "smoothed.csv")
    let trace = folder.path("smoothed.h5")
    try #require(try rssi("import", table, "-o", trace).exitCode == 0)
    let mark = try runPython(
      """
      import h5py, sys
      with h5py.File(sys.argv[1], "r+") as f: f["receivers/rssi_kind"][0] = b"filtered"
      """, [trace])
    try #require(mark.exitCode == 0, "\(mark.error)")
    let beacon = try only(calibrated(trace, "--distance", "1m"))
    #expect((beacon["warnings"] as? [String])?.contains { $0.contains("smooths") } == true)
  }

  @Test func `several receivers are doubted and one can be chosen`() throws {
    let folder = try TemporaryDirectory()
    let text =
      steady(-58)
      + steady(-64).replacing("phone", with: "gateway").split(separator: "\n")
      .dropFirst().joined(separator: "\n") + "\n"
    let table = try folder.write(text, to: "two.csv")
    let both = try only(calibrated(table, "--distance", "1m"))
    #expect(both["measured_power_dbm"] as? Double == -61)
    #expect((both["warnings"] as? [String])?.contains { $0.contains("choose one of") } == true)
    let one = try only(calibrated(table, "--distance", "1m", "--receiver", "gateway"))
    #expect(one["measured_power_dbm"] as? Double == -64)
  }
}
