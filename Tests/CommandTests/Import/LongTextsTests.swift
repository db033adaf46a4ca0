import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Texts that are longer than their column of a trace")
struct LongTextsTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func x(_ count: Int) -> String { String(repeating: "x", count: count) }

  private func table(_ rows: String, _ name: String = "rows.csv") throws -> String {
    try folder.write("time_s,receiver,beacon,rssi_dbm,distance_m,pose\n" + rows, to: name)
  }

  @Test(arguments: [65, 128, 300])
  func `a row with a long pose is refused, the others are kept`(_ length: Int) throws {
    let rows = try table(
      "1700000000,r,b,-60,1,\(x(64))\n1700000001,r,b,-61,1,\(x(length))\n1700000002,r,b,-62,2,hand\n"
    )
    let result = try rssi("import", rows, "-o", folder.path("t.h5"), "--json")
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(result.error.contains("bad-name"))
    let lines = try rssi("export", folder.path("t.h5"), "--format", "ndjson").output.split(
      separator: "\n")
    #expect(lines.count == 2)
  }

  @Test func `a file whose name is longer than a trace's is refused before it is read`() throws {
    let name = x(129)
    let rows = try table("1700000000,r,b,-60,1,hand\n", name + ".csv")
    let imported = try rssi("import", rows, "-o", folder.path("t.h5"))
    #expect(imported.exitCode == 65 && imported.error.contains("than 128 bytes"))
    // Two files of one name are called after their folders too.
    let (one, other) = ("\(x(70))/a", "\(x(60))/\(x(60))/a")
    for path in [one, other] {
      try FileManager.default.createDirectory(
        atPath: folder.path(path), withIntermediateDirectories: true)
    }
    let files = [one, other].map { folder.path($0 + "/same.csv") }
    for (number, file) in files.enumerated() {
      try FileManager.default.copyItem(atPath: rows, toPath: file)
      let handle = try #require(FileHandle(forWritingAtPath: file))
      try handle.seekToEnd()
      try handle.write(contentsOf: Data("170000000\(number + 1),r,b,-60,1,hand\n".utf8))
    }
    let shared = try rssi("import", files[0], files[1], "-o", folder.path("t.h5"))
    #expect(shared.exitCode == 65 && shared.error.contains("name of the trace"), "\(shared.error)")
    let good = try rssi("import", files[0], "-o", folder.path("good.h5"))
    #expect(good.exitCode == 0)
    for output in ["\(name).h5", "\(x(110)).h5"] {
      let captured = try rssi(
        "capture", "replay:\(folder.path("good.h5"))", "--speed", "max", "--rotate", "1h", "-o",
        folder.path(output))
      #expect(captured.exitCode == 64 && captured.error.contains("--trace"), "\(captured.error)")
      #expect(!FileManager.default.fileExists(atPath: folder.path(output)))
    }
    let named = try rssi(
      "capture", "replay:\(folder.path("good.h5"))", "--speed", "max", "--trace", "short",
      "--no-pack", "-o",
      folder.path(name + ".h5"))
    #expect(named.exitCode == 0, "\(named.error)")
  }

  /// h5py makes columns of any width.
  private func widened(_ column: String, _ text: String) throws -> String {
    let rows = try table("1700000000,r,b,-60,1,hand\n1700000001,r,b,-61,1,hand\n")
    let path = folder.path("wide.h5")
    _ = try rssi("import", rows, "-o", path)
    let result = try runPython(
      """
      import sys, h5py, numpy
      with h5py.File(sys.argv[1], 'r+') as f:
          old = f[sys.argv[2]]
          values, attributes = old.asstr()[:].astype(object), dict(old.attrs)
          values[0] = sys.argv[3]
          del f[sys.argv[2]]
          f.create_dataset(sys.argv[2], data=[v.encode() for v in values], dtype='S600')
      """, [path, column, text])
    try #require(result.exitCode == 0, "\(result.error)")
    return path
  }

  @Test(arguments: ["beacons/id", "receivers/id", "traces/id"])
  func `an identity of another program that is too long is refused with its row`(_ column: String)
    throws
  {
    let path = try widened(column, x(300))
    for arguments in [
      ["export", path], ["info", path], ["filter", path, "-o", folder.path("f.h5")],
      ["capture", "replay:\(path)", "--speed", "max", "-o", folder.path("r.h5")],
      ["merge", path, path, "-o", folder.path("m.h5")],
    ] where arguments[0] != "merge" {
      let result = try runProgram(builtProgram, arguments)
      #expect(result.exitCode == 65, "\(arguments): \(result.error)")
      #expect(result.error.contains("/\(column) has 300"), "\(result.error)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("r.h5")))
  }

  @Test(arguments: [
    "receivers/phys", "receivers/scan", "receivers/adapter", "beacons/name", "beacons/kind",
  ])
  func `a text for people of another program is cut`(_ column: String) throws {
    let path = try widened(column, x(500))
    for arguments in [
      ["filter", path, "-o", folder.path("f.h5"), "--filter", "median"],
      ["capture", "replay:\(path)", "--speed", "max", "--no-pack", "-o", folder.path("r.h5")],
    ] {
      let result = try runProgram(builtProgram, arguments)
      #expect(result.exitCode == 0, "\(arguments): \(result.error)")
    }
  }
}
