import Foundation
import TestSupport
import Testing

@Suite("Places and distances that cannot be are refused where they are read")
struct UnusableInputTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test func `infinite truth: 65 and the row, by every stage that uses it`() throws {
    let room = try simulatedRoom(in: folder)
    let (trace, calibration) = (folder.path("trace.h5"), folder.path("c.json"))
    #expect(
      try rssi(
        "import", room + "/rssi.csv", "--nodes", room + "/nodes.csv",
        "--truth", room + "/truth.csv", "-o", trace
      ).exitCode == 0)
    #expect(try rssi("fit", room + "/distances.csv", "-o", calibration).exitCode == 0)
    let made = try runPython(
      "import h5py, sys\nwith h5py.File(sys.argv[1], 'r+') as f:\n  f['truth/positions/y_m'][1] = float('inf')",
      [trace])
    try #require(made.exitCode == 0, "\(made.error)")
    for arguments in [
      ["eval", trace, "--calibration", calibration, "--json"], ["fit", trace, "--json"],
      ["locate", trace, "--calibration", calibration, "--json"],
      ["filter", trace, "--compare", "kalman", "--json"],
    ] {
      let result = try runProgram(builtProgram, arguments)
      #expect(result.exitCode == 65, "\(arguments)")
      #expect(result.error.contains("row 1: y_m is inf"), "\(result.error)")
      #expect(result.output.isEmpty)
    }
  }

  @Test(arguments: [
    ("nodes.csv", "node,role,x_m,y_m\nb,beacon,1e300,0\n", "--nodes"),
    ("truth.csv", "trace,time_s,node,x_m,y_m\nw,1700000000,phone,0,-1e9\n", "--truth"),
  ])
  func `a table with a length that no site has is refused at import`(
    name: String, text: String, option: String
  ) throws {
    let table = try folder.write(text, to: name)
    let sightings = try folder.write(
      "trace,time_s,receiver,beacon,rssi_dbm\nw,1700000000,phone,b,-60\n", to: "rssi.csv")
    let result = try rssi("import", sightings, option, table, "-o", folder.path("o.h5"))
    #expect(result.exitCode == 65)
    #expect(
      result.error.contains("line 2") && result.error.contains("check the unit"), "\(result.error)")
  }

  /// Levels of n = 2 at three distances, and some more at one that is too short to be one.
  private func readings(_ extra: String) -> String {
    var text = "series,time_s,receiver,beacon,distance_m,rssi_dbm\n"
    for (index, distance) in ["1", "2", "4", extra].enumerated() {
      for packet in 0..<20 {
        let level = -59 - 6 * min(index, 2) + packet % 3
        text += "s,\(1_700_000_000 + index * 100 + packet),phone,b,\(distance),\(level)\n"
      }
    }
    return text
  }

  @Test(arguments: ["1e-12", "5e-10", "0.009"])
  func `readings nearer than 1 cm are counted and not fitted`(distance: String) throws {
    let bench = try folder.write(readings(distance), to: "bench.csv")
    let calibration = folder.path("c.json")
    let result = try rssi("fit", bench, "--json", "-o", calibration)
    #expect(result.exitCode == 0, "\(result.error)")
    let report = try json(result.output)
    #expect((report["excluded"] as? [String: Int])?["distance-below-1-cm"] == 20)
    let group = try #require((report["groups"] as? [[String: Any]])?.first)
    #expect(group["positions"] as? Int == 3)
    #expect(abs(try #require(group["exponent"] as? Double) - 2) < 0.1)
    // What fit writes, every stage reads.
    #expect(try rssi("fit", "--merge", calibration).exitCode == 0)
    let calibrated = try rssi("calibrate", bench, "--beacon", "b")
    #expect(
      (calibrated.output + calibrated.error).contains("nearer than 1 cm"), "\(calibrated.error)")
  }

  @Test func `a truth on an anchor is fitted without it and scored`() throws {
    var text = "trace,time_s,receiver,beacon,rssi_dbm\n"
    for second in 0..<40 {
      for (beacon, level) in [("a", -50), ("b", -70), ("c", -72)] {
        text += "w,\(1_700_000_000 + second),phone,\(beacon),\(level - second % 3)\n"
      }
    }
    let walk = folder.path("w.h5")
    let result = try rssi(
      "import", folder.write(text, to: "rssi.csv"), "--nodes",
      folder.write(
        "node,role,x_m,y_m,z_m\na,beacon,0,0,\nb,beacon,5,0,\nc,beacon,0,5,\n", to: "nodes.csv"),
      "--truth",
      folder.write(
        """
        trace,time_s,node,x_m,y_m
        w,1700000000,phone,0,0
        w,1700000020,phone,0,0
        w,1700000020,phone,1e-11,0
        w,1700000040,phone,1e-11,0

        """, to: "truth.csv"), "-o", walk)
    #expect(result.exitCode == 0, "\(result.error)")
    let fitted = try json(try rssi("fit", walk, "--json", "-o", folder.path("c.json")).output)
    let excluded = try #require(fitted["excluded"] as? [String: Int])
    #expect(excluded == ["zero-distance": 20, "distance-below-1-cm": 20])
    let calibration = try folder.write(readings("8"), to: "bench.csv")
    #expect(try rssi("fit", calibration, "-o", folder.path("c.json")).exitCode == 0)
    let scored = try rssi("eval", walk, "--calibration", folder.path("c.json"), "--json")
    #expect(scored.exitCode == 0, "\(scored.error)")
    #expect(try json(scored.output)["epochs"] as? Int == 20)
  }
}
