import Foundation
import TestSupport
import Testing

/// Numbers that are not levels, and units that are not metres and seconds, in every stage.
@Suite struct PlausibleInputTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A beacon at a receiver, one level per second.
  private func table(_ levels: [String], beacon: String = "tag") -> String {
    "time_s,receiver,beacon,rssi_dbm\n"
      + levels.enumerated().map { "\(1_700_000_000 + $0),phone,\(beacon),\($1)\n" }.joined()
  }

  private func json(_ arguments: String...) throws -> [String: Any] {
    let result = try runProgram(builtProgram, arguments)
    #expect(result.exitCode == 0, "\(arguments): \(result.error)")
    return try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  // MARK: Levels

  @Test func `zero is not a level in any stage`() throws {
    let levels = (0..<60).map { $0 % 5 == 3 ? "0" : "\(-74 - $0 % 3)" }
    let file = try folder.write(table(levels), to: "zero.csv")
    let trace = folder.path("zero.h5")
    let imported = try json("import", file, "-o", trace, "--json")
    #expect(imported["rssi_missing"] as? Int == 12)
    #expect(imported["rssi_missing_reasons"] as? [String: Int] == ["rssi-zero": 12])
    #expect(imported["rejected_reports"] as? Int == 0)
    let info = try json("info", trace, "--json")
    #expect(info["rssi_missing_reasons"] as? [String: Int] == ["rssi-zero": 12])
    #expect(try rssi("info", trace).output.contains("12 without RSSI"))
    let filtered = try json(
      "filter", trace, "-o", folder.path("f.h5"), "--filter", "kalman", "--json")
    let links = try #require(filtered["links"] as? [[String: Any]])
    #expect(links.compactMap { $0["samples"] as? Int } == [48])
    #expect(links.allSatisfy { ($0["r"] as? Double ?? 100) < 3 })
    let beacons = try json("beacons", file, "--json")
    let device = try #require((beacons["devices"] as? [[String: Any]])?.first)
    #expect("\(device)".contains("-75"), "\(device)")
    let watched = try rssi("watch", file, "--format", "text", "--filter", "none")
    #expect(watched.exitCode == 0 && !watched.output.contains(" 0 dBm"), "\(watched.output)")
    #expect(watched.error.contains("12 × rssi-zero"))
    // A stream has the same rule.
    let lines = levels.enumerated().map {
      #"{"time_s":\#(1_700_000_000 + $0),"beacon":"tag","receiver":"phone","rssi_dbm":\#($1)}"#
    }.joined(separator: "\n")
    let stream = try runProgram(
      builtProgram, ["filter", "-", "--filter", "mean:window=5s"], input: Data(lines.utf8))
    #expect(
      stream.exitCode == 0 && stream.error.contains("12 sightings without"))
    #expect(!stream.output.contains("\"rssi_dbm\":-6"))
  }

  @Test(arguments: [
    (["60", "61", "72", "58"], "all 4 levels"), (["7", "12", "3", "19"], "all 4 levels"),
    (["-60", "61", "72", "58"], "3 of 4 levels"), (["196", "190", "201"], "subtract 256"),
  ])
  func `a forgotten sign is refused in every stage`(_ levels: [String], _ words: String) throws {
    let file = try folder.write(table(levels), to: "positive.csv")
    for stage in [
      ["import", file, "-o", folder.path("p.h5")], ["fit", file], ["beacons", file],
      ["watch", file], ["calibrate", file, "--distance", "1m"],
    ] {
      let result = try runProgram(builtProgram, stage)
      #expect(result.exitCode == 65, "\(stage): \(result.error)")
      #expect(
        result.error.contains(words) && result.error.contains("forgotten sign?"), "\(result.error)")
      #expect(result.output.isEmpty)
    }
    #expect(try folder.names() == ["positive.csv"])
  }

  @Test func `a live stream is warned of once`() throws {
    let lines = (0..<300).map {
      #"{"time_s":\#(1_700_000_000 + $0),"beacon":"tag","receiver":"phone","rssi_dbm":\#(60 + $0 % 9)}"#
    }.joined(separator: "\n")
    let result = try runProgram(
      builtProgram, ["filter", "-", "--filter", "median"], input: Data(lines.utf8))
    #expect(result.exitCode == 0)
    #expect(result.error.components(separatedBy: "forgotten sign?").count == 2, "\(result.error)")
  }

  @Test func `fillers are named and not taken for lost packets`() throws {
    var generator = SeededGenerator(seed: 5)
    var text = "time_s,receiver,beacon,rssi_dbm,distance_m\n"
    for (index, distance) in [1, 2, 4, 8, 12, 16].enumerated() {
      for packet in 0..<60 {
        let level = -59 - 20 * log10(Double(distance)) + 3 * generator.gaussian()
        let isHeard = packet % 6 > index
        text += "\(1_700_000_000 + index * 100 + packet),phone,tag,"
        text += "\(isHeard ? Int(level.rounded()) : -110),\(distance)\n"
      }
    }
    let file = try folder.write(text, to: "filler.csv")
    let trace = folder.path("filler.h5")
    let words = "levels are exactly -110 dBm"
    let imported = try rssi("import", file, "-o", trace)
    #expect(imported.exitCode == 0 && imported.error.contains(words), "\(imported.error)")
    #expect(imported.error.contains("210 of 360"), "\(imported.error)")
    for stage in [
      ["fit", trace], ["fit", file],
      ["filter", trace, "-o", folder.path("f.h5"), "--filter", "mean"],
      ["beacons", trace], ["watch", file],
    ] {
      let result = try runProgram(builtProgram, stage)
      #expect(result.exitCode == 0 && result.error.contains(words), "\(stage): \(result.error)")
      #expect(!result.output.contains("probably missing"))
    }
    let fit = try json("fit", trace, "--json")
    let group = try #require((fit["groups"] as? [[String: Any]])?.first)
    #expect((group["warnings"] as? [String])?.contains { $0.contains(words) } == true)
  }

  // MARK: Times

  @Test(arguments: [
    ("45413.4166666667", "45413.4166782407", "spreadsheets"), ("610053216", "610053217", "iOS"),
    ("739373.41666", "739373.41668", "MATLAB"),
  ])
  func `other times are refused`(_ first: String, _ second: String, _ words: String) throws {
    let rows = [first, second].map { "\($0),phone,tag,-60\n" }.joined()
    let file = try folder.write("time_s,receiver,beacon,rssi_dbm\n" + rows, to: "times.csv")
    let lines = [first, second].map {
      #"{"time_s":\#($0),"beacon":"tag","receiver":"phone","rssi_dbm":-60}"# + "\n"
    }.joined()
    let stream = try folder.write(lines, to: "times.ndjson")
    for input in [file, stream] {
      for stage in [["import", input, "-o", folder.path("t.h5")], ["beacons", input]] {
        let result = try runProgram(builtProgram, stage)
        #expect(result.exitCode == 65 && result.error.contains(words), "\(stage): \(result.error)")
      }
    }
    let good = try folder.write(table(["-60", "-61"]), to: "good.csv")
    let truth = try folder.write(
      "trace,time_s,node,x_m,y_m\ngood,\(first),phone,1,2\ngood,\(second),phone,2,2\n",
      to: "truth.csv")
    let result = try rssi("import", good, "--truth", truth, "-o", folder.path("t.h5"))
    #expect(result.exitCode == 65 && result.error.contains("truth.csv: time_s"), "\(result.error)")
  }

  // MARK: Places and powers

  @Test func `places that are not metres are refused`() throws {
    let file = try folder.write(table(["-60", "-61"], beacon: "a"), to: "walk.csv")
    let plain = folder.path("plain.h5")
    #expect(try rssi("import", file, "-o", plain).exitCode == 0)
    for (places, words) in [
      (
        "a,beacon,16.3721,48.2085\nb,beacon,16.3722,48.2084\nc,beacon,16.3720,48.20854\n", "degrees"
      ),
      ("a,beacon,0.0031,0.002\nb,beacon,0.012,0.004\nphone,receiver,,\n", "kilometres"),
      ("phone,receiver,16.3721,48.2085\nb,receiver,16.3722,48.2084\n", "degrees"),
    ] {
      let nodes = try folder.write("node,role,x_m,y_m\n" + places, to: "nodes.csv")
      let result = try rssi("import", file, "--nodes", nodes, "-o", folder.path("x.h5"))
      #expect(result.exitCode == 65, "\(result.error)")
      #expect(result.error.contains("nodes.csv: all ") && result.error.contains(words))
    }
    #expect(try !folder.names().contains("x.h5"))
  }

  @Test func `impossible powers are a warning in every stage`() throws {
    var text = "time_s,receiver,beacon,rssi_dbm,distance_m\n"
    var generator = SeededGenerator(seed: 5)
    for (index, distance) in [50, 100, 150, 200, 300, 400].enumerated() {
      for packet in 0..<40 {
        let level = -59 - 20 * log10(Double(distance) / 100) + 2 * generator.gaussian()
        text += "\(1_700_000_000 + index * 100 + packet),phone,tag,\(Int(level.rounded())),"
        text += "\(distance)\n"
      }
    }
    let file = try folder.write(text, to: "cm.csv")
    let calibration = folder.path("cm.json")
    let fit = try rssi("fit", file, "-o", calibration)
    #expect(fit.exitCode == 0)
    #expect(fit.output.contains("no beacon has -18") && fit.output.contains("unit of distances"))
    let watched = try rssi("watch", file, "--calibration", calibration)
    #expect(watched.error.contains("no beacon has -18"), "\(watched.error)")
    let walk = try folder.write(
      (0..<40).map { index in "\(1_700_000_000 + index / 4),phone,b\(index % 4),-7\(index % 4)\n" }
        .reduce("time_s,receiver,beacon,rssi_dbm\n", +), to: "walk.csv")
    let nodes = try folder.write(
      "node,role,x_m,y_m\nb0,beacon,0,0\nb1,beacon,8,0\nb2,beacon,8,6\nb3,beacon,0,6\n",
      to: "nodes.csv")
    let truth = try folder.write(
      "trace,time_s,node,x_m,y_m\nwalk,1700000000,phone,2,2\nwalk,1700000009,phone,5,3\n",
      to: "truth.csv")
    let trace = folder.path("walk.h5")
    #expect(
      try rssi("import", walk, "--nodes", nodes, "--truth", truth, "-o", trace).exitCode == 0)
    for stage in [
      ["locate", trace, "--calibration", calibration, "-o", folder.path("p.csv")],
      ["eval", trace, "--calibration", calibration, "--algorithms", "weighted-centroid"],
    ] {
      let result = try runProgram(builtProgram, stage)
      #expect(result.exitCode == 0, "\(result.error)")
      #expect((result.error + result.output).contains("no beacon has -18"), "\(stage)")
    }
  }

  // MARK: Series of several files

  /// Two rooms, n = 1.8 and n = 3, whose tables name their series alike.
  private func rooms() throws -> [String] {
    try [("room-a", 1.8), ("room-b", 3)].map { name, exponent in
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
      var generator = SeededGenerator(seed: 7)
      var text = "series,time_s,receiver,beacon,rssi_dbm,distance_m\n"
      for (index, distance) in [1, 2, 4, 8, 16].enumerated() {
        for packet in 0..<40 {
          let level = -59 - 10 * exponent * log10(Double(distance)) + generator.gaussian()
          let time = 1_700_000_000 + index * 100 + packet + (name == "room-a" ? 0 : 5000)
          text += "bench,\(time),phone,tag,\(Int(level.rounded())),\(distance)\n"
        }
      }
      return try folder.write(text, to: "\(name)/distances.csv")
    }
  }

  private func exponents(_ calibration: [String: Any]) throws -> [String: Double] {
    let groups = try #require(calibration["groups"] as? [[String: Any]])
    return try Dictionary(
      uniqueKeysWithValues: groups.map {
        (try #require($0["key"] as? String), try #require($0["exponent"] as? Double))
      })
  }

  @Test func `series of one name in two files are fitted apart`() throws {
    let files = try rooms()
    let apart = try exponents(json("fit", files[0], files[1], "--by", "series", "--json"))
    #expect(
      apart.keys.sorted() == ["bench (room-a/distances.csv)", "bench (room-b/distances.csv)"])
    #expect(abs((apart["bench (room-a/distances.csv)"] ?? 0) - 1.8) < 0.1)
    #expect(abs((apart["bench (room-b/distances.csv)"] ?? 0) - 3) < 0.1)
    let warned = try rssi("fit", files[0], files[1], "--by", "series")
    #expect(warned.error.contains("series bench"))
    // One file, and all readings together, are as they were.
    #expect(
      try exponents(json("fit", files[0], "--by", "series", "--json")).keys.sorted() == ["bench"])
    #expect(try exponents(json("fit", files[0], files[1], "--json")).keys.sorted() == ["pooled"])
    // Parts and calibrations merge to the same.
    let parts = (1...2).map { folder.path("\($0).part") }
    for (index, part) in parts.enumerated() {
      let share = "\(index + 1)/2"
      let result = try rssi(
        "fit", files[0], files[1], "--by", "series", "--part", part, "--share", share)
      #expect(result.exitCode == 0, "\(result.error)")
    }
    #expect(try exponents(json("fit", "--merge", parts[1], parts[0], "--json")) == apart)
    let calibrations = (1...2).map { folder.path("\($0).json") }
    for (file, path) in zip(files, calibrations) {
      #expect(try rssi("fit", file, "--by", "series", "-o", path).exitCode == 0)
    }
    #expect(
      try exponents(json("fit", "--merge", calibrations[0], calibrations[1], "--json")) == apart)
  }
}
