import Foundation
import TestSupport
import Testing

/// `scripts/bench/table.py`, by which `scripts/bench/run --against OLD` compares runs, with a
/// benchmark that prints rows of a file.
struct BenchTableTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func bench(_ arguments: [String]) throws -> ProgramResult {
    let benchmark = try folder.write(
      """
      #!/usr/bin/env bash
      # The next line of the rows of the programs that are measured.
      programs=${RSSI_BENCH_PROGRAMS:-\(folder.path("new"))}
      count=$(cat "$programs/count" 2>/dev/null || echo 0)
      echo $((count + 1)) > "$programs/count"
      echo "$programs" >> \(folder.path("order"))
      lines=$(wc -l < "$programs/rows")
      sed -n "$((count % lines + 1))p" "$programs/rows" | tr ';' '\\n' >> "$RSSI_BENCH_ROWS"
      """, to: "bench", permissions: 0o755)
    return try runProgram(
      "/usr/bin/env",
      ["python3", repositoryRoot.appending(path: "scripts/bench/table.py").path, benchmark]
        + arguments)
  }

  /// Programs that take the times of some rows: one element per run.
  private func programs(_ name: String, _ runs: [[String]]) throws -> String {
    try FileManager.default.createDirectory(
      atPath: folder.path(name), withIntermediateDirectories: true)
    _ = try folder.write("", to: "\(name)/rssi")
    _ = try folder.write(
      runs.map { $0.joined(separator: ";") }.joined(separator: "\n") + "\n", to: "\(name)/rows")
    return folder.path(name)
  }

  /// The comparison of a run with an earlier one.
  private func compare(
    _ rows: [String], with earlier: [String], _ options: [String] = []
  ) throws -> ProgramResult {
    _ = try programs("new", [rows])
    let old = try folder.write("[\(earlier.joined(separator: ","))]", to: "old.json")
    return try bench(["--json", folder.path("new.json"), "--against", old] + options)
  }

  private func row(_ work: String, _ ours: Double, _ unit: String) -> String {
    #"{"work": "\#(work)", "ours": \#(ours), "unit": "\#(unit)"}"#
  }

  @Test func `names what became slower or faster, of rates and of times`() throws {
    let result = try compare(
      [
        row("import", 8, "M/s"), row("map", 0.5, "s"), row("fit", 10.5, "ms"), row("new", 1, "s"),
      ],
      with: [row("import", 10, "M/s"), row("map", 1, "s"), row("fit", 10, "ms")])
    #expect(result.exitCode == 1)
    let lines = result.output.split(separator: "\n").filter { !$0.hasPrefix("Against") }
    #expect(lines.count == 2, "\(result.output) \(result.error)")
    #expect(
      lines.first?.hasPrefix("import") == true && lines.first?.contains("1.25 × slower") == true)
    #expect(lines.last?.hasPrefix("map") == true && lines.last?.contains("2.00 × faster") == true)
  }

  @Test func `a threshold decides what is listed, and what fails`() throws {
    let (new, old) = (
      [row("fit", 10.7, "ms"), row("import", 9.3, "M/s")],
      [row("fit", 10, "ms"), row("import", 10, "M/s")]
    )
    let usual = try compare(new, with: old)
    #expect(usual.exitCode == 0 && usual.output.contains("nothing changed"))
    let strict = try compare(new, with: old, ["--threshold", "5%"])
    #expect(strict.exitCode == 1)
    #expect(strict.output.contains("by more than 5 %"))
    #expect(strict.output.contains("1.07 × slower") && strict.output.contains("1.08 × slower"))
    #expect(try compare(new, with: old, ["--threshold", "7.6%"]).exitCode == 0)
    for wrong in ["5", "0%", "x%", "-5%"] {
      let refused = try compare(new, with: old, ["--threshold=\(wrong)"])
      #expect(refused.exitCode == 2 && refused.error.contains("such as 5%"))
    }
  }

  @Test func `the medians of several runs count`() throws {
    _ = try programs("new", [10, 90, 11, 10, 12].map { [row("fit", $0, "ms")] })
    let old = try folder.write("[\(row("fit", 10.8, "ms"))]", to: "old.json")
    let result = try bench(
      ["--json", folder.path("new.json"), "--against", old, "--threshold", "5%", "--runs", "5"])
    #expect(result.exitCode == 0, "\(result.output) \(result.error)")
    #expect(result.output.contains("medians of 5 runs"))
    #expect(try figures() == [11])
    let refused = try bench(["--runs", "0"])
    #expect(refused.exitCode == 2 && refused.error.contains("at least 1 run"))
  }

  @Test func `an earlier build runs in turn, each as often the first`() throws {
    let new = try programs(
      "new", [[row("fit", 12, "ms")], [row("fit", 11, "ms")], [row("fit", 30, "ms")]])
    let old = try programs("old", [[row("fit", 10, "ms")]])
    let result = try bench([
      "--against", old, "--threshold", "5%", "--runs", "3", "filters", "1000",
    ])
    #expect(result.exitCode == 1)
    #expect(result.output.contains("1.20 × slower"), "\(result.output) \(result.error)")
    let order = try String(contentsOfFile: folder.path("order"), encoding: .utf8)
    #expect(order.split(separator: "\n").map(String.init) == [old, new, new, old, old, new])
  }

  @Test func `a path that is neither rows nor a build is refused before anything runs`() throws {
    _ = try programs("new", [[row("fit", 12, "ms")]])
    for old in [
      folder.path("absent.json"), try folder.write("no rows", to: "x.json"), folder.url.path,
    ] {
      let result = try bench(["--against", old])
      #expect(result.exitCode == 2 && result.error.contains("--against"))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("order")))
  }

  @Test func `keeps the last row of each work, and compares nothing in a first run`() throws {
    _ = try programs("new", [[row("import", 8, "M/s"), row("import", 9, "M/s")]])
    let result = try bench(["--json", folder.path("new.json")])
    #expect(result.exitCode == 0 && result.output.isEmpty, "\(result.output) \(result.error)")
    #expect(try figures() == [9])
  }

  private func figures() throws -> [Double]? {
    let rows =
      try JSONSerialization.jsonObject(
        with: Data(contentsOf: URL(filePath: folder.path("new.json")))) as? [[String: Any]]
    return rows?.compactMap { $0["ours"] as? Double }
  }
}
