import Foundation
import TestSupport
import Testing

@Suite("rssi eval --against")
struct EvalAgainstTests {
  let room: LocateRoom
  let old: String

  init() throws {
    room = try LocateRoom(walks: 4, duration: 10)
    old = room.folder.path("old.json")
    try copyPrepared("evaluation of 4 walks of 10 s", to: room.folder) { folder in
      let written = try runProgram(
        builtProgram, eval + ["--report", folder.path("old.json")])
      try #require(written.exitCode == 0, "\(written.error)")
    }
  }

  private var eval: [String] {
    ["eval", room.walks, "--calibration", room.calibration, "--algorithms", "kalman,centroid"]
  }

  private func against(_ file: String, _ arguments: [String] = []) throws -> [String: Any] {
    let result = try runProgram(
      builtProgram, eval + ["--against", file, "--json", "--quiet"] + arguments)
    try #require(result.exitCode == 0, "\(result.error)")
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    return try #require(json["against"] as? [String: Any])
  }

  private func rows(_ against: [String: Any]) throws -> [[String: Any]] {
    try #require(against["algorithms"] as? [[String: Any]])
  }

  /// The old evaluation with another median in each trace.
  private func changed(_ change: (Double) -> Double) throws -> String {
    var json = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: old))) as? [String: Any])
    var algorithms = try #require(json["algorithms"] as? [[String: Any]])
    for index in algorithms.indices {
      var traces = try #require(algorithms[index]["traces"] as? [[String: Any]])
      for trace in traces.indices {
        var errors = try #require(traces[trace]["error_m"] as? [String: Any])
        errors["median"] = change(try #require(errors["median"] as? Double))
        traces[trace]["error_m"] = errors
      }
      algorithms[index]["traces"] = traces
    }
    json["algorithms"] = algorithms
    let path = room.folder.path("changed.json")
    try JSONSerialization.data(withJSONObject: json).write(to: URL(filePath: path))
    return path
  }

  @Test func `the same evaluation is the same`() throws {
    for row in try rows(against(old)) {
      #expect(row["effect_m"] as? Double == 0)
      #expect(row["p_adjusted"] as? Double == 1)
      #expect(row["before_m"] as? Double == row["after_m"] as? Double)
    }
  }

  @Test func `an error that shrank by a metre in every trace is an effect of a metre`() throws {
    let rows = try rows(against(changed { $0 + 1 }))
    #expect(rows.count == 2)
    for row in rows {
      #expect(abs((row["effect_m"] as? Double ?? .nan) + 1) < 1e-9)
      #expect(row["common_traces"] as? Int == 4)
      // All signs of four traces alike: 2 of 16; of two algorithms by Holm.
      #expect(abs((row["p_adjusted"] as? Double ?? .nan) - 0.25) < 1e-12)
      #expect(row["significant"] as? Bool == false)
    }
  }

  @Test func `algorithms of one alone are named`() throws {
    let other = try against(old, ["--algorithm", "min-max"])
    #expect(other["only_now"] as? [String] == ["min-max"])
    #expect(try rows(other).count == 2)
  }

  /// A setting that changes what is asked, as this evaluation and the old one have it.
  @Test(arguments: [
    (["--epoch", "1s"], "--epoch 2s there, 1s"),
    (["--window", "4s"], "the epoch there, 4s"),
    (["--truth-at", "end"], "--truth-at middle"),
    (["--clock-offset", "300ms"], "0s there, 300ms"),
    (["--clock-offset", "estimate"], "0s there, estimate"),
    (["--interval-blocks", "5s"], "no there, 5s here"),
  ])
  func `an evaluation that asks other questions is refused before it is made`(
    _ options: [String], _ difference: String
  ) throws {
    let result = try runProgram(builtProgram, eval + ["--against", old] + options)
    #expect(result.exitCode == 65)
    #expect(result.output.isEmpty)
    #expect(result.error.contains(difference), "\(result.error)")
    #expect(result.error.contains("or write \(old) "))
    #expect(result.error.contains(options.joined(separator: " ")))
  }

  @Test func `several differences are all named, with the options of either side`() throws {
    let result = try runProgram(
      builtProgram, eval + ["--against", old, "--truth-at", "end", "--window", "4s"])
    #expect(result.exitCode == 65)
    for words in [
      "without --window and", "--truth-at middle, or", "--window 4s and", "--truth-at end",
    ] {
      #expect(result.error.contains(words), "\(result.error)")
    }
  }

  @Test func `cross-validated and in-sample evaluations are compared with their like`() throws {
    let cross = [
      "eval", room.walks, "--cross-validate", "traces", "--algorithms", "kalman,centroid",
      "--trace", "walk-1", "--trace", "walk-2",
    ]
    let refused = try runProgram(builtProgram, cross + ["--against", old])
    #expect(refused.exitCode == 65)
    #expect(refused.error.contains("--cross-validate no"))
    #expect(refused.error.contains("evaluate now without"))
    let crossed = room.folder.path("crossed.json")
    try #require(try runProgram(builtProgram, cross + ["--report", crossed]).exitCode == 0)
    // Estimators are what is compared.
    let same = try runProgram(
      builtProgram, cross + ["--against", crossed, "--estimator", "huber", "--quiet"])
    #expect(same.exitCode == 0, "\(same.error)")
    let own = room.folder.path("own.json")
    try #require(
      try runProgram(builtProgram, ["fit", room.walks, "-o", own, "--quiet"]).exitCode == 0)
    let inSample = try runProgram(
      builtProgram,
      ["eval", room.walks, "--calibration", own, "--in-sample", "--against", old])
    #expect(inSample.exitCode == 65)
    #expect(inSample.error.contains("--in-sample no there"))
  }

  @Test func `a filter changes the truth that counts by default, which is named`() throws {
    let smooth = room.folder.path("smooth.h5")
    try #require(
      try rssi("filter", room.walks, "-o", smooth, "--filter", "median").exitCode == 0)
    let filtered = [
      "eval", smooth, "--filtered", "median", "--calibration", room.calibration, "--algorithms",
      "kalman,centroid",
    ]
    let refused = try runProgram(builtProgram, filtered + ["--against", old])
    #expect(refused.exitCode == 65)
    #expect(refused.error.contains("--truth-at middle"))
    // The levels are what is compared: noted, not refused.
    let result = try runProgram(
      builtProgram, filtered + ["--against", old, "--truth-at", "middle"])
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(result.error.contains("levels: raw, now median"))
  }

  @Test func `one time in other units is the same`() throws {
    let result = try runProgram(
      builtProgram, eval + ["--against", old, "--epoch", "2000ms", "--window", "2s"])
    #expect(result.exitCode == 65)
    #expect(!result.error.contains("--epoch"))
    #expect(try against(old, ["--epoch", "2000ms", "--clock-offset", "0ms"]).isEmpty == false)
  }

  @Test func `a file of an earlier version is compared by the settings that it has`() throws {
    var json = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: old))) as? [String: Any])
    for key in ["window", "clock_offset", "cross_validation"] { json[key] = nil }
    let path = room.folder.path("earlier.json")
    try JSONSerialization.data(withJSONObject: json).write(to: URL(filePath: path))
    #expect(try rows(against(path, ["--clock-offset", "10ms"])).count == 2)
    #expect(
      try runProgram(builtProgram, eval + ["--against", path, "--truth-at", "end"]).exitCode == 65)
  }

  @Test func `the parts of an evaluation are compared as a whole`() throws {
    let part = room.folder.path("part.ndjson")
    try #require(
      try runProgram(builtProgram, eval + ["--epoch", "1s", "--part", part, "--share", "1/1"])
        .exitCode == 0)
    let result = try rssi("eval", "--merge", part, "--against", old)
    #expect(result.exitCode == 65)
    #expect(result.error.contains("--epoch 2s there, 1s"), "\(result.error)")
  }

  @Test func `other traces, and other truth, are noted`() throws {
    let result = try runProgram(
      builtProgram, eval + ["--against", old, "--trace", "walk-1"])
    #expect(result.exitCode == 0)
    #expect(result.error.contains("1 of 4 traces is in this evaluation"))
    var json = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: old))) as? [String: Any])
    var algorithms = try #require(json["algorithms"] as? [[String: Any]])
    for index in algorithms.indices {
      var traces = try #require(algorithms[index]["traces"] as? [[String: Any]])
      traces[0]["epochs"] = 3
      algorithms[index]["traces"] = traces
    }
    json["algorithms"] = algorithms
    let path = room.folder.path("fewer.json")
    try JSONSerialization.data(withJSONObject: json).write(to: URL(filePath: path))
    let fewer = try runProgram(builtProgram, eval + ["--against", path])
    #expect(fewer.exitCode == 0)
    #expect(fewer.error.contains("\(path): 1 trace has another"))
  }

  @Test func `a page and a table show it`() throws {
    let (page, table) = (room.folder.path("r.html"), room.folder.path("r.md"))
    let result = try runProgram(
      builtProgram, eval + ["--against", old, "--report", page, "--report", table])
    #expect(result.exitCode == 0)
    #expect(result.output.contains("the same"))
    #expect(try String(contentsOfFile: page, encoding: .utf8).contains("id=\"changes\""))
    #expect(
      try String(contentsOfFile: table, encoding: .utf8).contains("## Since an earlier evaluation"))
  }

  @Test(arguments: ["{}", "[1, 2]", "not JSON", "{\"algorithms\": 1}"])
  func `files that are not evaluations are refused`(_ text: String) throws {
    let file = try room.folder.write(text, to: "other.json")
    let result = try runProgram(builtProgram, eval + ["--against", file])
    #expect(result.exitCode == 65)
    #expect(result.error.contains("evaluation as JSON"))
  }
}
