import Foundation
import TestSupport
import Testing

/// A program that gives one answer to every question.
private func answering(_ line: String) -> String {
  "exec:read site; while read epoch; do echo '\(line)'; done"
}

@Suite("rssi eval")
struct EvalTests {
  let folder: TemporaryDirectory
  let walks: String
  let calibration: String

  init() throws {
    let room = try LocateRoom(walks: 3)
    (folder, walks, calibration) = (room.folder, room.walks, room.calibration)
  }

  private func eval(_ arguments: String...) throws -> ProgramResult {
    try runProgram(builtProgram, ["eval", walks] + arguments)
  }

  private func algorithms(_ output: String) throws -> [String: [String: Any]] {
    let list = try #require(try json(output)["algorithms"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: list.compactMap { one in (one["name"] as? String).map { ($0, one) } })
  }

  @Test func `compares levels and calibrations, each as if it were evaluated alone`() throws {
    for filter in ["kalman", "median"] {
      try LocateRoom.succeed("filter", walks, "-o", walks, "--filter", filter)
    }
    let other = folder.path("weaker.json")
    try LocateRoom.succeed(
      "fit", folder.path("room/distances.csv"), "--estimator", "huber", "-o", other)
    let common = [
      "--truth-at", "end", "--algorithms", "weighted-centroid,maximum-likelihood,kalman", "--json",
      "--trace", "walk-1", "--epoch", "4s",
    ]
    func figures(_ arguments: [String]) throws -> [String: [String: Any]] {
      let result = try runProgram(builtProgram, ["eval", walks] + arguments + common)
      #expect(result.exitCode == 0, "\(result.error)")
      return try algorithms(result.output)
    }
    let all = try figures(["--calibration", calibration, "--filtered", "all"])
    // The tracker hears the raw levels whatever the filter.
    #expect(
      Set(all.keys) == [
        "weighted-centroid @ raw", "weighted-centroid @ kalman", "weighted-centroid @ median",
        "maximum-likelihood @ raw", "maximum-likelihood @ kalman", "maximum-likelihood @ median",
        "kalman @ raw",
      ])
    for (filter, name) in [("none", "raw"), ("kalman", "kalman"), ("median", "median")] {
      let alone = try figures(["--calibration", calibration, "--filtered", filter])
      for algorithm in ["weighted-centroid", "maximum-likelihood"] {
        let (one, same) = (try #require(alone[algorithm]), all["\(algorithm) @ \(name)"])
        for key in ["median", "rms", "max"] {
          let errors = (one["error_m"] as? [String: Any])?[key] as? Double
          #expect(errors != nil && errors == (same?["error_m"] as? [String: Any])?[key] as? Double)
        }
      }
    }
    let both = try figures([
      "--calibration", calibration, "--calibration", other, "--filtered", "none",
    ])
    let alone = try figures(["--calibration", other, "--filtered", "none"])
    #expect(
      (both["maximum-likelihood @ weaker"]?["error_m"] as? [String: Double])
        == alone["maximum-likelihood"]?["error_m"] as? [String: Double])
    #expect(both.count == 6, "\(both.keys)")
  }

  @Test func `tests equivalence, and plans the next campaign from an evaluation`() throws {
    let pilot = folder.path("pilot.json")
    let result = try eval(
      "--calibration", calibration, "--algorithms", "centroid,weighted-centroid",
      "--interval-blocks", "4s", "--equivalence", "50", "--report", pilot)
    #expect(result.exitCode == 0, "\(result.error)")
    // Errors in a room of a few metres differ by less than 50 m.
    #expect(result.output.contains("equivalent within 50 m"), "\(result.output)")
    let document = try json(String(contentsOfFile: pilot, encoding: .utf8))
    #expect(document["equivalence_margin_m"] as? Double == 50)
    let comparisons = try #require(document["comparisons"] as? [[String: Any]])
    #expect(
      (comparisons[0]["equivalence"] as? [String: Any])?["outcome"] as? String == "equivalent")
    let planned = try runProgram(
      builtProgram, ["eval", pilot, "--plan", "difference:of=0.5", "--json"])
    #expect(planned.exitCode == 0, "\(planned.error)")
    let plans = try #require(try json(planned.output)["plans"] as? [[String: Any]])
    #expect(plans.count == 1 && plans[0]["traces"] as? Int ?? 0 >= 6)
    for arguments in [["--plan", "difference:of=0.5"], [walks, "--equivalence", "-1"], []] {
      let refused = try runProgram(
        builtProgram, ["eval"] + arguments + ["--calibration", calibration])
      #expect(refused.exitCode == 64, "\(arguments): \(refused.error)")
    }
  }

  @Test
  func `scores fitted data only with a note in every output`() throws {
    let fitted = folder.path("in.json")
    try LocateRoom.succeed("fit", walks, "-o", fitted)
    let refused = try eval("--calibration", fitted)
    #expect(refused.exitCode == 65)
    #expect(refused.output.isEmpty)
    for word in ["--in-sample", "--cross-validate", "walk-"] {
      #expect(refused.error.contains(word), "\(refused.error)")
    }
    let (page, markdown) = (folder.path("r.html"), folder.path("r.md"))
    let algorithms = ["--algorithms", "centroid,weighted-centroid"]
    let told = try runProgram(
      builtProgram,
      [
        "eval", walks, "--calibration", fitted, "--in-sample", "--report", page, "--report",
        markdown,
      ]
        + algorithms)
    #expect(told.exitCode == 0, "\(told.error)")
    #expect(told.output.contains("IN SAMPLE"))
    for path in [page, markdown] {
      #expect(try String(contentsOfFile: path, encoding: .utf8).lowercased().contains("in sample"))
    }
    let document = try runProgram(
      builtProgram, ["eval", walks, "--calibration", fitted, "--in-sample", "--json"] + algorithms)
    #expect(try json(document.output)["in_sample"] as? Bool == true)
    // Fitted on some walks, it may be scored on the others.
    try LocateRoom.succeed("fit", walks, "--series", "walk-1", "--series", "walk-2", "-o", fitted)
    #expect(
      try eval("--calibration", fitted, "--trace", "walk-3", "--algorithms", "centroid").exitCode
        == 0)
    #expect(try eval("--calibration", fitted, "--trace", "walk-2").exitCode == 65)
  }

  @Test func `recognises readings, whatever their files, names and times are`() throws {
    let room = folder.path("room")
    let lines = try String(contentsOfFile: room + "/rssi.csv", encoding: .utf8)
      .split(separator: "\n").map {
        $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
    try #require(lines[0].firstIndex(of: "rssi_dbm") == 4 && lines[0][0] == "trace")
    func variant(_ name: String, _ change: ([String]) -> [String]) throws -> String {
      let table = try folder.write(
        ([lines[0]] + lines.dropFirst().map(change)).map { $0.joined(separator: ",") }.joined(
          separator: "\n") + "\n",
        to: name + ".csv")
      let truth = try String(contentsOfFile: room + "/truth.csv", encoding: .utf8)
      let places = try folder.write(
        name == "renamed" ? truth.replacing("walk-", with: "way-") : truth, to: name + "-truth.csv")
      let trace = folder.path(name + ".h5")
      try LocateRoom.succeed(
        "import", table, "--nodes", room + "/nodes.csv", "--truth", places, "-o", trace)
      return trace
    }
    let fitted = folder.path("walks.json")
    try LocateRoom.succeed("fit", walks, "-o", fitted)
    let renamed = try variant("renamed") { row in
      [row[0].replacing("walk-", with: "way-")] + row.dropFirst()
    }
    let weaker = try variant("weaker") { row in
      Array(row[..<4]) + [Int(row[4]).map { String($0 - 3) } ?? ""] + row[5...]
    }
    // Another recording of equal names, among the same nodes: levels of other instants.
    var levels = (lines.dropFirst(lines.count / 2) + lines[1...]).map { $0[4] }[...]
    let other = try variant("other") { row in
      Array(row[..<4]) + [levels.removeFirst()] + row[5...]
    }
    // A third of the readings, among others.
    var (rows, others) = (0, (lines.dropFirst(lines.count / 3) + lines[1...]).map { $0[4] }[...])
    let third = try variant("third") { row in
      rows += 1
      let level = others.removeFirst()
      return Array(row[..<4]) + [rows % 3 == 0 ? row[4] : level] + row[5...]
    }
    func eval(_ arguments: String...) throws -> ProgramResult {
      try runProgram(builtProgram, ["eval"] + arguments + ["--algorithms", "fingerprint,centroid"])
    }
    let refused = try eval(renamed, "--calibration", fitted)
    #expect(refused.exitCode == 65 && refused.error.contains("way-"), "\(refused.error)")
    let shifted = try eval(weaker, "--calibration", fitted)
    #expect(shifted.exitCode == 65 && shifted.error.contains("100.0 %"), "\(shifted.error)")
    let independent = try eval(other, "--calibration", fitted, "--json")
    #expect(try json(independent.output)["in_sample"] as? Bool == false)
    #expect(try json(independent.output)["in_sample_share"] as? Double == 0)
    let survey = try eval(walks, "--calibration", calibration, "--survey", renamed)
    #expect(survey.exitCode == 65 && survey.error.contains("survey"), "\(survey.error)")
    let told = try eval(
      walks, "--calibration", calibration, "--survey", renamed, "--in-sample", "--json")
    #expect(try json(told.output)["in_sample"] as? Bool == true)
    let some = try json(try eval(third, "--calibration", fitted, "--json").output)
    let share = try #require(some["in_sample_share"] as? Double)
    #expect(some["in_sample"] as? Bool == true && abs(share - 0.33) < 0.15, "\(share)")
    #expect(((some["notes"] as? [String]) ?? []).contains { $0.contains("in common") })
    let twice = try eval(walks, renamed, "--calibration", calibration)
    #expect(twice.exitCode == 65 && twice.error.contains("twice"), "\(twice.error)")
  }

  @Test func `draws blocks of time where they are asked for`() throws {
    let common = [
      "--calibration", calibration, "--algorithms", "centroid,weighted-centroid", "--trace",
      "walk-1", "--json",
    ]
    func evaluated(_ more: [String]) throws -> [String: Any] {
      let result = try runProgram(builtProgram, ["eval", walks] + common + more)
      #expect(result.exitCode == 0, "\(result.error)")
      return try json(result.output)
    }
    func median(_ report: [String: Any]) throws -> (value: Double, interval: [Double]?) {
      let scores = try #require(report["algorithms"] as? [[String: Any]])
      let one = try #require(scores.first { $0["name"] as? String == "centroid" })
      return (
        try #require((one["error_m"] as? [String: Any])?["median"] as? Double),
        (one["ci95"] as? [String: Any])?["median"] as? [Double]
      )
    }
    let (whole, cut) = (try evaluated([]), try evaluated(["--interval-blocks", "4s"]))
    #expect(whole["resampled"] as? String == "trace" && whole["interval_block_s"] is NSNull)
    #expect(cut["resampled"] as? String == "block" && cut["interval_block_s"] as? Double == 4)
    #expect(whole["epochs"] as? Int == cut["epochs"] as? Int)
    // One walk has no interval over walks; its errors are the same in blocks.
    let (one, blocks) = (try median(whole), try median(cut))
    #expect(one.interval == nil && one.value == blocks.value)
    let interval = try #require(blocks.interval)
    #expect(interval[0] < one.value && one.value < interval[1])
    // Every block is a trace of tables, and the text has the assumption.
    let seconds = try #require(whole["epochs"] as? Int) * 2
    #expect(cut["traces"] as? Int == (seconds + 3) / 4)
    let page = folder.path("blocks.md")
    let told = try eval(
      "--calibration", calibration, "--algorithms", "centroid", "--interval-blocks", "4s",
      "--report", page)
    #expect(told.exitCode == 0)
    #expect(
      try String(contentsOfFile: page, encoding: .utf8).contains("independent"), "\(told.output)")
    let refused = try eval("--calibration", calibration, "--interval-blocks", "0s")
    #expect(refused.exitCode == 64, "\(refused.error)")
  }

  @Test func `leaves each trace out of the fit that it is scored with`() throws {
    let names = "maximum-likelihood,weighted-centroid"
    let all = try eval(
      "--cross-validate", "traces", "--algorithms", names, "--epoch", "4s", "--height",
      "1", "--json")
    #expect(all.exitCode == 0, "\(all.error)")
    #expect(try json(all.output)["cross_validated"] as? Bool == true)
    let traces = (1...3).map { "walk-\($0)" }
    let fitted = folder.path("others.json")
    let left = "walk-2"
    let series = traces.filter { $0 != left }.flatMap { ["--series", $0] }
    let fit = try runProgram(builtProgram, ["fit", walks, "-o", fitted] + series)
    #expect(fit.exitCode == 0, "\(fit.error)")
    let one = try eval(
      "--calibration", fitted, "--trace", left, "--algorithms", names, "--epoch", "4s", "--height",
      "1", "--json")
    #expect(one.exitCode == 0, "\(one.error)")
    for (name, expected) in try algorithms(one.output) {
      let traces = try #require(try algorithms(all.output)[name]?["traces"] as? [[String: Any]])
      let found = try #require(traces.first { $0["name"] as? String == left })
      #expect(
        try #require(found["error_m"] as? [String: Double])
          == #require(expected["error_m"] as? [String: Double]), "\(name)")
    }
    let single = try eval("--cross-validate", "traces", "--trace", "walk-1")
    #expect(single.exitCode == 65 && single.error.contains("at least 2 traces"), "\(single.error)")
  }

  @Test func `a user's program gets the same questions as the algorithms, and no more`() throws {
    let script = repositoryRoot.appending(path: "docs/nearest_levels.py").path
    let result = try eval(
      "--calibration", calibration, "--algorithms", "weighted-centroid", "--algorithm",
      "exec:python3 \(script)", "--json")
    #expect(result.exitCode == 0, "\(result.error)")
    let scores = try algorithms(result.output)
    let own = try #require(scores["weighted-centroid"]?["error_m"] as? [String: Double])
    let other = try #require(scores["exec:python3 \(script)"])
    let theirs = try #require(other["error_m"] as? [String: Double])
    // The example is the weighted centroid by another road.
    for (key, value) in own { #expect(abs(value - theirs[key]!) < 1e-9, "\(key)") }
    #expect(other["claims"] is [String: Any])
  }

  @Test func `a user's program gets the survey without what is scored`() throws {
    let script = try folder.write(
      """
      import json, sys
      for line in sys.stdin:
          message = json.loads(line)
          if message["kind"] == "site":
              survey = message.get("survey", [])
              heard = {level["anchor"] for point in survey for level in point["levels"]}
              assert heard <= {anchor["anchor"] for anchor in message["anchors"]}
              traces = len({point["trace"] for point in survey})
              print(traces, len(heard) > 3, file=open(sys.argv[1], "a"))
          else:
              print(json.dumps({"x_m": 1, "y_m": 2}), flush=True)
      """, to: "survey.py")
    func told(_ arguments: String...) throws -> Set<String> {
      let log = folder.path("log")
      try? FileManager.default.removeItem(atPath: log)
      let result = try runProgram(
        builtProgram,
        ["eval", walks, "--algorithms", "centroid", "--patience", "60s"] + arguments
          + ["--algorithm", "exec:python3 \(script) \(log)"])
      #expect(result.exitCode == 0, "\(result.error)")
      return try Set(
        String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init))
    }
    // Of three walks, one is scored.
    #expect(try told("--cross-validate", "traces") == ["2 True"])
    #expect(try told("--calibration", calibration) == ["0 False"])
  }

  @Test(arguments: [
    ("exec:exit 3", "crashed"), ("exec:./no-such-program", "crashed"),
    ("exec:sleep 60", "timed-out"), ("exec:yes", "invalid-answer"),
    (answering("{\"x_m\": 1e999, \"y_m\": 2}"), "invalid-answer"),
    (
      answering("{\"x_m\": 1, \"y_m\": 2, \"covariance_m2\": [[1, 2], [2, 1]]}"), "invalid-answer"
    ),
    (answering("{\"refused\": \"tired\"}"), "declined"),
    (answering("{\"refused\": \"too-few-anchors\"}"), "too-few-anchors"),
  ])
  func `a program that fails is counted by the way it fails`(program: String, reason: String) throws
  {
    let result = try eval(
      "--calibration", calibration, "--algorithms", "centroid", "--algorithm", program,
      "--patience",
      // Only what never answers is to run out of it.
      reason == "timed-out" ? "200ms" : "60s", "--json", "--trace", "walk-1")
    #expect(result.exitCode == 0, "\(result.error)")
    let score = try #require(try algorithms(result.output)[program])
    #expect(score["answered"] as? Int == 0)
    let asked = try json(result.output)["epochs"] as? Int
    #expect(score["refused"] as? [String: Int?] == [reason: asked])
  }

  @Test func `the same input gives the same bytes in every form`() throws {
    func write(_ name: String) throws -> [Data] {
      let paths = [".html", ".md", ".csv", ".answers.csv"].map { folder.path(name + $0) }
      // The command line is part of a report: the same one, in a folder of its own.
      let place = folder.path("place")
      try? FileManager.default.removeItem(atPath: place)
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      let reports = paths.map { place + "/r" + $0.dropFirst(folder.path(name).count) }
      let result = try runProgram(
        builtProgram,
        [
          "eval", walks, "--calibration", calibration, "--algorithms",
          "weighted-centroid,maximum-likelihood,grid-filter", "--json", "--trace", "walk-1",
          "--trace", "walk-2", "--epoch", "4s",
        ] + reports.flatMap { ["--report", $0] })
      #expect(result.exitCode == 0, "\(result.error)")
      return try [Data(result.output.utf8)]
        + reports.map { try Data(contentsOf: URL(filePath: $0)) }
    }
    let first = try write("a")
    #expect(first.allSatisfy { $0.count > 200 })
    #expect(try write("b") == first)
  }

  @Test func `a stop leaves an older report as it was, and no other file`() throws {
    let place = folder.path("reports")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let page = place + "/r.html"
    try "older".write(toFile: page, atomically: true, encoding: .utf8)
    let asked = folder.path("asked")
    let program = try RunningProgram(
      builtProgram,
      ["eval", walks, "--calibration", calibration, "--report", page, "--algorithm"]
        + ["exec:while read line; do touch '\(asked)'; done", "--patience", "1h"])
    // Nothing answers: it waits from the first question on.
    #expect(program.waits { FileManager.default.fileExists(atPath: asked) }, "\(program.error)")
    program.send(SIGTERM)
    #expect(program.wait().exitCode == 128 + SIGTERM)
    #expect(try String(contentsOfFile: page, encoding: .utf8) == "older")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place) == ["r.html"])
  }

  @Test(
    arguments: [
      ([], "--cross-validate"),
      (["--calibration", "c", "--cross-validate", "traces"], "do not go together"),
      (["--calibration", "c", "--by", "beacon"], "--by"),
      (["--calibration", "c", "--report", "r.pdf"], ".html"),
      (["--calibration", "c", "--algorithm", "exec: "], "exec:"),
      (["--calibration", "c", "--algorithm", "centroid:degree=1"], "degree"),
      (["--calibration", "c", "--algorithm", "weighted-centroid:degree=x"], "degree"),
      (["--calibration", "c", "--bounds", "1,2,3"], "bounds"),
      (["--cross-validate", "places"], "--epoch stay"),
      (["--calibration", "c", "--dimensions", "4"], "dimensions"),
      (["--calibration", "c", "--height", "low"], "--height"),
      (["--calibration", "c", "--height", "1", "--dimensions", "3"], "--height"),
      (["--calibration", "c", "--clock-offset", "soon"], "--clock-offset"),
      (["--calibration", "c", "--patience", "0s"], "--patience"),
    ] as [([String], String)])
  func `reports problems with its options`(arguments: [String], word: String) throws {
    let result = try runProgram(builtProgram, ["eval", walks] + arguments)
    #expect(result.exitCode == 64, "\(result.error)")
    #expect(result.error.contains(word), "\(result.error)")
  }
}
