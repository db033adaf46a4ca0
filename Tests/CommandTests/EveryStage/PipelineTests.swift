import Foundation
import TestSupport
import Testing

@Suite("The stages, chained as in a shell")
struct PipelineTests {
  @Test func `simulate, import, filter, fit and eval give a leaderboard`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let walks = folder.path("walks.h5")
    let imported = try rssi(
      "import", room + "/walk-1.btsnoop", room + "/walk-2.btsnoop", "--receiver", "phone",
      "--nodes", room + "/nodes.csv", "--truth", room + "/truth.csv", "-o", walks, "--json")
    #expect(imported.exitCode == 0, "\(imported.error)")
    let summary = try json(imported.output)
    #expect(summary["beacons"] as? Int == 8)
    #expect(summary["traces"] as? Int == 2)
    #expect(summary["distinct_addresses"] as? Int == 8)
    let kinds = try #require(summary["kinds"] as? [String: Int])
    #expect(kinds["ibeacon"] == summary["sightings"] as? Int)

    // In place: the output is the input.
    #expect(try rssi("filter", walks, "-o", walks, "--filter", "kalman").exitCode == 0)
    let line = try rssi("export", walks, "--format", "ndjson", "--filtered", "kalman").output
      .prefix { $0 != "\n" }
    #expect(try json(String(line))["variance_db2"] as? Double ?? 0 > 0)
    let calibration = folder.path("calibration.json")
    let fit = try rssi("fit", room + "/distances.csv", "-o", calibration, "--json")
    #expect(fit.exitCode == 0, "\(fit.error)")
    let groups = try #require(try json(fit.output)["groups"] as? [[String: Any]])
    let exponent = try #require(groups[0]["exponent"] as? Double)
    let error = try #require((groups[0]["standard_error"] as? [String: Double])?["exponent"])
    #expect(abs(exponent - 2) < 5 * error)

    let eval = try rssi(
      "eval", walks, "--calibration", calibration, "--algorithms",
      "weighted-centroid,maximum-likelihood,power-center", "--json")
    #expect(eval.exitCode == 0, "\(eval.error)")
    let report = try json(eval.output)
    let algorithms = try #require(report["algorithms"] as? [[String: Any]])
    #expect(Set(algorithms.compactMap { $0["name"] as? String }).count == 3)
    let best = try #require((algorithms[0]["error_m"] as? [String: Double])?["median"])
    // Better than saying "the middle of the room" (about 4.5 m of error on average in 12 × 8 m).
    #expect(best < 3)
    #expect(report["in_sample"] as? Bool == false)
  }

  @Test func `the recording and the table of a simulation import to the same sightings`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    var csv: [String] = []
    for (name, files) in [
      ("a", [room + "/walk-1.btsnoop", room + "/walk-2.btsnoop"]), ("b", [room + "/rssi.csv"]),
    ] {
      let trace = folder.path(name + ".h5")
      let result = try runProgram(
        builtProgram, ["import"] + files + ["--receiver", "phone", "-o", trace])
      #expect(result.exitCode == 0, "\(result.error)")
      let lines = try rssi("export", trace, "--format", "csv").output.split(separator: "\n")
      // Only the table knows the channel.
      csv.append(
        lines.map {
          $0.split(separator: ",", omittingEmptySubsequences: false).prefix(5).joined(
            separator: ",")
        }
        .joined(separator: "\n"))
    }
    #expect(csv[0] == csv[1])
    #expect(csv[0].count > 1000)
  }

  @Test func `eval notes levels that depend on later sightings`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let (trace, calibration) = (folder.path("t.h5"), folder.path("c.json"))
    #expect(
      try rssi(
        "import", room + "/rssi.csv", "--nodes", room + "/nodes.csv", "--truth",
        room + "/truth.csv", "-o", trace
      ).exitCode == 0)
    #expect(try rssi("fit", room + "/distances.csv", "-o", calibration).exitCode == 0)
    #expect(
      try rssi("filter", trace, "-o", trace, "--filter", "median", "--filter", "rts").exitCode == 0)
    #expect(
      try rssi("filter", trace, "-o", trace, "--filter", "kalman", "--name", "now").exitCode == 0)
    for (filter, isTold) in [("median+rts", true), ("now", false)] {
      let result = try rssi(
        "eval", trace, "--calibration", calibration, "--filtered", filter, "--algorithms",
        "centroid")
      #expect(result.exitCode == 0, "\(result.error)")
      #expect(result.error.contains("on later sightings") == isTold)
    }
  }

  @Test func `NDJSON flows through filter and fit without a file`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let trace = folder.path("distances.h5")
    #expect(try rssi("import", room + "/distances.csv", "-o", trace).exitCode == 0)
    let lines = try rssi("export", trace, "--format", "ndjson").output
    let direct = try json(try rssi("fit", "-", "--json", input: lines).output)
    let fromFile = try json(try rssi("fit", trace, "--json").output)
    #expect(
      (direct["groups"] as? [[String: Any]])?[0]["exponent"] as? Double
        == (fromFile["groups"] as? [[String: Any]])?[0]["exponent"] as? Double)
    let filtered = try rssi("filter", "-", "--filter", "median:window=1s", "-q", input: lines)
    #expect(filtered.exitCode == 0, "\(filtered.error)")
    #expect(filtered.output.split(separator: "\n").count == lines.split(separator: "\n").count)
    #expect(try rssi("fit", "-", input: filtered.output).exitCode == 0)
  }

  @Test func `an exported table imports to the same table`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    for format in ["csv", "ndjson"] {
      let first = folder.path("first-\(format).h5")
      #expect(try rssi("import", room + "/distances.csv", "-o", first).exitCode == 0)
      let text = folder.path("out.\(format)")
      #expect(try rssi("export", first, "-o", text).exitCode == 0)
      let second = folder.path("second-\(format).h5")
      #expect(try rssi("import", text, "-o", second).exitCode == 0)
      let again = try rssi("export", second, "--format", format).output
      #expect(try again == String(contentsOfFile: text, encoding: .utf8))
    }
  }

  @Test
  func `a simulated recording contains legacy iBeacon reports as a controller sends them`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: room + "/walk-1.btsnoop")))
    // After the file's and the record's header: an LE Meta event with one legacy report of 30
    // bytes, flags once and the iBeacon.
    let packet = bytes.dropFirst(16 + 24).prefix(4)
    #expect(Array(packet) == [0x04, 0x3E, 12 + 30, 0x02])
    #expect(Array(bytes.dropFirst(16 + 24 + 13).prefix(7)) == [30, 2, 1, 6, 0x1A, 0xFF, 0x4C])
  }

  @Test func `the same simulation gives the same bytes, another seed others`() throws {
    let folder = try TemporaryDirectory()
    func bytes(_ name: String, seed: String) throws -> [Data] {
      let path = folder.path(name)
      #expect(
        try rssi(
          "simulate", "--model", "simple", "--seed", seed, "--walks", "1", "--duration", "10", "-o",
          path
        )
        .exitCode == 0)
      return try [
        "walk-1.btsnoop", "rssi.csv", "truth.csv", "levels.csv", "nodes.csv", "distances.csv",
      ].map {
        try Data(contentsOf: URL(filePath: path + "/" + $0))
      }
    }
    let first = try bytes("a", seed: "5")
    #expect(try bytes("b", seed: "5") == first)
    #expect(try bytes("c", seed: "6")[1] != first[1])
  }
}
