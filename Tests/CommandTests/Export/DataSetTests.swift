import Foundation
import TestSupport
import Testing

@Suite("A folder of traces as a data set") struct DataSetTests {
  @Test func `is read by DuckDB and pandas as docs/trace-format.md shows`() throws {
    let folder = try TemporaryDirectory()
    let files = FileManager.default
    try files.createDirectory(atPath: folder.path("traces"), withIntermediateDirectories: false)
    let example = repositoryRoot.appending(path: "notebooks-data/example")
    for name in ["walk-1", "walk-2"] {
      let made = try runProgram(
        builtProgram,
        [
          "import", example.appending(path: "\(name).btsnoop").path, "--receiver", "phone", "-o",
          folder.path("traces/\(name).h5"),
        ])
      try #require(made.exitCode == 0, "\(made.error)")
    }
    let page = try String(
      contentsOf: repositoryRoot.appending(path: "docs/trace-format.md"), encoding: .utf8)
    let recipe = try #require(page.components(separatedBy: "### Many traces").dropFirst().first)
      .components(separatedBy: "```python\n").dropFirst().prefix(2)
      .map { $0.components(separatedBy: "```")[0] }
    let printed = """
      table = duckdb.sql("SELECT beacon, count(*), median(rssi_dbm) FROM 'parquet/*.parquet' GROUP BY beacon")
      print("found", *(f"{b} {n} {m}" for b, n, m in sorted(table.fetchall())), sep="\\n")
      whole = pd.read_parquet("parquet")
      print(len(whole), *sorted(whole.trace.unique()))
      """
    let result = try runProgram(
      pythonPath, ["-c", recipe.joined(separator: "\n") + "\n" + printed], directory: folder.url,
      environment: ["PYTHONPATH": repositoryRoot.appending(path: "python").path])
    try #require(result.exitCode == 0, "\(result.error)")

    let listed = try runProgram(builtProgram, ["beacons", folder.path("traces"), "--json"])
    let devices = try #require(try json(listed.output)["devices"] as? [[String: Any]])
    let expected = try devices.map { device in
      let levels = try #require(device["rssi_dbm"] as? [String: Any])
      return "\(try #require(device["beacon"] as? String)) "
        + "\(try #require(device["sightings"] as? Int)) "
        + "\(try #require(levels["median"] as? Double))"
    }.sorted()
    let lines = result.output.split(separator: "\n").map(String.init)
    let found = try #require(lines.firstIndex(of: "found"))
    #expect(Array(lines[(found + 1)...].prefix(expected.count)) == expected)
    let total = devices.compactMap { $0["sightings"] as? Int }.reduce(0, +)
    #expect(lines.last == "\(total) walk-1 walk-2")
  }
}
