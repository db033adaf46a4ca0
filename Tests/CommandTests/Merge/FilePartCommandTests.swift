import Foundation
import TestSupport
import Testing

/// The results of merged parts and of one process, compared byte for byte.
@Suite("Parts of files") struct FilePartCommandTests {
  private let folder: TemporaryDirectory
  private let example = repositoryRoot.appending(path: "notebooks-data/example").path

  init() throws { folder = try TemporaryDirectory() }

  private func run(_ arguments: [String]) throws -> String {
    let result = try runProgram(builtProgram, arguments + ["-q"])
    #expect(result.exitCode == 0, "\(arguments): \(result.error)")
    return result.output
  }

  /// Three traces with truth and a table of distances.
  private func traces() throws -> [String] {
    try copyPrepared("three short walks among four beacons", to: folder) { folder in
      for seed in 1...3 {
        let room = folder.path("room\(seed)")
        _ = try run([
          "simulate", "--model", "simple", "-o", room, "--walks", "1", "--duration", "5",
          "--beacons", "4", "--seed", "\(seed)",
        ])
        let tables = ["--nodes", room + "/nodes.csv", "--truth", room + "/truth.csv"]
        _ = try run(["import", room + "/rssi.csv", "-o", folder.path("t\(seed).h5")] + tables)
      }
    }
    return (1...3).map { folder.path("t\($0).h5") } + [folder.path("room1/distances.csv")]
  }

  /// Compares the output and the file of a command from one process, from parts by name and from
  /// shares.
  private func compare(
    _ command: [String], _ files: [String], outputs: [[String]] = [[], ["--json"]]
  ) throws {
    let parts = [folder.path("1.part"), folder.path("2.part")]
    _ = try run(command + [files[2], files[0]] + ["--part", parts[0]])
    _ = try run(command + [files[1]] + files[3...] + ["--part", parts[1]])
    let shares = (1...3).map { folder.path("\($0).share") }
    for (index, share) in shares.enumerated() {
      _ = try run(command + files + ["--part", share, "--share", "\(index + 1)/3"])
    }
    #expect(
      try run(command + files.reversed() + outputs[1]) == run(command + files + outputs[1]))
    for output in outputs {
      let whole = try run(command + files + output)
      #expect(whole.count > 100)
      let merge = [command[0], "--merge"]
      #expect(try run(merge + parts.reversed() + output) == whole, "\(command) \(output)")
      #expect(try run(merge + shares.reversed() + output) == whole, "\(command) \(output)")
    }
  }

  @Test func `a list of devices`() throws {
    let files = (1...4).map { "\(example)/walk-\($0).btsnoop" } + ["\(example)/distances.csv"]
    let csv = ["--format", "csv", "--sort", "rssi"]
    try compare(["beacons"], files, outputs: [[], ["--json"], csv])
    try compare(["beacons", "--kind", "ibeacon", "--to", "+10s"], files)
  }

  @Test(arguments: [
    ["--by", "link", "--estimator", "tukey"], ["--by", "series", "--per-position", "median"],
    ["--model", "hierarchical"], ["--bootstrap", "100", "--distance-at", "-75"],
    ["--estimator", "truncated", "--by", "receiver"],
  ])
  func `a fit`(options: [String]) throws {
    try compare(["fit"] + options, traces(), outputs: [[], ["--json"], ["-o", "-"]])
  }

  @Test func `a fit with walls`() throws {
    let traces = Array(try traces().prefix(3))
    let wall = "[[walls]]\nkind = \"brick\"\npoints = [[6, 0], [6, 8]]\n"
    let site = try folder.write(wall, to: "site.toml")
    try compare(["fit", "--site", site, "--model", "walls"], traces)
  }

  @Test func `a fit weighted by variances of filtered levels`() throws {
    let filtered = try traces().prefix(3).enumerated().map { index, trace in
      let output = folder.path("f\(index).h5")
      _ = try run(["filter", trace, "--filter", "kalman", "-o", output])
      return output
    }
    try compare(["fit", "--filtered", "kalman", "--estimator", "weighted"], filtered)
  }

  /// Parts have no times, which the picture of their merge notes.
  @Test func `parts of a fit have no residuals against time`() throws {
    let trace = try traces()[0]
    let (part, picture) = (folder.path("1.part"), folder.path("fit.svg"))
    _ = try run(["fit", trace, "--part", part])
    let merged = try rssi("fit", "--merge", part, "--picture", picture)
    #expect(merged.exitCode == 0)
    #expect(merged.error.contains("no residuals"), "\(merged.error)")
    #expect(FileManager.default.fileExists(atPath: picture))
  }

  @Test func `a comparison of filters`() throws {
    let traces = try traces().prefix(3)
    try compare(["filter", "--compare", "kalman,rts,median"], Array(traces))
    // Of one trace each, the counts are those of the whole.
    let whole = try json(run(["filter", "--compare", "median", "--json"] + traces))
    let single = try traces.map {
      try json(run(["filter", "--compare", "median", "--json", $0]))["sightings"] as? Int
    }
    #expect(whole["sightings"] as? Int == single.compactMap(\.self).reduce(0, +))
  }

  @Test func `are refused by name, and nothing is written`() throws {
    let (table, part) = (example + "/distances.csv", folder.path("a.part"))
    let none = folder.path("none")
    _ = try run(["fit", table, "--part", part])
    let (bench, walk, stay) = (folder.path("bench.h5"), try traces()[0], folder.path("stay.part"))
    _ = try run(["import", table, "-o", bench])
    _ = try run(["filter", bench, "--compare", "mean", "--part", stay])
    for (arguments, code, words) in [
      (["fit", "--merge", part, part], 65, "are the same file"),
      (["fit", "--merge", part, table], 65, "not a part of a fit"),
      (["fit", "--merge", part, "--by", "link"], 64, "--by does not go"),
      (["fit", part], 65, "is a calibration"),
      (["fit", table, "--part", none, "-o", none + ".json"], 64, "-o does not go"),
      (["fit", table, "--part", table], 64, "are the same file"),
      (["fit", "-", "--part", none], 64, "import the stream first"),
      (["fit", table, "--share", "1/2"], 64, "--share goes with"),
      (["fit", table, "--part", none, "--share", "3/2"], 64, "--share 3/2"),
      (["beacons", "--merge", part], 65, "not of a list"),
      (["beacons", "--merge", part, "--to", "+1s"], 64, "--to does not go"),
      (["filter", bench, walk, "--compare", "mean"], 65, "one kind of truth"),
      (["filter", bench, walk, "-o", none], 64, "one trace"),
      (["filter", bench, "--part", none, "-o", none + ".h5"], 64, "go with --compare"),
      (["filter", "--merge", stay, "--settling", "2"], 64, "--settling does not"),
      (["filter", "--merge", stay, stay], 65, "are the same file"),
      (["filter", "--merge", part], 65, "not of a comparison"),
      (["filter", walk, bench, "--compare", "mean", "--picture", none + ".svg"], 64, "one trace"),
    ] {
      let result = try runProgram(builtProgram, arguments)
      #expect(
        result.exitCode == code && result.error.contains(words), "\(arguments): \(result.error)")
    }
    for file in [none, none + ".json", none + ".h5"] {
      #expect(!FileManager.default.fileExists(atPath: file))
    }
  }
}
