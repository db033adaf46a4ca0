import Foundation
import TestSupport
import Testing

private let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path

@Suite("Standard streams that are closed, and results of stages that fail")
struct ClosedStreamTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func shell(_ command: String) throws -> ProgramResult {
    try runProgram(
      "/bin/sh", ["-c", command, builtProgram, walk], directory: folder.url)
  }

  /// The result is in the file; there is only no report of it.
  @Test func `a file is written without them`() throws {
    for (index, closed) in [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"].enumerated() {
      let trace = folder.path("\(index).h5")
      let result = try shell("\"$0\" import \"$1\" -o \(index).h5 \(closed)")
      #expect(result.exitCode == 0, "\(closed): \(result.exitCode) \(result.error)")
      #expect(try json(rssi("info", trace, "--json").output)["sightings"] as? Int == 1064)
      #expect(try shell("\"$0\" export \(index).h5 -o \(index).csv \(closed)").exitCode == 0)
      let csv = try String(contentsOfFile: folder.path("\(index).csv"), encoding: .utf8)
      #expect(csv.split(separator: "\n").count == 1065)
    }
  }

  /// Output for a closed standard output cannot be delivered.
  @Test func `a result that is printed needs one`() throws {
    #expect(try rssi("import", walk, "-o", folder.path("t.h5")).exitCode == 0)
    for words in [
      "info t.h5", "export t.h5 --format csv", "import \"$1\" -o other.h5 --json",
      "import \"$1\" -o -",
    ] {
      let result = try shell("\"$0\" \(words) >&-")
      #expect(result.exitCode == 74, "\(words): \(result.exitCode)")
      #expect(result.error.contains("output is closed"), "\(result.error)")
    }
    let result = try shell("\"$0\" fit - <&-")
    #expect(result.exitCode == 74, "\(result.exitCode) \(result.error)")
  }

  @Test func `results before a failure are printed`() throws {
    let trace = folder.path("t.h5")
    #expect(try rssi("import", walk, "-o", trace).exitCode == 0)
    let info = try rssi("info", trace, folder.path("missing.h5"))
    #expect(info.exitCode == 66)
    #expect(info.output.contains("sightings     1064"))
    let packed = try rssi("pack", trace, folder.path("missing.h5"))
    #expect(packed.exitCode == 66)
    #expect(packed.output.contains("1064 sightings"))
    let listed = try rssi("pack", "--json", trace, folder.path("missing.h5"))
    #expect(listed.exitCode == 66)
    let files = try json(listed.output)["files"] as? [[String: Any]]
    #expect(files?.map { $0["file"] as? String } == [trace])
  }

  /// Rows of whole chunks before a damaged one.
  @Test func `rows before the damage are printed`() throws {
    let trace = folder.path("t.h5")
    let rows = (0..<140_000).map { "a,\($0),p,b,-60" }.joined(separator: "\n")
    let table = try folder.write("trace,time_s,receiver,beacon,rssi_dbm\n\(rows)\n", to: "t.csv")
    #expect(try rssi("import", table, "-o", trace).exitCode == 0)
    let damaged = try runPython(
      """
      import h5py, sys
      with h5py.File(sys.argv[1]) as f:
          chunk = f["sightings/time_s"].id.get_chunk_info(2)
      with open(sys.argv[1], "r+b") as f:
          f.seek(chunk.byte_offset)
          f.write(bytes(chunk.size))
      """, [trace])
    try #require(damaged.exitCode == 0, "\(damaged.error)")
    let result = try rssi("export", trace, "--format", "csv")
    #expect(result.exitCode == 65, "\(result.exitCode) \(result.error)")
    #expect(result.output.split(separator: "\n").count == 1 + 2 * 65_536)
    #expect(result.output.hasSuffix("\n"))
  }

  @Test(.enabled(if: hasBumble, "needs bumble: run scripts/bootstrap test"))
  func `a capture reports what it recorded before its source was gone`() throws {
    let port = try reservedPort()
    let bumble = try RunningProgram(
      pythonPath,
      [repositoryRoot.appending(path: "Tests/Rig/bumble/advertise.py").path, "\(port)"])
    try #require(bumble.waits { bumble.output.contains("ready") }, "\(bumble.error)")
    let trace = folder.path("t.h5")
    let capture = try RunningProgram(
      builtProgram,
      ["capture", "h4:tcp:127.0.0.1:\(port)", "-o", trace, "--flush", "50ms", "--json"])
    #expect(
      try capture.waits {
        let info = try rssi("info", trace, "--json")
        guard info.exitCode == 0 else { return false }
        return try json(info.output)["sightings"] as? Int ?? 0 > 0
      }, "\(capture.error)")
    bumble.send(SIGKILL)
    let result = capture.wait()
    #expect(result.exitCode == 69, "\(result.error)")
    let report = try json(result.output)
    #expect(report["sightings"] as? Int ?? 0 > 0)
    #expect(report["files"] as? [String] == [trace])
  }
}
