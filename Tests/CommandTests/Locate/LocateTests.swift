import Foundation
import TestSupport
import Testing

/// Rows of a CSV file by the names of its columns; the fields have no quotes.
func tableRows(_ text: String) -> [[String: String]] {
  let lines = text.split(separator: "\n").map {
    $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }
  guard let header = lines.first else { return [] }
  return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
}

/// A simulated room with walks, imported and calibrated.
struct LocateRoom {
  let folder: TemporaryDirectory
  let room: String
  let walks: String
  let calibration: String

  init(walks count: Int = 2, duration: Int = 20, beacons: Int = 8) throws {
    folder = try TemporaryDirectory()
    room = folder.path("room")
    walks = folder.path("walks.h5")
    calibration = folder.path("c.json")
    try copyPrepared("\(count) walks of \(duration) s, \(beacons) beacons", to: folder) { folder in
      let room = folder.path("room")
      try Self.succeed(
        "simulate", "--model", "simple", "--seed", "7", "--walks", "\(count)", "--duration",
        "\(duration)", "--beacons", "\(beacons)", "-o", room)
      try Self.succeed(
        "import", room + "/rssi.csv", "--nodes", room + "/nodes.csv", "--truth",
        room + "/truth.csv", "-o", folder.path("walks.h5"))
      try Self.succeed("fit", room + "/distances.csv", "-o", folder.path("c.json"))
    }
  }

  /// The default algorithm with few particles, for tests that are not about positions.
  static let quick = ["--algorithm", "particle-filter:particles=50"]

  @discardableResult
  static func succeed(_ arguments: String...) throws -> String {
    let result = try runProgram(builtProgram, arguments)
    guard result.exitCode == 0 else {
      throw CocoaError(.featureUnsupported, userInfo: ["error": "\(arguments): \(result.error)"])
    }
    return result.output
  }

  func locate(_ arguments: [String], input: String = "") throws -> ProgramResult {
    try runProgram(
      builtProgram, ["locate"] + arguments + ["--calibration", calibration], input: Data(input.utf8)
    )
  }
}

@Suite("rssi locate")
struct LocateTests {
  let room: LocateRoom

  init() throws { room = try LocateRoom(duration: 10) }

  @Test
  func `works at both ends of the times that its messages name, live and from a file`() throws {
    for times in [
      LocateRoom.quick + ["--epoch", "1d"], LocateRoom.quick + ["--epoch", "19h"],
      LocateRoom.quick + ["--epoch", "1d", "--window", "10ms"],
      LocateRoom.quick
        + [
          "--epoch", "1s", "--window", "1d", "--silence", "1d", "--reorder", "1h", "--lag", "60s",
        ],
      ["--epoch", "10ms", "--algorithm", "nearest-anchor", "--silence", "0", "--reorder", "0"],
    ] {
      let offline = try room.locate([room.walks, "-o", "-"] + times)
      #expect(offline.exitCode == 0 && !offline.output.isEmpty, "\(times) \(offline.error)")
    }
    let live = try room.locate(
      ["replay:\(room.walks)", "--speed", "max", "--epoch", "1d", "-o", "-"] + LocateRoom.quick)
    #expect(live.exitCode == 0, "\(live.error)")
    for (option, value, range) in [
      ("--epoch", "1.001d", "from 10ms to 1d"), ("--epoch", "9ms", "from 10ms to 1d"),
      ("--window", "25h", "from 10ms to 1d"), ("--lag", "61s", "from 0s to 60s"),
      ("--lag", "-1s", "from 0s to 60s"), ("--reorder", "61m", "from 0s to 1h"),
      ("--silence", "36500d", "from 0s to 1d"), ("--patience", "0", "from 1ms to 36500d"),
    ] {
      let result = try room.locate([room.walks, "-o", "-", "\(option)=\(value)"])
      #expect(result.exitCode == 64 && result.error.contains(range), "\(result.error)")
    }
  }

  @Test(arguments: [
    ("grid-filter", ["--epoch", "2s"], "raw"),
    ("particle-filter:particles=100", ["--epoch", "2s"], "raw"),
    ("maximum-likelihood", ["--epoch", "2s", "--window", "3s"], "raw"),
    ("kalman", ["--epoch", "1s", "--height", "1"], "raw"),
    ("weighted-centroid", ["--epoch", "3s", "--window", "2s"], "kalman"),
  ])
  func `gives the positions that eval scores`(algorithm: String, asked: [String], levels: String)
    throws
  {
    if levels != "raw" {
      try LocateRoom.succeed("filter", room.walks, "-o", room.walks, "--filter", levels)
    }
    let (answers, positions) = (room.folder.path("a.answers.csv"), room.folder.path("p.csv"))
    let eval = try runProgram(
      builtProgram,
      [
        "eval", room.walks, "--calibration", room.calibration, "--algorithms", algorithm,
        "--truth-at",
        "end", "--report", answers,
      ] + asked)
    #expect(eval.exitCode == 0, "\(eval.error)")
    let located = try room.locate(
      [room.walks, "--algorithm", algorithm, "--epochs-of", "truth", "-o", positions] + asked)
    #expect(located.exitCode == 0, "\(located.error)")
    let expected = tableRows(try String(contentsOfFile: answers, encoding: .utf8))
    let found = tableRows(try String(contentsOfFile: positions, encoding: .utf8))
    #expect(expected.count >= 6 && found.count == expected.count)
    for (one, other) in zip(found, expected) {
      #expect(one["trace"] == other["trace"] && one["time_s"] == other["instant_s"])
      #expect(one["anchors"] == other["anchors"] && one["reason"] == other["refusal"])
      for (ours, theirs, places) in [
        ("x_m", "x_m", 4), ("y_m", "y_m", 4), ("var_x_m2", "var_xx_m2", 6),
        ("cov_xy_m2", "var_xy_m2", 6), ("var_y_m2", "var_yy_m2", 6),
      ] {
        // Sums in another order may round the last decimal the other way.
        let (a, b) = (Double(one[ours] ?? ""), Double(other[theirs] ?? ""))
        #expect(
          a == b || abs((a ?? .nan) - (b ?? .nan)) < 1.5 * pow(10, -Double(places)),
          "\(ours) \(one[ours] ?? "-") \(other[theirs] ?? "-")")
      }
    }
  }

  @Test(arguments: [
    "grid-filter", "kalman", "particle-filter:particles=100", "posterior-mean",
    "combination:kalman=1,centroid=1",
  ])
  func `a stream gives the lines of a file, byte for byte, trace by trace`(algorithm: String) throws
  {
    let nodes = [
      "--nodes", room.room + "/nodes.csv", "--algorithm", algorithm, "--window", "2500ms",
    ]
    // Anchors are numbered as they are listed: by the same table here and there.
    let bare = room.folder.path("bare.h5")
    try LocateRoom.succeed("import", room.room + "/rssi.csv", "-o", bare)
    let file = try room.locate([bare, "-o", "-"] + nodes)
    #expect(file.exitCode == 0, "\(file.error)")
    let stream = try room.locate(
      ["-"] + nodes, input: try LocateRoom.succeed("export", bare, "--format", "ndjson"))
    #expect(stream.exitCode == 0, "\(stream.error)")
    #expect(file.output.split(separator: "\n").count >= 20)
    for walk in ["walk-1", "walk-2"] {
      func lines(_ result: ProgramResult) -> [Substring] {
        result.output.split(separator: "\n").filter { $0.contains("\"\(walk)\"") }
      }
      #expect(lines(stream) == lines(file))
    }
  }

  @Test func `asks at whole seconds, and only while the node is heard`() throws {
    let header = "trace,time_s,receiver,beacon,rssi_dbm\n"
    var table = header
    for time in [100.25, 101.5, 103.0, 150.0, 150.5] {
      for beacon in ["a", "b", "c"] { table += "t,\(time),phone,\(beacon),-60\n" }
    }
    let nodes = try room.folder.write(
      "node,role,x_m,y_m\na,beacon,0,0\nb,beacon,5,0\nc,beacon,0,5\n", to: "n.csv")
    let trace = room.folder.path("t.h5")
    try LocateRoom.succeed("import", try room.folder.write(table, to: "t.csv"), "-o", trace)
    let result = try room.locate(
      [trace, "--nodes", nodes, "--silence", "5s", "--algorithm", "weighted-centroid", "-o", "-"])
    #expect(result.exitCode == 0, "\(result.error)")
    let rows = try result.output.split(separator: "\n").map { try json(String($0)) }
    #expect(
      rows.map { $0["time_s"] as? Double } == [101, 102, 103, 104, 105, 106, 107, 108, 150, 151])
    #expect(rows.map { $0["anchors"] as? Int } == [3, 3, 3, 0, 0, 0, 0, 0, 3, 3])
    #expect(rows[3]["reason"] as? String == "too-few-anchors" && rows[3]["x_m"] is NSNull)
    #expect(
      rows[0]["no_covariance"] as? String == "no-error-model"
        && rows[0]["node"] as? String == "phone")
    // Rows that are not in order of time give the same.
    let shuffled =
      header + table.split(separator: "\n").dropFirst().reversed().joined(separator: "\n") + "\n"
    try LocateRoom.succeed("import", try room.folder.write(shuffled, to: "t.csv"), "-o", trace)
    let again = try room.locate(
      [trace, "--nodes", nodes, "--silence", "5s", "--algorithm", "weighted-centroid", "-o", "-"])
    #expect(again.output == result.output)
  }

  @Test func `locates a tag among fixed receivers as it does a phone among fixed beacons`() throws {
    let nodes = "node,role,x_m,y_m\na,ROLE,0,0\nb,ROLE,6,0\nc,ROLE,0,6\nd,ROLE,6,6\n"
    var outputs: [[String: Any]] = []
    for side in ["beacon", "receiver"] {
      var table = "trace,time_s,receiver,beacon,rssi_dbm\n"
      for step in 0..<40 {
        for (anchor, level) in [("a", -62), ("b", -70), ("c", -71), ("d", -75)] {
          table +=
            "t,\(100 + Double(step) / 8),\(side == "beacon" ? "m,\(anchor)" : "\(anchor),m"),\(level)\n"
        }
      }
      let list = try room.folder.write(nodes.replacing("ROLE", with: side), to: "n.csv")
      let trace = room.folder.path("\(side).h5")
      try LocateRoom.succeed(
        "import", try room.folder.write(table, to: "t.csv"), "--nodes", list, "-o", trace)
      let result = try room.locate([trace, "--json"] + LocateRoom.quick)
      #expect(result.exitCode == 0, "\(result.error)")
      outputs.append(try json(result.output))
    }
    let positions = outputs.map {
      ($0["positions"] as? [[String: Any]])?.compactMap { $0["x_m"] as? Double }
    }
    #expect(positions[0] == positions[1] && positions[0]?.count == 6)
    let roles = outputs.map { (($0["nodes"] as? [[String: Any]])?.first)?["role"] as? String }
    #expect(roles == ["receiver", "beacon"])
  }

  @Test func `writes a trace that other programs and info read`() throws {
    let output = room.folder.path("located.h5")
    let result = try room.locate([room.walks, "--trace", "walk-1", "-o", output, "--json"])
    #expect(result.exitCode == 0, "\(result.error)")
    let document = try json(result.output)
    #expect(document["positions"] is NSNull)
    #expect(document["algorithm_reason"] as? String == "default without a survey")
    let named = try runProgram(
      builtProgram,
      [
        "locate", output, "--calibration", room.calibration, "--algorithm", "maximum-likelihood",
        "--name", "likely",
        "-o", output,
      ])
    #expect(named.exitCode == 0, "\(named.error)")
    let info = try json(try LocateRoom.succeed("info", output, "--json"))
    #expect(info["positions"] as? [String] == ["likely", "particle-filter"])
    let table = room.folder.path("p.csv")
    #expect(try room.locate([room.walks, "--trace", "walk-1", "-o", table]).exitCode == 0)
    let script = """
      import sys, csv, h5py, numpy as np, xarray as xr
      rows = list(csv.DictReader(open(sys.argv[2])))
      table = xr.open_dataset(sys.argv[1], group='positions/particle-filter', engine='h5netcdf').load()
      assert len(rows) == len(table.x_m) == 10
      for column, places in [('x_m', 4), ('y_m', 4), ('var_x_m2', 6), ('cov_xy_m2', 6), ('var_y_m2', 6)]:
        ours = np.array([float(row[column] or 'nan') for row in rows])
        assert np.allclose(ours, table[column].values, atol=0.51 * 10.0**-places, rtol=0, equal_nan=True), column
      times = np.array([float(row['time_s']) for row in rows])
      stored = table.time_s.values.astype('datetime64[us]').astype('i8') / 1e6
      assert np.abs(times - stored).max() < 1e-5
      with h5py.File(sys.argv[1]) as file:
        receivers = [name.decode() for name in file['receivers/id'][:]]
        assert all(receivers[n] == row['node'] for n, row in zip(file['positions/particle-filter/node'], rows))
        stages = [name.decode() for name in file['provenance/stages/stage'][:]]
        assert stages == ['import', 'locate', 'locate'], stages
      print('agreed')
      """
    let python = try runPython(script, [output, table])
    #expect(python.output == "agreed\n", "\(python.error)")
    // A calibration that the trace holds serves where none is given.
    try LocateRoom.succeed("fit", room.room + "/distances.csv", "-o", room.calibration)
    let own = try runProgram(builtProgram, ["locate", output])
    #expect(own.exitCode == 64 && own.error.contains("--calibration"), "\(own.error)")
  }

  @Test
  func `several files give what each gives, in their order, whichever is located first`() throws {
    let files = try (1...2).map { walk in
      let file = room.folder.path("walk-\(walk).h5")
      try LocateRoom.succeed("export", room.walks, "--trace", "walk-\(walk)", "-o", file)
      return file
    }
    func rows(_ files: [String]) throws -> [Substring] {
      let result = try room.locate(files + ["--algorithm", "kalman", "-o", "-"])
      #expect(result.exitCode == 0, "\(result.error)")
      return result.output.split(separator: "\n")
    }
    let each = try files.map { try rows([$0]) }
    #expect(each.allSatisfy { $0.count == 10 } && each[0] != each[1])
    #expect(try rows(files) == each[0] + each[1])
    #expect(try rows(files.reversed()) == each[1] + each[0])
    // A file that is missing is named.
    let result = try room.locate(
      [files[0], room.folder.path("no.h5"), files[1], "-o", "-", "--algorithm", "kalman"])
    #expect(result.exitCode == 66 && result.error.contains("no.h5"), "\(result.error)")
  }

  @Test func `shows positions with their uncertainty`() throws {
    let result = try room.locate([
      room.walks, "--trace", "walk-1", "--algorithm", "maximum-likelihood",
    ])
    #expect(result.exitCode == 0, "\(result.error)")
    for word in ["walk-1", "phone", "95 %", "maximum-likelihood", "epochs", "anchors"] {
      #expect(result.output.contains(word))
    }
    #expect(!result.output.contains("walk-2"))
  }

  @Test func `the table's half axes are those of the JSON document`() throws {
    let arguments = [room.walks, "--trace", "walk-1", "--algorithm", "maximum-likelihood"]
    let text = try room.locate(arguments)
    let document = try room.locate(arguments + ["--json"])
    #expect(text.output.contains("95 % half axes in m"))
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(document.output.utf8)) as? [String: Any])
    let positions = try #require(root["positions"] as? [[String: Any]])
    let expected = positions.compactMap { position -> (Double, Double)? in
      guard let major = position["semi_major_95_m"] as? Double,
        let minor = position["semi_minor_95_m"] as? Double
      else { return nil }
      return (major, minor)
    }
    let shown = text.output.matches(of: /([0-9.]+) × ([0-9.]+)/)
    #expect(!expected.isEmpty)
    #expect(shown.count == expected.count)
    for (axes, (major, minor)) in zip(shown, expected) {
      #expect(abs((Double(axes.1) ?? .nan) - major) < 0.0501)
      #expect(abs((Double(axes.2) ?? .nan) - minor) < 0.0501)
    }
  }

  @Test(
    arguments: [
      (["W", "--epoch", "0s"], 64, "--epoch"), (["W", "--silence", "x"], 64, "--silence"),
      (["W", "--reorder", "2d"], 64, "--reorder"),
      (["W", "--dimensions", "4"], 64, "--dimensions"),
      (["W", "--algorithm", "guess"], 64, "guess"),
      (["W", "--algorithm", "all"], 64, "unknown algorithm"),
      (["W", "-o", "p.txt"], 64, ".csv"), (["W", "--events"], 64, "--site"),
      (["W", "--spots"], 64, "--site"),
      (["W", "-", "-o", "-"], 64, "alone"), (["W", "--name", "x"], 64, "--name"),
      (["W", "--json", "-o", "-"], 64, "--json"), (["W", "W", "-o", "x.h5"], 65, "given twice"),
      (["W", "--height", "1", "--dimensions", "3"], 64, "--height"),
      (["W", "--spot-left", "0.6"], 64, "--spot-left"), (["W", "--trace", "no"], 65, "no trace"),
      (["no.h5"], 66, "no.h5"), (["C"], 65, "this is a calibration"),
      (["W", "--filtered", "no"], 65, "filter"),
      (["-", "-o", "x.h5"], 64, "stream"), (["-", "--json"], 64, "--json"),
      (["-", "--algorithm", "grid-smoother"], 64, "causal"),
      (["-", "--epochs-of", "truth"], 64, "truth"), (["-", "--filtered", "x"], 64, "--filtered"),
      (["-"], 65, "anchors"),
      (["W", "--algorithm", "exec:./true", "-o", "W"], 64, "--name"),
    ] as [([String], Int32, String)])
  func `reports problems with its options and inputs`(
    arguments: [String], code: Int32, word: String
  ) throws {
    let before = try Data(contentsOf: URL(filePath: room.walks))
    let result = try room.locate(
      arguments.map { $0 == "W" ? room.walks : $0 == "C" ? room.calibration : $0 })
    #expect(
      result.exitCode == code && result.error.contains(word),
      "\(arguments): \(result.exitCode) \(result.error)")
    #expect(result.output.isEmpty)
    #expect(try Data(contentsOf: URL(filePath: room.walks)) == before)
  }

  @Test func `a trace without places of anchors or without moving nodes is reported`() throws {
    let trace = room.folder.path("bare.h5")
    try LocateRoom.succeed("import", room.room + "/rssi.csv", "-o", trace)
    let bare = try room.locate([trace])
    #expect(bare.exitCode == 65 && bare.error.contains("--nodes"), "\(bare.error)")
    let nodes = try room.folder.write("node,role,x_m,y_m\nelsewhere,beacon,0,0\n", to: "n.csv")
    let strange = try room.locate([trace, "--nodes", nodes])
    #expect(strange.exitCode == 0 && strange.error.contains("a moving node"))
  }

  @Test func `a smoother locates files, and missing answers have a reason`() throws {
    let result = try room.locate([room.walks, "--algorithm", "grid-smoother", "--json"])
    #expect(result.exitCode == 0, "\(result.error)")
    let document = try json(result.output)
    #expect(document["epochs"] as? Int == document["answered"] as? Int)
    let fingerprint = try room.locate([room.walks, "--algorithm", "fingerprint", "--json"])
    let nodes = try #require(try json(fingerprint.output)["nodes"] as? [[String: Any]])
    for node in nodes {
      #expect(
        node["refused"] as? [String: Int] == ["no-survey": try #require(node["epochs"] as? Int)])
    }
    let learned = try room.locate(
      [
        room.walks, "--algorithm", "fingerprint", "--survey", room.walks, "--trace", "walk-1",
        "--json",
      ])
    #expect(learned.exitCode == 0, "\(learned.error)")
    #expect(try json(learned.output)["answered"] as? Int ?? 0 > 7)
  }

  @Test func `a program gets the anchors of a survey, too`() throws {
    // Another room has anchors of the same names at other places.
    let other = room.folder.path("other")
    let survey = room.folder.path("other.h5")
    try LocateRoom.succeed(
      "simulate", "--model", "simple", "--seed", "8", "--walks", "1", "--duration", "10", "-o",
      other)
    try LocateRoom.succeed(
      "import", other + "/rssi.csv", "--nodes", other + "/nodes.csv", "--truth",
      other + "/truth.csv", "-o", survey)
    let declining = "exec:read site; while read epoch; do echo '{\"refused\": \"declined\"}'; done"
    let result = try room.locate([
      room.walks, "--survey", survey, "--algorithm", declining, "--json",
    ])
    #expect(result.exitCode == 0, "\(result.error)")
    let nodes = try #require(try json(result.output)["nodes"] as? [[String: Any]])
    for node in nodes {
      #expect(
        node["refused"] as? [String: Int] == ["declined": try #require(node["epochs"] as? Int)])
    }
  }
}

@Suite("rssi locate --report")
struct LocateReportTests {
  let room: LocateRoom

  init() throws { room = try LocateRoom(duration: 10) }

  @Test func `a page and a picture are written beside the positions`() throws {
    let folder = room.folder
    _ = try folder.write(
      "[[rooms]]\nname = \"hall\"\npolygon = [[0, 0], [12, 0], [12, 8], [0, 8]]\n", to: "site.toml")
    let result = try room.locate([
      room.walks, "--site", folder.path("site.toml"), "--algorithm", "kalman", "--report",
      folder.path("map.html"), "--report", folder.path("map.svg"), "-o", folder.path("p.csv"),
    ])
    #expect(result.exitCode == 0, "\(result.error)")
    let page = try String(contentsOfFile: folder.path("map.html"), encoding: .utf8)
    let data = try #require(
      page.firstMatch(of: #/<script type="application\/json"[^>]*>(.*?)<\/script>/#)
    ).1
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
    let traces = try #require(json["traces"] as? [[String: Any]])
    let rows = tableRows(try String(contentsOfFile: folder.path("p.csv"), encoding: .utf8))
    #expect(traces.count == 2 && json["rooms"] as? [String] == ["hall"])
    // The first position of the first trace, in centimetres.
    let node = try #require((traces[0]["nodes"] as? [[String: Any]])?.first)
    let first = try #require((node["x"] as? [Any])?.first as? Int)
    #expect(first == Int((100 * (Double(rows[0]["x_m"] ?? "") ?? .nan)).rounded()))
    #expect(
      (node["step"] as? [Int])?.count == rows.filter { $0["trace"] == rows[0]["trace"] }.count)
    let picture = try String(contentsOfFile: folder.path("map.svg"), encoding: .utf8)
    #expect(picture.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
  }

  @Test func `reports that cannot be drawn are refused`() throws {
    let folder = room.folder
    let gif = try room.locate([room.walks, "--report", folder.path("map.gif")])
    #expect(gif.exitCode == 64 && gif.error.contains(".svg, .png or .pdf"))
    let earth = try room.locate([room.walks, "--report", folder.path("map.geojson")])
    #expect(earth.exitCode == 65 && earth.error.contains("[[wgs84]]"))
    let live = try room.locate(
      ["-", "--nodes", room.room + "/nodes.csv", "--report", folder.path("map.html")])
    #expect(live.exitCode == 64 && live.error.contains("--report"))
    _ = try folder.write(
      "[[floors]]\nname = \"g\"\nimage = \"none.png\"\nscale_m = 1\norigin = [0, 0]\n",
      to: "site.toml")
    let missing = try room.locate([
      room.walks, "--site", folder.path("site.toml"), "--algorithm", "kalman", "--report",
      folder.path("map.html"),
    ])
    #expect(missing.exitCode == 66 && missing.error.contains("none.png"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("map.html")))
  }
}
