import Foundation
import TestSupport
import Testing

@Suite("rssi eval --against")
struct EvalAgainstTests {
  let room: LocateRoom
  let old: String

  init() throws {
    room = try LocateRoom(walks: 4, duration: 20)
    old = room.folder.path("old.json")
    let written = try runProgram(builtProgram, eval + ["--report", old])
    try #require(written.exitCode == 0, "\(written.error)")
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

  @Test func theSameEvaluationIsTheSame() throws {
    for row in try rows(against(old)) {
      #expect(row["effect_m"] as? Double == 0)
      #expect(row["p_adjusted"] as? Double == 1)
      #expect(row["before_m"] as? Double == row["after_m"] as? Double)
    }
  }

  @Test func anErrorThatShrankByAMetreInEveryTraceIsAnEffectOfAMetre() throws {
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

  @Test func algorithmsOfOneAloneAreNamed() throws {
    let other = try against(old, ["--algorithm", "min-max"])
    #expect(other["only_now"] as? [String] == ["min-max"])
    #expect(try rows(other).count == 2)
  }

  @Test func otherSettingsAndTracesAreNoted() throws {
    let result = try runProgram(
      builtProgram, eval + ["--against", old, "--epoch", "1s", "--trace", "walk-1"])
    #expect(result.exitCode == 0)
    #expect(result.error.contains("other settings: epoch 2s there, 1s here"))
    #expect(result.error.contains("4 traces, of which 1 are here"))
  }

  @Test func aPageAndATableShowIt() throws {
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
  func whatIsNoEvaluationIsRefused(_ text: String) throws {
    let file = try room.folder.write(text, to: "other.json")
    let result = try runProgram(builtProgram, eval + ["--against", file])
    #expect(result.exitCode == 65)
    #expect(result.error.contains("this is not an evaluation as JSON"))
  }
}
