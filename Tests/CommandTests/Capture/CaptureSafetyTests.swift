import Foundation
import TestSupport
import Testing

private let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop")

@Suite("A capture destroys nothing") struct CaptureSafetyTests {
  @Test func `outputs are never what is read`() throws {
    let folder = try TemporaryDirectory()
    let recording = folder.path("walk.btsnoop")
    try FileManager.default.copyItem(at: walk, to: URL(filePath: recording))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: recording)
    let trace = folder.path("t.h5")
    for options in [
      ["--btsnoop", recording, "-o", trace], ["-o", recording], ["-o", folder.path("link")],
      ["-o", trace, "--btsnoop", trace], ["-o", trace, "--btsnoop", folder.path("./t.h5")],
      ["-o", trace, "--btsnoop", "-"], ["-o", trace, "--btsnoop", ""],
    ] {
      let result = try runProgram(
        builtProgram, ["capture", "replay:\(recording)", "--speed", "max"] + options)
      #expect(result.exitCode == 64, "\(options) \(result.error)")
    }
    #expect(try Data(contentsOf: URL(filePath: recording)) == Data(contentsOf: walk))
    #expect(!FileManager.default.fileExists(atPath: trace))
  }

  @Test(arguments: ["mqtt://127.0.0.1:1/x", "h4:tcp:127.0.0.1:1", "h4:unix:/nowhere/socket"])
  func `a source that never works leaves the old trace`(_ source: String) throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("old.h5")
    #expect(try rssi("import", walk.path, "-o", trace).exitCode == 0)
    let before = try Data(contentsOf: URL(filePath: trace))
    let result = try rssi("capture", source, "-o", trace)
    #expect(result.exitCode == 69, "\(result.error)")
    #expect(try Data(contentsOf: URL(filePath: trace)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["old.h5"])
  }

  @Test func `a trace played again keeps its times and receivers`() throws {
    let folder = try TemporaryDirectory()
    let (first, second) = (folder.path("a.h5"), folder.path("b.h5"))
    #expect(try rssi("import", walk.path, "--receiver", "phone", "-o", first).exitCode == 0)
    #expect(
      try rssi("capture", "replay:\(first)", "--speed", "max", "--trace", "walk-1", "-o", second)
        .exitCode == 0)
    let a = try rssi("export", first, "--format", "csv").output
    #expect(a == (try rssi("export", second, "--format", "csv").output))
    let check = try runPython(
      """
      import h5py, hashlib, sys
      with h5py.File(sys.argv[2]) as f:
          digest = hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest()
          assert f["provenance/inputs/sha256"][0].decode() == digest
          assert 0 <= f["sightings/time_s"][0] < 1
      """, [first, second])
    #expect(check.exitCode == 0, "\(check.error)")
  }

  @Test func `packing keeps what it does not know`() throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("t.h5")
    #expect(try rssi("import", walk.path, "-o", trace).exitCode == 0)
    let added = try runPython(
      """
      import h5py, sys
      with h5py.File(sys.argv[1], "r+") as f:
          f.attrs["my"] = [1.5, 2.5]
          f["calibration/a"] = [1, 2, 3]
          f["notes"] = b"text"
      """, [trace])
    try #require(added.exitCode == 0, "\(added.error)")
    #expect(try rssi("pack", trace).exitCode == 0)
    let check = try runPython(
      """
      import h5py, sys
      with h5py.File(sys.argv[1]) as f:
          assert list(f.attrs["my"]) == [1.5, 2.5] and list(f["calibration/a"]) == [1, 2, 3]
          assert f["notes"][()] == b"text" and f["sightings/rssi_dbm"].shape[0] == 1064
      """, [trace])
    #expect(check.exitCode == 0, "\(check.error)")
  }

  @Test func `a stream has the receivers place`() throws {
    let result = try rssi(
      "capture", "replay:\(walk.path)", "--speed", "max", "--count", "3", "--at", "1,-2,1.5", "-o",
      "-")
    #expect(result.exitCode == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.contains(#""x_m":1,"y_m":-2,"z_m":1.5"#) })
  }

  @Test(arguments: [
    "--min-rssi nan", "--distance 0m", "--distance 1e308", "--speed 1e-300", "--rotate 64KiB",
    "--beacon-at addr:AA:BB:CC:DD:EE:FF=1",
  ])
  func `refuses what means nothing`(_ options: String) throws {
    let folder = try TemporaryDirectory()
    let result = try runProgram(
      builtProgram,
      ["capture", "replay:\(walk.path)", "-o", folder.path("t.h5")]
        + options.split(separator: " ").map(String.init))
    #expect(result.exitCode == 64, "\(result.error)")
  }
}
