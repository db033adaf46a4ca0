import Foundation
import TestSupport
import Testing

@Suite("A calibration that is written into a trace")
struct CalibrationTraceTests {
  private let folder: TemporaryDirectory
  private let room: String
  private let bench: String

  init() throws {
    folder = try TemporaryDirectory()
    room = try simulatedRoom(in: folder)
    bench = folder.path("bench.h5")
    try copyPrepared("readings of the room at known distances", to: folder) { folder in
      _ = try run("import", room + "/distances.csv", "-o", folder.path("bench.h5"))
    }
  }

  private func run(_ arguments: String...) throws -> String {
    let result = try runProgram(builtProgram, arguments)
    try #require(result.exitCode == 0, "\(arguments): \(result.error)")
    return result.output
  }

  private func walk() throws -> String {
    try copyPrepared("walk in the room with its truth", to: folder) { folder in
      _ = try run(
        "import", room + "/walk-1.btsnoop", "--receiver", "phone", "--nodes", room + "/nodes.csv",
        "--truth", room + "/truth.csv", "-o", folder.path("walk.h5"))
    }
    return folder.path("walk.h5")
  }

  /// Checks the columns, attributes and document of a trace against the calibration that was
  /// printed.
  private func check(_ trace: String, is text: String) throws {
    let result = try runPython(
      """
      import h5py, json, sys
      import numpy as np
      with open(sys.argv[2], 'rb') as file: text = file.read()
      with h5py.File(sys.argv[1]) as trace:
          c = trace['calibration']
          assert c['document'][:].tobytes() == text
          d = json.loads(c['document'][:].tobytes())
          for key in ['model', 'estimator', 'by']: assert c.attrs[key].decode() == d[key]
          assert 'gauge' not in c.attrs
          columns = {name: column[:] for name, column in c['groups'].items()}
          text = lambda value: value or ''
          number = lambda value: np.nan if value is None else value
          end = lambda interval, which: np.nan if interval is None else interval[which]
          P, n, s = 'measured_power_dbm', 'exponent', 'sigma_db'
          expected = {
              **{key: [text(g[key]).encode() for g in d['groups']]
                 for key in ['key', 'beacon', 'receiver', 'series', 'standard_error_basis']},
              **{key: [number(g[key]) for g in d['groups']]
                 for key in ['samples', 'positions', 'distances', P, n, s, 'position_sd_db', 'packet_sd_db', 'successive_sd_db',
                             'covariance_measured_power_exponent_db']},
              'converged': [g['estimation']['converged'] for g in d['groups']],
              'measured_power_standard_error_db': [number(g['standard_error'][P]) for g in d['groups']],
              'exponent_standard_error': [number(g['standard_error'][n]) for g in d['groups']],
              'measured_power_degrees_of_freedom': [number(g['degrees_of_freedom'][P]) for g in d['groups']],
              'exponent_degrees_of_freedom': [number(g['degrees_of_freedom'][n]) for g in d['groups']],
              'breakpoint_m': [number((g['two_slope'] or {}).get('breakpoint_m')) for g in d['groups']],
              'far_exponent': [number((g['two_slope'] or {}).get('far_exponent')) for g in d['groups']],
          }
          for which, name in enumerate(['low', 'high']):
              for key, stem, unit in [(P, 'measured_power', '_dbm'), (n, 'exponent', ''), (s, 'sigma', '_db')]:
                  expected[f'{stem}_{name}{unit}'] = [end(g['ci95'][key], which) for g in d['groups']]
              expected[f'distance_{["min", "max"][which]}_m'] = [
                  end(g['distance_range_m'], which) for g in d['groups']]
          assert columns.keys() == expected.keys(), columns.keys() ^ expected.keys()
          for name, values in expected.items():
              assert np.array_equal(columns[name], values, equal_nan=columns[name].dtype.kind == 'f'), name
      """, [trace, try folder.write(text, to: "printed.json")])
    #expect(result.exitCode == 0, "\(result.error)")
  }

  @Test func `has the content of the file, as columns and as the same bytes`() throws {
    // A second series at one distance has no constants.
    let table = try String(contentsOfFile: room + "/distances.csv", encoding: .utf8)
    let rows = table.split(separator: "\n")
    let short = rows.dropFirst().prefix(30).map { "short" + $0.dropFirst("calibration".count) }
    let both = try folder.write(table + short.joined(separator: "\n") + "\n", to: "both.csv")
    // Any name will do where there is a trace.
    let trace = folder.path("trace.data")
    _ = try run("import", both, "-o", trace)
    for options in [
      ["--by", "series"], ["--model", "two-slope"], ["--by", "link", "--bootstrap", "100"],
    ] {
      let printed = try runProgram(builtProgram, ["fit", both, "-o", trace, "--json"] + options)
      try #require(printed.exitCode == 0, "\(printed.error)")
      try check(trace, is: printed.output)
    }
    let info = try run("info", trace)
    #expect(info.contains("calibration   log-distance, least-squares, groups by link: 1\n"))
    let summary = try #require(
      try json(run("info", trace, "--json"))["calibration"] as? [String: Any])
    #expect(summary["by"] as? String == "link" && summary["groups"] as? Int == 1)
    #expect(try json(run("info", bench, "--json"))["calibration"] is NSNull)
    #expect(info.components(separatedBy: "rssi fit").count == 4)
  }

  @Test func `survives filter, pack and repair`() throws {
    let printed = try run("fit", bench, "-o", bench, "--json")
    _ = try run("filter", bench, "-o", bench)
    try check(bench, is: printed)
    _ = try run("pack", bench)
    try check(bench, is: printed)
    let opened = try runPython(
      "import h5py, sys\nwith h5py.File(sys.argv[1], 'r+') as f: f.attrs['clean'] = "
        + "f.attrs['clean'].dtype.type(0)",
      [bench])
    #expect(opened.exitCode == 0, "\(opened.error)")
    _ = try run("repair", bench)
    try check(bench, is: printed)
    #expect(try run("info", bench).contains("filtered by   kalman"))
  }

  @Test func `eval reads it as it reads the file, and knows what it was fitted on`() throws {
    let walk = try walk()
    let file = folder.path("c.json")
    _ = try run("fit", bench, "-o", file)
    let expected = try run(
      "eval", walk, "--calibration", file, "--algorithms", "weighted-centroid", "--json")
    _ = try run("fit", bench, "-o", walk)
    let found = try run(
      "eval", walk, "--calibration", walk, "--algorithms", "weighted-centroid", "--json")
    #expect(found == expected)
    // The trace now names the bench's file, which its sightings are not from.
    #expect(try json(found)["in_sample"] as? Bool == false)
    _ = try run("fit", walk, "-o", walk)
    #expect(
      try json(
        run(
          "eval", walk, "--calibration", walk, "--in-sample", "--algorithms", "weighted-centroid",
          "--json"))[
          "in_sample"] as? Bool == true)
  }

  @Test func `is not what a later fit of the trace is from`() throws {
    let walk = try walk()
    let before = try inputs(run("fit", walk, "--json"))
    _ = try run("fit", bench, "-o", walk)
    let after = try inputs(run("fit", walk, "--json"))
    // Itself as it is, the recording, and itself as it was.
    #expect(after.count == before.count + 1)
    #expect(before.isSubset(of: after))
  }

  private func inputs(_ calibration: String) throws -> Set<String> {
    let inputs = try #require(try json(calibration)["inputs"] as? [[String: String]])
    return Set(inputs.compactMap { $0["sha256"] })
  }

  @Test func `merges with other traces and files, exactly`() throws {
    let rows = try String(contentsOfFile: room + "/distances.csv", encoding: .utf8)
      .split(separator: "\n")
    let near = rows.dropFirst().filter { (Double($0.split(separator: ",")[4]) ?? 0) <= 4 }
    let far = rows.dropFirst().filter { (Double($0.split(separator: ",")[4]) ?? 0) > 4 }
    for (name, part) in [("near", near), ("far", far)] {
      _ = try folder.write(([rows[0]] + part).joined(separator: "\n") + "\n", to: name + ".csv")
      _ = try run("import", folder.path(name + ".csv"), "-o", folder.path(name + ".h5"))
    }
    let (a, b) = (folder.path("near.h5"), folder.path("b.json"))
    let file = folder.path("a.json")
    _ = try run("fit", a, "-o", file)
    _ = try run("fit", a, "-o", a)
    _ = try run("fit", folder.path("far.h5"), "-o", b)
    let printed = try run("fit", "--merge", a, b, "-o", a, "--json")
    try check(a, is: printed)
    let expected = try json(run("fit", "--merge", file, b, "--json"))
    let found = try json(printed)
    for key in ["groups", "pooled", "stations"] {
      #expect(found[key] as? NSObject == expected[key] as? NSObject, "\(key)")
    }
    let twice = try rssi("fit", "--merge", a, b)
    #expect(twice.exitCode == 65)
    #expect(twice.error.contains("twice"))
  }

  @Test func `opens as docs/path-loss.md shows`() throws {
    _ = try run("fit", bench, "-o", folder.path("calibration.json"))
    let page = try String(
      contentsOf: repositoryRoot.appending(path: "docs/path-loss.md"), encoding: .utf8)
    try FileManager.default.copyItem(
      at: repositoryRoot.appending(path: "notebooks-data/example/distances.csv"),
      to: folder.url.appending(path: "distances.csv"))
    let commands = page.components(separatedBy: "\n")
      .filter { $0.hasPrefix("rssi ") && $0.contains("-o trace.h5") }
    #expect(commands.count == 2)
    let program = URL(filePath: builtProgram).deletingLastPathComponent().path
    for command in commands {
      let made = try runProgram(
        "/bin/bash", ["-c", "PATH=\"\(program):$PATH\"; \(command)"], directory: folder.url)
      #expect(made.exitCode == 0, "\(made.error)")
    }
    let code = page.components(separatedBy: "```python\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    #expect(code.count >= 2)
    let result = try runProgram(
      pythonPath, ["-c", code.joined(separator: "\n")], directory: folder.url)
    #expect(result.exitCode == 0, "\(result.error)")
    let lines = result.output.split(separator: "\n")
    let constants = lines[0].split(separator: " ").compactMap { Double($0) }
    #expect(constants.count == 3 && constants[0] < -50 && constants[1] > 1.5 && constants[2] > 1)
    #expect(lines.contains { $0.hasPrefix("measured_power_dbm") && $0.contains("-5") })
  }

  @Test func `is refused where it has no place`() throws {
    let new = folder.path("new.h5")
    let result = try rssi("fit", bench, "-o", new)
    #expect(result.exitCode == 64)
    #expect(result.error.contains("rssi import") && result.error.contains(".json"))
    #expect(!FileManager.default.fileExists(atPath: new))
    let other = folder.path("other.h5")
    #expect(
      try runPython("import h5py, sys\nwith h5py.File(sys.argv[1], 'w') as f: f['a'] = 1", [other])
        .exitCode == 0)
    let before = try Data(contentsOf: URL(filePath: other))
    #expect(try rssi("fit", bench, "-o", other).exitCode == 65)
    #expect(try Data(contentsOf: URL(filePath: other)) == before)
    let none = try rssi("eval", try walk(), "--calibration", bench)
    #expect(none.exitCode == 65)
    #expect(none.error.contains("rssi fit"))
  }

  @Test func `a full disk ends fit with 74 and leaves the trace as it was`() throws {
    _ = try run("fit", bench, "-o", bench)
    let names = try folder.names()
    let before = try Data(contentsOf: URL(filePath: bench))
    let size = before.count / 1024
    // The limit is reached while the trace is copied, while the calibration is added, and on
    // closing.
    for blocks in [1, 8, size / 2, size - 1, size, size + 1, size + 2] {
      let script =
        "ulimit -f \(blocks); trap '' XFSZ; exec \(builtProgram) fit \(bench) --model two-slope "
        + "--bootstrap 100 -o \(bench)"
      let result = try runProgram("/bin/bash", ["-c", script])
      #expect(result.exitCode == 74, "\(blocks) of \(size): \(result.error)")
      #expect(result.error.contains("space"))
      #expect(try Data(contentsOf: URL(filePath: bench)) == before)
      #expect(try folder.names() == names)
    }
  }

  @Test(.systemRun)
  func `a kill at any moment leaves the trace as it was, or whole`() throws {
    let clock = ContinuousClock()
    let whole = try clock.measure { _ = try run("fit", bench, "-o", bench) }
    var old = 0
    for attempt in 0..<25 {
      let before = try Data(contentsOf: URL(filePath: bench))
      let fit = try RunningProgram(builtProgram, ["fit", bench, "-o", bench])
      // Over the length of a fit and a little beyond.
      usleep(UInt32(whole / .microseconds(1) * Double(attempt) / 20))
      fit.send(SIGKILL)
      _ = fit.wait()
      if try Data(contentsOf: URL(filePath: bench)) == before { old += 1 }
      #expect(try run("info", bench).contains("calibration   log-distance"))
      #expect(try rssi("fit", "--merge", bench).exitCode == 0)
    }
    #expect(old > 0)
  }
}
