import Foundation
import TestSupport
import Testing

/// The tables of an evaluation of walks on two floors.
private struct ClimbedStairs {
  /// An answer of the filter.
  struct Answer {
    var time: Double
    var floor: String
    var truth: String
    /// The distance to the nearer stairs, in metres.
    var distance: Double
  }

  var answers: [String: [Answer]] = [:]
  /// The start and the end of each climb with the floor that it leads to, by walk.
  var climbs: [String: [(start: Double, end: Double, floor: String)]] = [:]

  init(answers path: String, truth: String) throws {
    for row in tableRows(try String(contentsOfFile: path, encoding: .utf8)) {
      let x = try Double(#require(row["x_m"])) ?? .nan
      let y = try Double(#require(row["y_m"])) ?? .nan
      let stairs = [0.5, 29.5].map { ((x - $0) * (x - $0) + (y - 7.5) * (y - 7.5)).squareRoot() }
      answers[try #require(row["trace"]), default: []].append(
        Answer(
          time: try Double(#require(row["instant_s"])) ?? .nan, floor: row["floor"] ?? "",
          truth: row["truth_floor"] ?? "", distance: min(stairs[0], stairs[1])))
    }
    let marks = tableRows(try String(contentsOfFile: truth, encoding: .utf8))
    for (from, to) in zip(marks, marks.dropFirst())
    where from["trace"] == to["trace"] && from["floor"] != to["floor"] {
      climbs[to["trace"] ?? "", default: []].append(
        (
          Double(from["time_s"] ?? "") ?? .nan, Double(to["time_s"] ?? "") ?? .nan,
          to["floor"] ?? ""
        ))
    }
  }

  var rightShare: Double {
    let all = answers.values.joined()
    return Double(all.count { $0.floor == $0.truth }) / Double(all.count)
  }

  /// The climbs that no other follows within 6 s, and those of them after which an answer has the
  /// right floor within 6 s.
  var found: (climbs: Int, inTime: Int) {
    var (count, inTime) = (0, 0)
    for (walk, climbs) in climbs {
      for (index, climb) in climbs.enumerated() {
        if index + 1 < climbs.count, climbs[index + 1].start < climb.end + 6 { continue }
        let later = (answers[walk] ?? []).filter { (climb.end...climb.end + 6).contains($0.time) }
        guard !later.isEmpty else { continue }
        count += 1
        if later.contains(where: { $0.floor == climb.floor }) { inTime += 1 }
      }
    }
    return (count, inTime)
  }

  /// The changes of the answered floor: the smaller distance to stairs of both answers, and true if
  /// there is no climb at that time.
  var changes: [(distance: Double, isFalse: Bool)] {
    answers.flatMap { walk, answers in
      zip(answers, answers.dropFirst()).filter { $0.floor != $1.floor }.map { before, after in
        (
          min(before.distance, after.distance),
          !(climbs[walk] ?? []).contains { ($0.start...$0.end + 6).contains(after.time) }
        )
      }
    }
  }
}

@Suite("Simulated stairs")
struct SimulatedStairsTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// 16 walks of 150 s, scored in four folds.
  @Test func `a site file with stairs leads the filter over them`() throws {
    let house = folder.path("house")
    try LocateRoom.succeed(
      "simulate", "--floors", "2", "--room", "30x15", "--interval", "1", "--walks", "16",
      "--duration", "150", "-o", house)
    let walks = folder.path("walks.h5")
    let imported = try runProgram(
      builtProgram,
      ["import"] + (1...16).map { "\(house)/walk-\($0).btsnoop" } + [
        "--receiver", "phone", "--truth", house + "/truth.csv", "-o", walks,
      ])
    try #require(imported.exitCode == 0, "\(imported.error)")
    func climbed(_ arguments: String...) throws -> ClimbedStairs {
      let answers = folder.path("\(arguments.count).answers.csv")
      let result = try runProgram(
        builtProgram,
        [
          "eval", walks, "--cross-validate", "traces", "--folds", "4", "--algorithms",
          "grid-filter:map=yes", "--report", answers,
        ] + arguments)
      #expect(result.exitCode == 0, "\(result.error)")
      return try ClimbedStairs(answers: answers, truth: house + "/truth.csv")
    }
    let (known, unknown) = (try climbed("--site", house + "/site.toml"), try climbed())
    #expect(known.rightShare >= unknown.rightShare && known.rightShare > 0.95)
    for stairs in [known, unknown] {
      #expect(stairs.found.climbs > 20)
      #expect(Double(stairs.found.inTime) >= 0.9 * Double(stairs.found.climbs))
      // 16 walks of 150 s are 40 minutes.
      #expect(stairs.changes.count { $0.isFalse } <= Int(0.3 * 40))
    }
    // People enter stairs up to 4 m from their ends, and places have an error.
    #expect(known.changes.count { $0.distance <= 6 } >= known.changes.count * 9 / 10)
    #expect(
      try #require(known.changes.map(\.distance).max())
        <= #require(unknown.changes.map(\.distance).max()))

    let survey = [walks, "--survey", walks, "--algorithm", "grid-filter:map=yes", "-o", "-"]
    let located = try runProgram(
      builtProgram, ["locate"] + survey + ["--site", house + "/site.toml", "--trace", "walk-1"])
    #expect(located.exitCode == 0, "\(located.error)")
    #expect(located.output.contains("\"floor\":\"F2\""))
  }

  @Test func `the site file has each floor, and stairs between neighbours`() throws {
    let house = folder.path("house")
    try LocateRoom.succeed(
      "simulate", "--floors", "3", "--walks", "1", "--duration", "5", "--storey-height", "4", "-o",
      house)
    let check = try runPython(
      """
      import sys, tomllib
      site = tomllib.load(open(sys.argv[1], 'rb'))
      assert [(f['name'], f['height_m'], f['shift']) for f in site['floors']] == [
          ('F1', 0, [0, 0]), ('F2', 4, [0, 0]), ('F3', 8, [0, 0])]
      assert all(f['outline'] == [[0, 0], [12, 0], [12, 8], [0, 8]] for f in site['floors'])
      assert all(c['kind'] == 'stairs' for c in site['connections'])
      assert [c['ends'] for c in site['connections']] == [
          [[low, x, 4], [high, x, 4]] for low, high in (('F1', 'F2'), ('F2', 'F3')) for x in (0.5, 11.5)]
      """, [house + "/site.toml"])
    #expect(check.exitCode == 0, "\(check.error)")
    let room = folder.path("room")
    try LocateRoom.succeed("simulate", "--walks", "1", "--duration", "5", "-o", room)
    #expect(!FileManager.default.fileExists(atPath: room + "/site.toml"))
  }
}
