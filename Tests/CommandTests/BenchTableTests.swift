import Foundation
import TestSupport
import Testing

/// `scripts/bench_table.py`, which `scripts/bench --json NEW --against OLD` gathers rows with.
struct BenchTableTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// The comparison of a run with an earlier one.
  private func compare(_ rows: [String], with earlier: [String]?) throws -> ProgramResult {
    let lines = try folder.write(rows.joined(separator: "\n") + "\n", to: "rows")
    var arguments = [
      repositoryRoot.appending(path: "scripts/bench_table.py").path, lines,
      folder.path("new.json"),
    ]
    if let earlier {
      arguments.append(
        try folder.write("[\(earlier.joined(separator: ","))]", to: "old.json"))
    }
    return try runPython(
      "import runpy, sys; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')",
      arguments)
  }

  private func row(_ work: String, _ ours: Double, _ unit: String) -> String {
    #"{"work": "\#(work)", "ours": \#(ours), "unit": "\#(unit)"}"#
  }

  @Test("names what became slower or faster, of rates and of times, and fails for the slower")
  func against() throws {
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

  @Test("keeps the last row of each work, and has nothing to say of a first run")
  func gathers() throws {
    let result = try compare([row("import", 8, "M/s"), row("import", 9, "M/s")], with: nil)
    #expect(result.exitCode == 0 && result.output.isEmpty, "\(result.output) \(result.error)")
    let rows =
      try JSONSerialization.jsonObject(
        with: Data(contentsOf: URL(filePath: folder.path("new.json")))) as? [[String: Any]]
    #expect(rows?.map { $0["ours"] as? Double } == [9])
  }
}
