import Foundation
import TestSupport
import Testing

private let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path
private let beacon = "ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:7"

/// Three poses of four seconds in the walk's twenty, as fast as they can be read.
private let bench = [
  "calibrate", "replay:\(walk)", "--speed", "max", "--yes", "--beacon", beacon, "--poses", "3",
  "--duration", "4s", "--countdown", "1s",
]

@Suite("A guided bench, on a recording played as if it were live")
struct CalibrateLiveTests {
  private func only(_ result: ProgramResult) throws -> [String: Any] {
    try #require(result.exitCode == 0, "\(result.error)")
    let beacons = try #require(try json(result.output)["beacons"] as? [[String: Any]])
    try #require(beacons.count == 1)
    return beacons[0]
  }

  /// The beginning and end of each pose follow from the times of all reports: it begins with the
  /// first one after the countdown, and ends before the first one after its duration.
  @Test func `poses follow each other in time`() throws {
    let folder = try TemporaryDirectory()
    let (trace, report) = (folder.path("walk.h5"), folder.path("report.json"))
    try #require(try rssi("import", walk, "-o", trace).exitCode == 0)
    let result = try runProgram(builtProgram, bench + ["-o", report])
    try #require(result.exitCode == 0, "\(result.error)")
    let check = try runPython(
      """
      import json, sys, h5py, numpy as np
      from scipy import stats
      with h5py.File(sys.argv[1]) as f:
          # Nanoseconds, since a pose may end between two reports.
          time = np.round(f["sightings/time_s"][:] * 1e9).astype(np.int64)
          rssi, who = f["sightings/rssi_dbm"][:], f["sightings/beacon"][:]
          mine = who == list(f["beacons/id"].asstr()[:]).index(sys.argv[3])
      found = json.load(open(sys.argv[2]))["beacons"][0]
      start, means = time[0], []
      for pose in found["poses"]:
          begin = time[time >= start + 1_000_000_000][0]
          end = time[time >= begin + 4_000_000_000][0]
          levels = rssi.astype(float)[mine & (time >= begin) & (time < end)]
          assert pose["samples"] == len(levels), (pose, len(levels))
          means.append(stats.trim_mean(levels, 0.1))
          assert abs(pose["trimmed_mean_dbm"] - means[-1]) < 1e-6
          start = end
      assert len(means) == 3 and abs(found["measured_power_dbm"] - np.mean(means)) < 1e-6
      assert found["stated_power_dbm"] == -59
      assert abs(found["stated_difference_db"] - (np.mean(means) + 59)) < 1e-6
      """, [trace, report, beacon])
    #expect(check.exitCode == 0, "\(check.error)")
  }

  @Test func `the speed of a replay changes nothing`() throws {
    let fast = try only(runProgram(builtProgram, bench + ["--json"]))
    let paced = try only(runProgram(builtProgram, bench + ["--speed", "20", "--json"]))
    #expect(fast as NSDictionary == paced as NSDictionary)
  }

  @Test func `received sightings can be kept and calibrated again`() throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("bench.h5")
    let live = try only(runProgram(builtProgram, bench + ["--record", trace, "--json"]))
    let again = try only(rssi("calibrate", trace, "--beacon", beacon, "--json"))
    for key in ["measured_power_dbm", "ci95_dbm", "poses_needed", "measured_power_hex"] {
      #expect(live[key] as? NSObject == again[key] as? NSObject, "\(key)")
    }
    let check = try runPython(
      """
      import h5py, sys
      with h5py.File(sys.argv[1]) as f:
          stays = f["truth/distances"]
          assert list(stays["distance_m"]) == [1, 1, 1]
          assert [p.rstrip(b"\\0") for p in stays["pose"]] == [b"pose 1", b"pose 2", b"pose 3"]
          # Between poses nothing is lost either: it belongs to no stay.
          assert len(f["sightings/time_s"]) > 76 and set(f["beacons/id"].asstr()) == {sys.argv[2]}
      """, [trace, beacon])
    #expect(check.exitCode == 0, "\(check.error)")
    #expect(try rssi("calibrate", trace, "--record", folder.path("x.h5")).exitCode == 64)
  }

  @Test func `several distances give an extrapolated value`() throws {
    let found = try only(
      runProgram(
        builtProgram,
        [
          "calibrate", "replay:\(walk)", "--speed", "max", "--yes", "--beacon", beacon, "--pose",
          "a",
          "--distance", "1m", "--distance", "2m", "--distance", "400cm", "--duration", "3s",
          "--countdown", "0s", "--json",
        ]))
    let poses = try #require(found["poses"] as? [[String: Any]])
    #expect(poses.compactMap { $0["distance_m"] as? Double } == [1, 2, 4])
    #expect((found["extrapolated"] as? [String: Any])?["distances"] as? Int == 2)
    #expect(found["ci95_dbm"] is NSNull)
  }

  @Test func `two beacons are refused while the first pose runs`() throws {
    let folder = try TemporaryDirectory()
    let arguments = bench.filter { $0 != beacon && $0 != "--beacon" }
    let result = try runProgram(
      builtProgram, arguments + ["-o", folder.path("x.json"), "--record", folder.path("x.h5")])
    #expect(result.exitCode == 65 && result.output.isEmpty)
    #expect(result.error.contains("8 beacons were heard"))
    // What was heard until then is kept, as whole.
    #expect(try folder.names() == ["x.h5"])
    #expect(try rssi("info", folder.path("x.h5")).exitCode == 0)
    let all = try runProgram(builtProgram, arguments + ["--all-beacons", "--json"])
    #expect((try json(all.output)["beacons"] as? [Any])?.count == 8)
  }

  @Test func `a pose in which too little was heard is tried again and then left out`() throws {
    let arguments = bench.map { $0 == "4s" ? "500ms" : $0 == "3" ? "1" : $0 }
    let result = try runProgram(builtProgram, arguments)
    #expect(result.exitCode == 1 && result.output.isEmpty)
    #expect(result.error.matches(of: /too little: \d packets? of/).count == 2)
    #expect(result.error.contains("is the beacon on"))
    #expect(result.error.contains("no pose is complete"))
    let absent = try runProgram(
      builtProgram, bench.map { $0 == beacon ? "11:22:33:44:55:66" : $0 })
    #expect(absent.error.contains("11:22:33:44:55:66"))
    #expect(absent.error.contains("heard: ibeacon:"))
  }

  @Test func `a recording that ends too early gives what is complete`() throws {
    let result = try runProgram(builtProgram, bench.map { $0 == "3" ? "9" : $0 } + ["--json"])
    let found = try only(result)
    #expect((found["poses"] as? [Any])?.count == 3)
    let warnings = try #require(try json(result.output)["warnings"] as? [String])
    #expect(warnings.contains { $0.hasPrefix("6 of 9 poses") })
    #expect(warnings.contains { $0.contains("\"pose 4\"") && $0.contains("not complete") })
  }

  @Test func `ends cleanly when interrupted`() throws {
    let program = try RunningProgram(
      builtProgram, bench.filter { $0 != "--speed" && $0 != "max" } + ["--json"])
    #expect(program.waits { program.error.contains("2/3 pose 2") })
    program.send(SIGINT)
    let result = program.wait()
    let found = try only(result)
    #expect((found["poses"] as? [Any])?.count == 1)
    let warnings = try #require(try json(result.output)["warnings"] as? [String])
    #expect(warnings.contains { $0.hasPrefix("2 of 3 poses") })
  }

  @Test(arguments: [
    (["--poses", "0"], "1 to 1000"), (["--pose", "a", "--poses", "2"], "do not go together"),
    (["--pose", "a", "--pose", "a"], "twice"),
    (["--distance", "1m", "--distance", "100cm"], "twice"),
    (["--distance", "-1m"], "not a distance"), (["--duration", "0s"], "invalid duration"),
    (["--duration", "100000d"], "at most 1d"), (["--countdown", "soon"], "invalid duration"),
    (["--precision", "0"], "half-width"), (["--beacon", "tag"], "neither a beacon nor a name"),
    (["--beacon", ""], "empty"), (["-o", walk], "same file"), (["--record", "-"], "name a file"),
  ])
  func `refuses what means nothing`(_ options: [String], _ words: String) throws {
    let folder = try TemporaryDirectory()
    let result = try runProgram(
      builtProgram, ["calibrate", "replay:\(walk)", "--yes"] + options, directory: folder.url)
    #expect(result.exitCode == 64 && result.error.contains(words), "\(result.error)")
    #expect(try folder.names().isEmpty)
  }

  @Test func `refuses sources among files, and a bench without an operator`() throws {
    let mixed = try rssi("calibrate", "hci0", walk)
    #expect(mixed.exitCode == 64 && mixed.error.contains("listened to alone"))
    let unattended = try rssi("calibrate", "replay:\(walk)")
    #expect(unattended.exitCode == 64 && unattended.error.contains("--yes"))
    #expect(try rssi("calibrate", "replay:nowhere", "--yes").exitCode == 66)
  }

  @Test(arguments: [
    ["--poses", "3"], ["--duration", "5s"], ["--duration", "20s"], ["--countdown", "3s"], ["--yes"],
  ])
  func `refuses for a recording what is for a bench`(_ options: [String]) throws {
    let result = try runProgram(builtProgram, ["calibrate", walk, "--distance", "1m"] + options)
    #expect(result.exitCode == 64 && result.output.isEmpty)
    #expect(result.error.contains("is for live sources"), "\(result.error)")
  }

  @Test func `a source that is not there leaves the trace of that name alone`() throws {
    let folder = try TemporaryDirectory()
    let trace = try folder.write("precious", to: "bench.h5")
    let result = try rssi(
      "calibrate", "h4:unix:\(folder.path("absent"))", "--yes", "--record", trace)
    #expect(result.exitCode == 69 && result.error.contains("absent"), "\(result.error)")
    #expect(try String(contentsOfFile: trace, encoding: .utf8) == "precious")
  }

  /// The first six seconds have one beacon, the rest all eight.
  @Test func `a beacon that passes by later is left out`() throws {
    let folder = try TemporaryDirectory()
    let later = folder.path("later.btsnoop")
    let raw = try runPython(
      """
      import struct, sys
      data = open(sys.argv[1], "rb").read()
      out, at, start = data[:16], 16, None
      while at < len(data):
          _, included, _, _, time = struct.unpack(">IIIIq", data[at:at + 24])
          packet = data[at:at + 24 + included]
          start = start or time
          if time - start > 6_000_000 or bytes([0, 1, 0, 7]) in packet: out += packet
          at += 24 + included
      open(sys.argv[2], "wb").write(out)
      """, [walk, later])
    try #require(raw.exitCode == 0, "\(raw.error)")
    let result = try runProgram(
      builtProgram,
      [
        "calibrate", "replay:\(later)", "--speed", "max", "--yes", "--poses", "3", "--duration",
        "4s",
        "--countdown", "1s", "--json",
      ])
    let found = try only(result)
    #expect(found["beacon"] as? String == beacon)
    #expect((found["poses"] as? [Any])?.count == 3)
    let warnings = try #require(try json(result.output)["warnings"] as? [String])
    #expect(warnings.count == 1 && warnings[0].hasPrefix("also heard"))
  }
}
