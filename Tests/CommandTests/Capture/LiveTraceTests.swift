import Foundation
import Glibc
import TestSupport
import Testing

private let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path

@Suite("A trace while it is written, and how it ends")
struct LiveTraceTests {
  /// A capture that goes on until it is stopped.
  private func capture(_ arguments: String...) throws -> RunningProgram {
    try RunningProgram(
      builtProgram, ["capture", "replay:\(longWalk.get())", "--flush", "50ms"] + arguments)
  }

  @Test func `others read it meanwhile`() throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("trace.h5")
    let program = try capture("-o", trace)
    #expect(try program.waits { try sightings(trace) > 20 }, "\(program.error)")
    #expect(try rssi("info", trace).output.contains("being written"))
    let grown = try sightings(trace)
    #expect(try program.waits { try sightings(trace) > grown })
    // h5py follows it as HDF5's own single-writer multiple-reader mode has it.
    let follow = try runPython(
      """
      import h5py, sys, time
      with h5py.File(sys.argv[1], "r", swmr=True) as f:
          rows, committed = f["sightings"], f["committed/rows"]
          assert f["committed/table"][0].rstrip(b"\\0") == b"sightings"
          before = committed[0]
          deadline = time.time() + float(sys.argv[2])
          while time.time() < deadline:
              committed.refresh()
              count = int(committed[0])
              if count > before + 5:
                  break
              time.sleep(0.02)
          for column in rows.values():
              column.refresh()
              assert column.shape[0] >= count
          f["beacons/id"].refresh()
          assert count > before + 5, (before, count)
          levels = rows["rssi_dbm"][:count]
          assert ((levels <= -20) & (levels >= -127)).all()
          assert rows["beacon"][:count].max() < f["beacons/id"].shape[0]
      """, [trace, "\(patience.components.seconds)"])
    #expect(follow.exitCode == 0, "\(follow.error)")
    // A stage makes its own trace of it, and nothing writes over it.
    #expect(
      try rssi("filter", trace, "-o", folder.path("filtered.h5"), "--filter", "kalman:q=1,r=9")
        .exitCode == 0)
    #expect(try rssi("filter", trace, "-o", trace, "--filter", "kalman:q=1,r=9").exitCode == 74)
    #expect(try rssi("pack", trace).exitCode == 65)
    #expect(try rssi("capture", "replay:\(walk)", "-o", trace).exitCode == 74)
    program.send(SIGINT)
    let result = program.wait()
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(try !rssi("info", trace).output.contains("written"))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends it whole`(_ signal: Int32) throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("trace.h5")
    let program = try capture("-o", trace)
    #expect(try program.waits { try sightings(trace) > 5 })
    program.send(signal)
    #expect(program.wait().exitCode == 0)
    let check = try runPython(
      """
      import h5py, sys
      with h5py.File(sys.argv[1]) as f:
          assert f.attrs["clean"] == 1 and f["sightings/rssi_dbm"].compression == "gzip"
          assert f["provenance/stages/stage"][0].rstrip(b"\\0") == b"capture"
          assert f["clock/time_s"].shape[0] == 0, "the clock of a recording is not ours"
      """, [trace])
    #expect(check.exitCode == 0, "\(check.error)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["trace.h5"])
  }

  /// A trace that is deleted, or replaced by another program's file, is saved; the other file
  /// stays.
  @Test(arguments: [false, true])
  func `a deleted trace is saved`(_ isReplaced: Bool) throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("trace.h5")
    let foreign = folder.path("foreign.h5")
    #expect(try rssi("import", walk, "-o", foreign).exitCode == 0)
    let bytes = try Data(contentsOf: URL(filePath: foreign))
    let program = try capture("-o", trace, "--json")
    #expect(try program.waits { try sightings(trace) > 20 }, "\(program.error)")
    if isReplaced {
      #expect(rename(foreign, trace) == 0)
    } else {
      #expect(unlink(trace) == 0)
    }
    #expect(program.waits { program.error.contains("saved the recording as") }, "\(program.error)")
    program.send(SIGINT)
    let result = program.wait()
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(result.error.contains("deleted or replaced"))
    let report = try json(result.output)
    let files = try #require(report["files"] as? [String])
    #expect(files.count == 2 && Set(files).count == 2)
    #expect(files.contains(trace) == !isReplaced)
    let counts = try files.map(sightings)
    #expect(counts.reduce(0, +) == report["sightings"] as? Int)
    #expect(counts[0] > 20)
    let other = isReplaced ? trace : foreign
    #expect(try Data(contentsOf: URL(filePath: other)) == bytes)
  }

  @Test(arguments: [0, 4096, 300_000])
  func `a truncated trace is noticed and repaired`(
    _ length: Int
  ) throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("trace.h5")
    let program = try capture("-o", trace)
    #expect(try program.waits { try sightings(trace) > 20 }, "\(program.error)")
    let before = try sightings(trace)
    #expect(truncate(trace, off_t(length)) == 0)
    let result = program.wait()
    #expect(result.exitCode == 74)
    #expect(result.error.contains("truncated the file"), "\(result.error)")
    // The log has all of it, also where the trace is empty.
    #expect(try rssi("repair", trace).exitCode == 0)
    #expect(try sightings(trace) >= before)
    #expect(try folder.names() == ["trace.h5"])
  }

  @Test func `a moved trace is followed`() throws {
    let folder = try TemporaryDirectory()
    let (trace, moved) = (folder.path("trace.h5"), folder.path("moved.h5"))
    let program = try capture("-o", trace, "--json")
    #expect(try program.waits { try sightings(trace) > 20 }, "\(program.error)")
    #expect(rename(trace, moved) == 0)
    #expect(program.waits { program.error.contains("moved to \(moved)") }, "\(program.error)")
    program.send(SIGINT)
    let result = program.wait()
    #expect(result.exitCode == 0, "\(result.error)")
    let report = try json(result.output)
    #expect(report["files"] as? [String] == [moved])
    #expect(report["sightings"] as? Int == (try sightings(moved)))
    #expect(try folder.names() == ["moved.h5"])
  }

  @Test func `ends after the time asked for`() throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("trace.h5")
    let result = try rssi(
      "capture", "replay:\(longWalk.get())", "--duration", "1s", "-o", trace, "--json")
    #expect(result.exitCode == 0)
    let count = try #require(try json(result.output)["sightings"] as? Int)
    // The walk goes on for a quarter of an hour, and has about 30,000 reports.
    #expect(count > 0 && count < 15_000)
  }

  @Test func `signals begin new files`() throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("trace.h5")
    let program = try capture("-o", trace)
    func files() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        .filter { $0.hasSuffix(".h5") && !$0.hasPrefix(".") }.sorted()
    }
    #expect(try program.waits { try sightings(trace) > 5 })
    program.send(SIGHUP)
    #expect(try program.waits { try files().count == 2 })
    #expect(try program.waits { try files().allSatisfy { try sightings(folder.path($0)) > 0 } })
    program.send(SIGTERM)
    #expect(program.wait().exitCode == 0)
    // The first is packed by a process that may still be at it.
    #expect(try files().count == 2)
    let whole = try files().reduce(0) { try $0 + sightings(folder.path($1)) }
    let result = try rssi(
      "capture", "replay:\(longWalk.get())", "--speed", "max", "--count", "\(whole)", "-o",
      folder.path("one.h5"))
    #expect(result.exitCode == 0)
    let lines = try files().filter { $0.hasPrefix("trace") }.sorted { $0.count < $1.count }.flatMap
    { name in
      try rssi("export", folder.path(name), "--format", "csv").output.split(
        whereSeparator: \.isNewline
      ).dropFirst()
        .map { $0.split(separator: ",").dropFirst() }
    }
    let expected = try rssi("export", folder.path("one.h5"), "--format", "csv").output
      .split(whereSeparator: \.isNewline).dropFirst().map { $0.split(separator: ",").dropFirst() }
    #expect(lines == expected, "nothing lost, nothing twice")
  }

  @Test func `times begin new files`() throws {
    let folder = try TemporaryDirectory()
    let result = try rssi(
      "capture", "replay:\(walk)", "--speed", "10", "--flush", "500ms", "--rotate", "700ms",
      "--no-pack", "-o",
      folder.path("trace.h5"), "--json")
    #expect(result.exitCode == 0, "\(result.error)")
    let files = try #require(try json(result.output)["files"] as? [String])
    #expect(files.count > 1)
    // The recording's times go on from file to file, whatever the machine's clock is.
    #expect(files.allSatisfy { $0.contains("/trace-20240101T0000") }, "\(files)")
    let times = try runPython(
      """
      import h5py, sys
      for path in sys.argv[1:]:
          with h5py.File(path) as f:
              assert f.attrs["start"].decode().startswith("2024-01-01T00:00"), path
              times = f["sightings/time_s"][:]
              assert (times >= 0).all() and (times < 60).all(), (path, times)
      """, files)
    #expect(times.exitCode == 0, "\(times.error)")
    let total = try files.reduce(0) { try $0 + sightings($1) }
    #expect(total == (try json(result.output)["sightings"] as? Int))
  }

  @Test(.systemRun)
  func `a full disk keeps what was written`() throws {
    let script = repositoryRoot.appending(path: "Tests/CommandTests/Scripts/crash.py").path
    let result = try runProgram(pythonPath, [script, builtProgram, "full"])
    #expect(result.exitCode == 0, "\(result.output)\(result.error)")
  }

  @Test func `repair leaves a whole trace alone`() throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("trace.h5")
    #expect(try rssi("import", walk, "-o", trace).exitCode == 0)
    let before = try Data(contentsOf: URL(filePath: trace))
    #expect(try rssi("repair", trace).exitCode == 0)
    #expect(try Data(contentsOf: URL(filePath: trace)) == before)
  }

  @Test func `packing keeps everything`() throws {
    let folder = try TemporaryDirectory()
    let (trace, packed) = (folder.path("trace.h5"), folder.path("packed.h5"))
    #expect(
      try rssi("capture", "replay:\(walk)", "--speed", "max", "--no-pack", "-o", trace).exitCode
        == 0)
    #expect(try rssi("filter", trace, "-o", trace).exitCode == 0)
    #expect(try rssi("pack", trace, "-o", packed).exitCode == 0)
    let check = try runPython(
      """
      import h5py, numpy as np, sys
      with h5py.File(sys.argv[1]) as a, h5py.File(sys.argv[2]) as b:
          names = []
          a.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
          for name in names:
              if name.startswith(("provenance", "committed")):
                  continue
              assert np.array_equal(a[name][:], b[name][:], equal_nan=a[name].dtype.kind == "f"), name
          assert "committed" not in b, "a closed trace is whole"
          assert "filtered/kalman/rssi_dbm" in names and b["sightings/beacon"].compression == "gzip"
          assert a["sightings/beacon"].compression is None
      """, [trace, packed])
    #expect(check.exitCode == 0, "\(check.error)")
  }
}
