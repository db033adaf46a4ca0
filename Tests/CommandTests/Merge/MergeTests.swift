import Foundation
import TestSupport
import Testing

@Suite("rssi merge, and rssi export of a selection")
struct MergeTests {
  private let folder: TemporaryDirectory
  private let walks: String

  init() throws {
    folder = try TemporaryDirectory()
    let example = repositoryRoot.appending(path: "notebooks-data/example").path
    walks = folder.path("walks.h5")
    try copyPrepared("two walks of the example", to: folder) { folder in
      let result = try rssi(
        "import", "\(example)/walk-1.btsnoop", "\(example)/walk-2.btsnoop", "--receiver", "phone",
        "--nodes", "\(example)/nodes.csv", "--truth", "\(example)/truth.csv", "-o",
        folder.path("walks.h5"))
      #expect(result.exitCode == 0, "\(result.error)")
    }
  }

  private func export(_ arguments: String...) throws -> ProgramResult {
    try runProgram(builtProgram, ["export", walks] + arguments)
  }

  @Test func `more parts than files may be open at first`() throws {
    let parts = folder.url.appending(path: "parts")
    try FileManager.default.createDirectory(at: parts, withIntermediateDirectories: true)
    let slices = 14
    for slice in 0..<slices {
      let (from, to) = (Double(slice) * 1.4, Double(slice + 1) * 1.4)
      let result = try export(
        "--from", "+\(from)s", "--to", slice == slices - 1 ? "+1h" : "+\(to)s", "-o",
        parts.appending(path: "\(slice + 10).h5").path)
      #expect(result.exitCode == 0, "\(result.error)")
    }
    let all = folder.path("all.h5")
    let merged = try runProgram(
      "/bin/sh",
      [
        "-c", "ulimit -S -n 12 && exec \"$@\"", "sh", builtProgram, "merge", parts.path, "-o", all,
      ])
    #expect(merged.exitCode == 0, "\(merged.error)")
    #expect(try sightings(all) == sightings(walks))
  }

  @Test func `parts that were cut by time merge to the whole, also from a folder`() throws {
    let parts = folder.url.appending(path: "parts")
    try FileManager.default.createDirectory(at: parts, withIntermediateDirectories: true)
    for (name, bounds) in [("1", ["--to", "+8s"]), ("2", ["--from", "+8s"])] {
      let result = try runProgram(
        builtProgram,
        ["export", walks] + bounds + ["-o", parts.appending(path: "\(name).h5").path])
      #expect((result.exitCode, result.output, result.error) == (0, "", ""))
    }
    let all = folder.path("all.h5")
    let report = try json(try rssi("merge", parts.path, "-o", all, "--json").output)
    #expect(report["sightings"] as? Int == (try sightings(walks)))
    #expect((report["parts"] as? [[String: Any]])?.count == 2)
    let lines = try [walks, all].map {
      try rssi("export", $0, "--format", "csv").output.split(separator: "\n").sorted()
    }
    #expect(lines[0] == lines[1])
    let folderLines = try rssi("export", parts.path).output.split(separator: "\n")
    #expect(folderLines.count == lines[0].count - 1)
    let packed = try json(try rssi("pack", parts.path, "--json").output)
    #expect((packed["files"] as? [Any])?.count == 2)
    let calibration = try json(
      try rssi("calibrate", parts.path, "--all-beacons", "--distance", "1m", "--json").output)
    #expect((calibration["inputs"] as? [Any])?.count == 2)
    let info = try rssi("info", all).output
    #expect(info.contains("made by       rssi merge \(parts.path) -o \(all) --json"))
  }

  @Test func `a selection by names`() throws {
    let lines = try export("--trace", "walk-2", "--from", "+5s", "--to", "+6s").output
      .split(separator: "\n")
    #expect(!lines.isEmpty && lines.allSatisfy { $0.contains(#""trace":"walk-2""#) })
    let everything = try export().output
    #expect(everything == (try export("--format", "ndjson").output))
    let csv = try export("--beacon", "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:3", "--format", "csv")
    #expect(csv.output.split(separator: "\n").dropFirst().allSatisfy { $0.contains(":1:3,") })
    let selected = folder.path("selected.btsnoop")
    #expect(try export("--trace", "walk-1", "-o", selected).exitCode == 0)
    let count = try export("--trace", "walk-1").output.split(separator: "\n").count
    let report = try rssi("beacons", walks, "--trace", "walk-1").output
    #expect(report.contains("8 devices, \(count) "))
    #expect(try rssi("beacons", selected).output.contains("8 devices, \(count) "))
  }

  @Test func `refusals`() throws {
    let cases: [(arguments: [String], code: Int32, words: String)] = [
      (["--trace", "walk-3"], 65, "traces with sightings: walk-2 ("),
      (["--receiver", "hall"], 65, "receivers: phone"),
      (["--kind", "altbeacon"], 65, "heard: ibeacon"),
      (["--kind", "tag"], 64, "choose from ibeacon"), (["--from", "noon"], 64, "not a time"),
      (["--from", "+2h"], 65, "no sighting matches the whole selection"),
      (["--from", "20", "--to", "10"], 64, "--from 20 is not before --to 10"),
      (["-o", folder.path("x.parquet")], 64, "parquet is not supported"),
      (["-o", folder.path("x")], 64, "has no extension"), (["--json"], 64, "--json"),
      (["-o", "-", "--format", "h5"], 64, "-o writes a file"),
      (["-o", folder.path("x.h5"), "--filtered", "x"], 64, "leave --filtered out"),
    ]
    for (arguments, code, words) in cases {
      let result = try runProgram(builtProgram, ["export", walks] + arguments)
      #expect(result.exitCode == code, "\(arguments): \(result.error)")
      #expect(result.error.contains(words), "\(arguments): \(result.error)")
      #expect(result.output == "")
    }
    #expect(try folder.names() == ["walks.h5"])
  }

  @Test func `unusable inputs leave no file`() throws {
    let output = folder.path("all.h5")
    let part = folder.path("part.h5")
    #expect(try export("--to", "+5s", "-o", part).exitCode == 0)
    let damaged = folder.path("damaged.h5")
    let whole = try Data(contentsOf: URL(filePath: part))
    try whole.prefix(whole.count / 2).write(to: URL(filePath: damaged))
    let table = try folder.write("time_s,receiver,beacon,rssi_dbm\n1,r,b,-60\n", to: "table.csv")
    for (input, code) in [(damaged, 65), (folder.path("missing.h5"), 66), (table, 65), (walks, 65)]
    {
      let result = try rssi("merge", part, input, "-o", output)
      #expect(result.exitCode == Int32(code), "\(input): \(result.error)")
    }
    #expect(try rssi("merge", walks, part, "-o", part).exitCode == 64)
    #expect(try rssi("merge", walks, "-o", "-").exitCode == 64)
    #expect(
      try folder.names().sorted() == ["damaged.h5", "part.h5", "table.csv", "walks.h5"])
  }

  @Test func `locate, eval, fit and info read the traces of a folder`() throws {
    let day = folder.url.appending(path: "day")
    try FileManager.default.createDirectory(at: day, withIntermediateDirectories: true)
    for number in 1...2 {
      let path = day.appending(path: "\(number).h5").path
      #expect(try export("--trace", "walk-\(number)", "-o", path).exitCode == 0)
    }
    let calibration = folder.path("c.json")
    let both = [day.appending(path: "1.h5").path, day.appending(path: "2.h5").path]
    for arguments in [
      ["fit", "-o", calibration, "--quiet"], ["info"],
      ["locate", "--calibration", calibration, "--algorithm", "kalman"],
      ["eval", "--calibration", calibration, "--algorithms", "weighted-centroid", "--in-sample"],
    ] {
      let named = try runProgram(builtProgram, arguments + both)
      let listed = try runProgram(builtProgram, arguments + [day.path])
      #expect(named.exitCode == 0, "\(named.error)")
      #expect(listed.output == named.output)
    }
  }
}
