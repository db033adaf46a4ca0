import Foundation
import TestSupport
import Testing

@Suite("rssi eval in parts")
struct EvalPartTests {
  let room: LocateRoom

  init() throws { room = try LocateRoom(walks: 4, duration: 6) }

  private func eval(_ arguments: [String]) throws -> ProgramResult {
    try runProgram(builtProgram, ["eval"] + arguments)
  }

  private func path(_ name: String) -> String { room.folder.path(name) }

  /// The JSON, the report and the answers of an evaluation.
  private func documents(_ arguments: [String], _ name: String) throws -> [Data] {
    let files = ["html", "md", "csv", "answers.csv"].map { path("\(name).\($0)") }
    let result = try eval(arguments + ["--json"] + files.flatMap { ["--report", $0] })
    #expect(result.exitCode == 0, "\(result.error)")
    return [Data(result.output.utf8)] + (try files.map { try Data(contentsOf: URL(filePath: $0)) })
  }

  @Test(arguments: [
    ["--cross-validate", "traces", "--algorithms", "centroid,fingerprint,kalman"],
    ["--calibration", "c.json", "--algorithms", "centroid,kalman", "--interval-blocks", "3s"],
    [
      "--cross-validate", "traces", "--filtered", "all", "--algorithms", "centroid",
      "--algorithm", "particle-filter:particles=20",
    ],
    [
      "--calibration", "c.json", "--clock-offset", "estimate", "--dimensions", "3",
      "--algorithms", "maximum-likelihood,nearest-anchor",
    ],
  ])
  func `gives the bytes of one process`(options: [String]) throws {
    let options = options.map { $0 == "c.json" ? room.calibration : $0 }
    if options.contains("--filtered") {
      try LocateRoom.succeed("filter", room.walks, "-o", room.walks, "--filter", "median")
    }
    let single = try documents([room.walks] + options, "single")
    for (number, choice) in [
      ["--share", "1/3"], ["--share", "2/3"], ["--share", "3/3"],
    ].enumerated() {
      let part = try eval([room.walks] + options + ["--part", path("\(number).part")] + choice)
      #expect(part.exitCode == 0, "\(part.error)")
    }
    let parts = [2, 0, 1].map { path("\($0).part") }
    #expect(try documents(["--merge"] + parts, "merged") == single)
    let traces = ["walk-1,walk-4", "walk-2", "walk-3"].enumerated().map { number, names in
      (
        path("\(number).traces"),
        names.split(separator: ",").flatMap { ["--trace", String($0)] }
      )
    }
    for (file, names) in traces {
      let part = try eval([room.walks] + options + names + ["--part=\(file)", "-q"])
      #expect(part.exitCode == 0, "\(part.error)")
    }
    #expect(try documents(["--merge"] + traces.map(\.0), "again") == single)
  }

  @Test func `refuses what it cannot answer or merge, and writes nothing`() throws {
    let common = [room.walks, "--calibration", room.calibration, "--algorithms", "centroid"]
    let part = path("a.part")
    #expect(try eval(common + ["--part", part, "--share", "1/2"]).exitCode == 0)
    for (arguments, code, words) in [
      (common + ["--part", path("x")], 64, "--share 1/8"),
      (common + ["--part", path("x"), "--share", "0/2"], 64, "--share 0/2"),
      (common + ["--part", path("x"), "--share", "1/2/3"], 64, "--share 1/2/3"),
      (common + ["--part", path("x"), "--trace", "walk-9"], 65, "walk-9"),
      (common + ["--part", path("x"), "--share", "1/2", "--report", path("r.md")], 64, "--report"),
      (common + ["--share", "1/2"], 64, "--part"),
      (common + ["--part", room.walks, "--share", "1/2"], 64, "same file"),
      (["--merge", part], 65, "2 of 4 folds are missing: walk-2, walk-4"),
      (["--merge", part, part], 65, "more than once"),
      (["--merge", part, "--trace", "walk-1"], 64, "--trace"),
      (["--merge", room.calibration], 65, "not a part"),
      (["--merge", room.walks], 65, "not a part"),
      (["--merge", path("none")], 66, "none"),
    ] {
      let result = try eval(arguments)
      #expect(
        result.exitCode == code && result.error.contains(words), "\(arguments): \(result.error)")
    }
    #expect(!FileManager.default.fileExists(atPath: path("x")))
  }
}
