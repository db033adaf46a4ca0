import Foundation
import TestSupport
import Testing

@Suite("Bad input gets one sentence, the right exit code and no output")
struct BadInputTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var contents: String?
    var exitCode: Int32
    var words: [String]
    var testDescription: String { name }
  }

  static let imports = [
    Case(name: "missing file", contents: nil, exitCode: 66, words: ["input", "no such file"]),
    Case(name: "empty file", contents: "", exitCode: 65, words: ["input", "empty"]),
    Case(
      name: "header without rows", contents: "trace,time_s,receiver,beacon,rssi_dbm\n",
      exitCode: 65,
      words: ["header but no rows"]),
    Case(
      name: "unknown column", contents: "trace,time_s,receiver,beacon,rsi\n1,2,a,b,-50\n",
      exitCode: 65, words: ["\"rsi\"", "\"rssi_dbm\"", "--columns", "rssi_dbm=…"]),
    Case(
      name: "times without a zone",
      contents: "time,receiver,beacon,rssi_dbm\n2024-05-01 12:00:00,a,b,-50\n",
      exitCode: 65,
      words: ["\"time\"", "no zone", "--time-zone"]),
    Case(
      name: "milliseconds for seconds",
      contents: "trace,time_s,receiver,beacon,rssi_dbm\n1,1700000000000,a,b,-50\n", exitCode: 65,
      words: ["time-not-in-seconds"]),
    Case(
      name: "binary of another kind", contents: "\u{1}\u{2}\u{3}PNG", exitCode: 65,
      words: ["unknown format"]),
    Case(
      name: "btsnoop cut in its header", contents: "btsnoop\0", exitCode: 65, words: ["btsnoop"]),
    Case(
      name: "NDJSON without a sighting", contents: "{\"a\":1}\n", exitCode: 65,
      words: ["column \"time_s\" is missing", "\"a\"", "--columns"]),
    Case(
      name: "JSON whose brackets do not match", contents: "[{\"time\":1,\n\"rssi\":-6]\n",
      exitCode: 65, words: ["line 2 (byte 21)", "unexpected \"]\""]),
  ]

  /// One in some fifteen crashed when libcrypto was torn down under the thread of the digest.
  @Test func `refuses while the digest of the input is still being computed`() throws {
    let folder = try TemporaryDirectory()
    let input = try folder.write("time_s,receiver,beacon\n1,phone,b\n", to: "wrong.csv")
    for _ in 0..<60 {
      let result = try rssi("import", input, "-o", folder.path("out.h5"))
      #expect(result.exitCode == 65, "\(result.error)")
    }
  }

  @Test(arguments: imports)
  func `importing`(_ bad: Case) throws {
    let folder = try TemporaryDirectory()
    let input = folder.path("input")
    if let contents = bad.contents { _ = try folder.write(contents, to: "input") }
    let before = try folder.names()
    let result = try rssi("import", input, "-o", folder.path("out.h5"))
    #expect(result.exitCode == bad.exitCode)
    for words in bad.words { #expect(result.error.contains(words), "\(result.error)") }
    #expect(result.error.split(separator: "\n").count == 1)
    #expect(result.output.isEmpty)
    #expect(try folder.names() == before)
  }

  @Test func `a folder without traces is refused by every stage`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.url.path
    for arguments in [
      ["import", path, "-o", folder.path("o.h5")], ["info", path], ["fit", path],
      ["filter", path, "-o", folder.path("o.h5")], ["export", path, "--format", "csv"],
      ["eval", path, "--calibration", path],
    ] {
      let result = try runProgram(builtProgram, arguments)
      #expect(result.exitCode == 66, "\(arguments): \(result.error)")
      #expect(result.error.contains("directory") || result.error.contains("no trace (*.h5)"))
    }
    #expect(try folder.names().isEmpty)
  }

  @Test func `a file of another kind, or cut at any place, is not a trace`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let trace = folder.path("trace.h5")
    #expect(try rssi("import", room + "/distances.csv", "-o", trace).exitCode == 0)
    let text = try folder.write("hello, world\n", to: "text.h5")
    let other = folder.path("other.h5")
    let made = try runPython("import h5py,sys; h5py.File(sys.argv[1],'w')['x']=[1,2,3]", [other])
    #expect(made.exitCode == 0, "\(made.error)")
    let whole = try Data(contentsOf: URL(filePath: trace))
    var damaged = [text, other]
    for length in [1, 7, 8, 9, 100, 3000, whole.count / 2, whole.count - 1] {
      let path = folder.path("cut-\(length).h5")
      try whole.prefix(length).write(to: URL(filePath: path))
      damaged.append(path)
    }
    for path in damaged {
      let result = try rssi("info", path)
      #expect(result.exitCode == 65, "\(path): \(result.error)")
      #expect(result.error.contains(path))
      #expect(result.error.split(separator: "\n").count == 1)
    }
  }

  @Test func `a full disk ends import and filter with 74, and nothing half-written`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let trace = folder.path("trace.h5")
    #expect(try rssi("import", room + "/rssi.csv", "-o", trace).exitCode == 0)
    let before = try folder.names()
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: trace)[.size] as? Int)
    // A limit on the size of files fails writes as a full disk does, at any place that is asked
    // for.
    for blocks in [1, 8, 32, size / 2048, size / 1024 - 1] {
      for arguments in ["import \(room)/rssi.csv", "filter \(trace) --filter kalman:q=1,r=9"] {
        let script =
          "ulimit -f \(blocks); trap '' XFSZ; exec \(builtProgram) \(arguments) -o "
          + "\(folder.path("full.h5"))"
        let result = try runProgram("/bin/bash", ["-c", script])
        #expect(result.exitCode == 74, "\(blocks) \(arguments): \(result.error)")
        #expect(result.error.contains("space"))
        #expect(try folder.names() == before)
      }
    }
    let stdout = try runProgram(
      "/bin/bash", ["-c", "\(builtProgram) export \(trace) --format csv > /dev/full"])
    #expect(stdout.exitCode == 74, "\(stdout.error)")
  }

  @Test func `an older file of the output's name survives a failure`() throws {
    let folder = try TemporaryDirectory()
    let output = try folder.write("precious", to: "out.h5")
    let input = try folder.write("trace,time_s\n", to: "bad.csv")
    #expect(try rssi("import", input, "-o", output).exitCode == 65)
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "precious")
  }

  @Test func `a closed pipe ends a stage quietly`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let trace = folder.path("trace.h5")
    #expect(try rssi("import", room + "/rssi.csv", "-o", trace).exitCode == 0)
    let result = try runProgram(
      "/bin/bash",
      ["-c", "set -o pipefail; \(builtProgram) export \(trace) --format csv | head -n 1"])
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(result.error.isEmpty)
  }

  @Test(arguments: [
    ["import", "a.csv"], ["filter", "a.h5", "-o", "b.h5", "--filter", "magic"],
    ["filter", "a.h5"], ["eval", "a.h5", "--calibration", "c", "--epoch", "soon"], ["nonsense"],
    ["simulate", "-o", "x", "--loss", "2"],
  ])
  func `usage mistakes end with 64`(_ arguments: [String]) throws {
    let folder = try TemporaryDirectory()
    let result = try runProgram(builtProgram, arguments, directory: folder.url)
    #expect(result.exitCode == 64, "\(result.error)")
    #expect(try folder.names().isEmpty)
  }

  @Test func `eval and fit name missing inputs`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let plain = folder.path("plain.h5")
    let calibration = folder.path("c.json")
    #expect(try rssi("fit", room + "/distances.csv", "-o", calibration).exitCode == 0)
    #expect(try rssi("import", room + "/rssi.csv", "-o", plain).exitCode == 0)
    let eval = try rssi("eval", plain, "--calibration", calibration)
    #expect(eval.exitCode == 65)
    #expect(eval.error.contains("--truth"))
    let fit = try rssi("fit", plain)
    #expect(fit.exitCode == 65)
    #expect(fit.error.contains("no-distance"))
    let notCalibration = try rssi("eval", plain, "--calibration", room + "/nodes.csv")
    #expect(notCalibration.exitCode == 65)
    #expect(notCalibration.error.contains("this is a table of nodes, not a calibration"))
  }
}
