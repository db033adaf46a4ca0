import Foundation
import TestSupport
import Testing

/// `rssi fit` as its users call it.
struct FitTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A table of two beacons, heard in several poses at known distances, in two series.
  private func table(_ series: [String] = ["monday", "tuesday"]) -> String {
    var generator = SeededGenerator(seed: 7)
    var text = "series,time_s,receiver,beacon,distance_m,rssi_dbm,channel\n"
    var time = 1_700_000_000.0
    for name in series {
      for distance in [0.5, 1, 2, 4, 8, 16] {
        for beacon in ["left", "right"] {
          let offset = 3 * generator.gaussian()
          for packet in 0..<40 {
            let level = (-59 - 21 * log10(distance) + offset + 2 * generator.gaussian()).rounded()
            text += "\(name),\(time),phone,\(beacon),\(distance),\(Int(level)),\(37 + packet % 3)\n"
            time += 0.1
          }
        }
      }
    }
    return text
  }

  private func groups(_ output: String) throws -> [[String: Any]] {
    try #require(try json(output)["groups"] as? [[String: Any]])
  }

  /// A calibration without its origin.
  private func constants(_ path: String) throws -> NSDictionary {
    var object = try json(String(contentsOfFile: path, encoding: .utf8))
    for key in ["command_line", "inputs", "settings"] { object[key] = nil }
    return object as NSDictionary
  }

  @Test func `parts of a recording merge into the fit of the whole, to the last bit`() throws {
    let rows = table().split(separator: "\n")
    let whole = try folder.write(rows.joined(separator: "\n") + "\n", to: "whole.csv")
    // By series and by beacon, so that stays stay whole.
    var parts: [String] = []
    for (index, keep) in [
      { $0.hasPrefix("monday") && $0.contains(",left,") }, { $0.hasPrefix("tuesday") },
      { $0.hasPrefix("monday") && $0.contains(",right,") },
    ].enumerated() as EnumeratedSequence<[(Substring) -> Bool]> {
      let lines = [rows[0]] + rows.dropFirst().filter(keep)
      let part = try folder.write(lines.joined(separator: "\n") + "\n", to: "part\(index).csv")
      let calibration = folder.path("part\(index).json")
      #expect(
        try rssi("fit", part, "--by", "beacon", "--estimator", "huber", "-o", calibration).exitCode
          == 0)
      parts.append(calibration)
    }
    let expected = folder.path("whole.json")
    #expect(
      try rssi("fit", whole, "--by", "beacon", "--estimator", "huber", "-o", expected).exitCode == 0
    )
    for order in [parts, parts.reversed()] {
      // Common settings of the parts need not be repeated.
      let merged = folder.path("merged.json")
      let result = try runProgram(builtProgram, ["fit", "--merge"] + order + ["-o", merged])
      #expect(result.exitCode == 0, "\(result.error)")
      #expect(try constants(merged) == constants(expected))
    }
  }

  @Test func `plans a calibration, with the deviations of an earlier one`() throws {
    let readings = try folder.write(table(), to: "readings.csv")
    let pilot = folder.path("pilot.json")
    let fitted = try runProgram(builtProgram, ["fit", readings, "-o", pilot])
    #expect(fitted.exitCode == 0, "\(fitted.error)")
    let planned = try runProgram(
      builtProgram, ["fit", pilot, "--plan", "exponent:width=1.5,stay=30s", "--json"])
    #expect(planned.exitCode == 0, "\(planned.error)")
    let document = try json(planned.output)
    let pooled = try #require(
      try json(String(contentsOfFile: pilot, encoding: .utf8))["pooled"] as? [String: Any])
    let assumptions = try #require(document["assumptions"] as? [String: Any])
    #expect(assumptions["exponent"] as? Double == pooled["exponent"] as? Double)
    let plans = try #require(document["plans"] as? [[String: Any]])
    #expect(plans.count == 1 && plans[0]["places"] as? Int ?? 0 >= 4)
    for arguments in [
      ["--plan", "exponent:wide=1"], ["--plan", "exponent:width=1", "-o", pilot], [],
    ] {
      let refused = try runProgram(builtProgram, ["fit"] + arguments)
      #expect(refused.exitCode == 64, "\(arguments): \(refused.error)")
    }
  }

  @Test func `refuses what would count twice, or choose again what is chosen`() throws {
    let bench = try folder.write(table(), to: "bench.csv")
    let trace = folder.path("bench.h5")
    #expect(try rssi("import", bench, "-o", trace).exitCode == 0)
    let calibration = folder.path("c.json")
    #expect(try rssi("fit", bench, "-o", calibration).exitCode == 0)
    let monday = folder.path("monday.json")
    let tuesday = folder.path("tuesday.json")
    #expect(try rssi("fit", bench, "--series", "monday", "-o", monday).exitCode == 0)
    #expect(try rssi("fit", bench, "--series", "tuesday", "-o", tuesday).exitCode == 0)
    #expect(try rssi("fit", "--merge", monday, tuesday).exitCode == 0)
    for (arguments, code, words) in [
      ([bench, bench], 65, "twice"), ([bench, trace], 65, "was made from"),
      ([calibration], 65, "--merge"), (["--merge", calibration, calibration], 65, "twice"),
      (["--merge", calibration, monday], 65, "twice"),
      (["--merge", bench], 65, "not a calibration"),
      (["--merge", calibration, "--min-distance", "2"], 64, "--min-distance"),
      (["--merge", calibration, "--estimator", "weighted"], 64, "weights"),
      ([bench, "--estimator", "weighted"], 65, "--filtered"),
      ([bench, "--estimator", "censored"], 65, "advertising interval"),
      ([bench, "--estimator", "truncated", "--sensitivity", "20"], 64, "dBm"),
      ([bench, "--estimator", "truncated", "--lost-share", "0.1"], 64, "censored"),
      ([bench, "--sensitivity", "-90"], 64, "truncated"),
      ([bench, "--distance-at", "5"], 64, "below 0"),
      ([bench, "--exponent", "2"], 64, "fixed-exponent"),
      ([bench, "--min-distance", "-1"], 64, "metres"),
      ([bench, "--bootstrap", "7"], 64, "100"), ([bench, "--model", "walls"], 64, "--site"),
      ([bench, "--model", "walls", "--site", folder.path("none.toml")], 66, "none.toml"),
      ([bench, "--model", "hierarchical", "--estimator", "tukey"], 64, "hierarchical"),
      ([bench, "--model", "hierarchical", "--by", "series"], 64, "series"),
      ([bench, "--per-position", "mean", "--estimator", "truncated"], 64, "single readings"),
    ] as [([String], Int32, String)] {
      let result = try runProgram(builtProgram, ["fit"] + arguments)
      #expect(result.exitCode == code, "\(arguments): \(result.error)")
      #expect(result.error.contains(words), "\(arguments): \(result.error)")
      #expect(result.output.isEmpty)
    }
  }

  @Test func `a damaged calibration is refused, whatever is wrong with it`() throws {
    let calibration = folder.path("c.json")
    #expect(
      try rssi("fit", try folder.write(table(["a"]), to: "a.csv"), "-o", calibration).exitCode == 0)
    let whole = try json(String(contentsOfFile: calibration, encoding: .utf8))
    func change(_ edit: (inout [String: Any], inout [String: Any], inout [String: Any]) -> Void)
      throws -> String
    {
      var object = whole
      var stations = try #require(object["stations"] as? [[String: Any]])
      var settings = try #require(object["settings"] as? [String: Any])
      edit(&object, &stations[0], &settings)
      object["stations"] = stations
      object["settings"] = settings
      let text = String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
      return try folder.write(text, to: "damaged.json")
    }
    for edit in [
      {
        $1["counts"] = [Int](repeating: (1 << 53) - 1, count: ($1["counts"] as? [Int])?.count ?? 0)
        _ = $0
        _ = $2
      },
      {
        $1["levels_dbm"] = []
        $1["counts"] = []
        $1["channels"] = []
        _ = $0
        _ = $2
      },
      {
        $1["span_ns"] = [Int64.min, Int64.max]
        _ = $0
        _ = $2
      },
      {
        $1["succession"] = [50, 1e308, 1, 1]
        _ = $0
        _ = $2
      },
      {
        $1["distance_m"] = 1e300
        _ = $0
        _ = $2
      },
      {
        $0["excluded"] = ["no-rssi": Int.max]
        _ = $1
        _ = $2
      },
      {
        $0["excluded"] = ["no-rssi": -1]
        _ = $1
        _ = $2
      },
      {
        $0["model"] = "parabola"
        _ = $1
        _ = $2
      },
      {
        $0["estimator"] = "wish"
        _ = $1
        _ = $2
      },
      {
        $0["by"] = "moon"
        _ = $1
        _ = $2
      },
      {
        $2["per_position"] = "mode"
        _ = $0
        _ = $1
      },
      {
        $2["advertising_interval_s"] = 1e-300
        _ = $0
        _ = $1
      },
      {
        $2["lost_share"] = 2
        _ = $0
        _ = $1
      },
    ] as [(inout [String: Any], inout [String: Any], inout [String: Any]) -> Void] {
      let path = try change(edit)
      let result = try rssi("fit", "--merge", path)
      #expect(result.exitCode == 65, "\(result.exitCode) \(result.error)")
      #expect(result.error.contains("damaged"), "\(result.error)")
    }
  }

  @Test func `every model and estimator answers on one bench, near the truth`() throws {
    let bench = try folder.write(table(), to: "bench.csv")
    for options in [
      [], ["--model", "fixed-exponent", "--exponent", "2.1"], ["--model", "two-slope"],
      ["--model", "altbeacon"],
      ["--model", "hierarchical"], ["--estimator", "huber"], ["--estimator", "tukey"],
      ["--estimator", "cauchy"],
      ["--estimator", "truncated"], ["--estimator", "censored", "--advertising-interval", "100ms"],
      ["--per-position", "mean"], ["--per-position", "median"],
    ] {
      let result = try runProgram(builtProgram, ["fit", bench, "--json"] + options)
      #expect(result.exitCode == 0, "\(options): \(result.error)")
      let group = try groups(result.output)[0]
      #expect(abs((try #require(group["measured_power_dbm"] as? Double)) + 59) < 4, "\(options)")
      #expect(abs((try #require(group["exponent"] as? Double)) - 2.1) < 1, "\(options)")
      #expect((group["ci95"] as? [String: Any])?["measured_power_dbm"] is [Double], "\(options)")
    }
  }

  @Test func `offsets of channels are in the report, the calibration, and what is merged`() throws {
    // Channel 37 is 6 dB stronger than the others.
    let lines = table().split(separator: "\n").map { line in
      var fields = line.split(separator: ",")
      if fields[6] == "37" { fields[5] = Substring(String((Int(fields[5]) ?? 0) + 6)) }
      return fields.joined(separator: ",")
    }
    let whole = try folder.write(lines.joined(separator: "\n") + "\n", to: "channels.csv")
    let report = try rssi("fit", whole, "--channel-offsets", "receiver").output
    #expect(report.contains("channels of receiver phone: 37 "))
    #expect(!report.contains("channels 37 to 39 differ"))
    let result = try rssi("fit", whole, "--channel-offsets", "receiver", "--json").output
    let group = try groups(result)[0]
    let offsets = try #require(group["channel_offsets"] as? [[String: Any]])
    #expect(offsets.map { $0["channel"] as? Int } == [37, 38, 39])
    #expect(offsets.compactMap { $0["offset_db"] as? Double }.reduce(0, +).magnitude < 1e-9)
    #expect((offsets[0]["offset_db"] as? Double).map { abs($0 - 4) < 0.3 } == true)
    // Parts and calibrations give the same again.
    let calibration = folder.path("channels.json")
    _ = try rssi("fit", whole, "--channel-offsets", "receiver", "-o", calibration)
    let again = try groups(rssi("fit", "--merge", calibration, "--json").output)[0]
    #expect(again as NSDictionary == group as NSDictionary)
    let other = try rssi("fit", "--merge", calibration, "--channel-offsets", "none", "--json")
    #expect(try groups(other.output)[0]["channel_offsets"] == nil)
    let part = folder.path("channels.ndjson")
    _ = try rssi("fit", whole, "--channel-offsets", "receiver", "--part", part)
    #expect(
      try groups(rssi("fit", "--merge", part, "--json").output)[0] as NSDictionary
        == group as NSDictionary)
    for options in [["--estimator", "truncated"], ["--filtered", "kalman"]] {
      let refused = try runProgram(
        builtProgram, ["fit", whole, "--channel-offsets", "receiver"] + options)
      #expect(refused.exitCode == 64 && refused.error.contains("--channel-offsets"))
    }
  }

  @Test func `positioning refuses curves that it does not know`() throws {
    let calibration = folder.path("c.json")
    let bench = try folder.write(table(), to: "bench.csv")
    #expect(try rssi("fit", bench, "--model", "two-slope", "-o", calibration).exitCode == 0)
    let result = try rssi("eval", folder.path("walks.h5"), "--calibration", calibration)
    #expect(result.exitCode == 65 && result.error.contains("two-slope"), "\(result.error)")
  }

  @Test func `a stream distinguishes poses as its trace does`() throws {
    var lines = ""
    for (index, distance) in [1, 1, 4, 4, 16, 16].enumerated() {
      let pose = index % 2 == 0 ? "up" : #"flat \"x\""#
      for packet in 0..<20 {
        lines += """
          {"time_s":\(1_700_000_000 + 10 * index).\(packet),"beacon":"b","receiver":"r","rssi_dbm":\
          \(-60 - 6 * index - packet % 3),"distance_m":\(distance),"pose":"\(pose)"}

          """
      }
    }
    let trace = folder.path("t.h5")
    #expect(try rssi("import", try folder.write(lines, to: "t.ndjson"), "-o", trace).exitCode == 0)
    let exported = try rssi("export", trace, "--format", "ndjson").output
    #expect(exported.contains(#""pose":"flat \"x\"""#))
    for result in [
      try rssi("fit", "-", "--json", input: lines), try rssi("fit", "-", "--json", input: exported),
      try rssi("fit", trace, "--json"),
    ] {
      #expect(try groups(result.output)[0]["positions"] as? Int == 6, "\(result.error)")
    }
  }

  @Test func `levels of a filter are weighted by its variances`() throws {
    let trace = folder.path("bench.h5")
    #expect(
      try rssi("import", try folder.write(table(), to: "bench.csv"), "-o", trace).exitCode == 0)
    #expect(try rssi("filter", trace, "-o", trace, "--filter", "kalman").exitCode == 0)
    let fitted = try json(
      try rssi("fit", trace, "--filtered", "kalman", "--estimator", "weighted", "--json").output)
    let group = try #require((fitted["groups"] as? [[String: Any]])?.first)
    let script = """
      import sys, json
      import h5py, numpy as np
      with h5py.File(sys.argv[1]) as f:
          z = f["filtered/kalman/rssi_dbm"][:].astype(float)
          w = 1 / f["filtered/kalman/variance_db2"][:].astype(float)
          d = f["truth/distances/distance_m"][:][f["sightings/dwell"][:]]
      r = np.sqrt(w)
      X = np.stack([np.ones_like(d), -10 * np.log10(d)], 1)
      print(*np.linalg.lstsq(X * r[:, None], z * r, rcond=None)[0])
      """
    let answer = try runPython(script, [trace]).output.split(whereSeparator: \.isWhitespace)
      .compactMap { Double($0) }
    try #require(answer.count == 2)
    #expect(isClose(group["measured_power_dbm"] as? Double ?? .nan, answer[0], relative: 1e-6))
    #expect(isClose(group["exponent"] as? Double ?? .nan, answer[1], relative: 1e-6))
  }
}
