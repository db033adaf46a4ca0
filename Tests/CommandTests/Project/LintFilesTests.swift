import Foundation
import TestSupport
import Testing

/// `scripts/lint_files.py`, on sources of a test.
struct LintFilesTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Writes a file of a number of lines into a target.
  private func write(_ text: String, to path: String, lines: Int = 40) throws {
    let file = folder.url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let rest = String(repeating: "\n", count: max(0, lines + 1 - text.split(separator: "\n").count))
    _ = try folder.write(text + rest, to: path)
  }

  /// The files that the check names, with its exit code.
  private func faults() throws -> (exitCode: Int32, files: [String], text: String) {
    let script = repositoryRoot.appending(path: "scripts/lint_files.py").path
    let result = try runProgram("/usr/bin/env", ["python3", script, folder.url.path])
    let files = result.error.split(separator: "\n").filter { $0.contains(".swift: ") }
      .compactMap { $0.split(separator: ":").first?.split(separator: "/").last }.map(String.init)
    return (result.exitCode, files, result.error)
  }

  @Test(arguments: [0, 1])
  func `an extension file stands beside its type only if both exceed 300 lines`(more: Int) throws {
    try write("struct Track {}", to: "Base/Geometry/Track.swift", lines: 200)
    try write("extension Track {}", to: "Base/Geometry/Paths/Track+Ends.swift", lines: 60)
    try write("extension Track {}", to: "Base/Geometry/Track+Text.swift", lines: 40 + more)
    // Of another target: there is no Track.swift beside it.
    try write("extension Track {}", to: "Base/Support/Track+JSON.swift")
    let found = try faults()
    #expect(found.files == (more == 0 ? ["Track+Ends.swift", "Track+Text.swift"] : []))
    #expect(found.exitCode == (more == 0 ? 1 : 0))
  }

  @Test(arguments: [0, 1, 2])
  func `a short file has types that two other files mention`(count: Int) throws {
    try write("struct Level {}\nprivate struct Hidden {}", to: "rssi/Level.swift", lines: 39)
    for number in 0..<count {
      try write(
        "func user\(number)(_ level: Level, _ hidden: Hidden)", to: "rssi/User\(number).swift")
    }
    let found = try faults()
    #expect(found.files == (count < 2 ? ["Level.swift"] : []))
    #expect(found.text.contains("User0.swift uses") == (count == 1))
  }

  @Test
  func `comments, texts and private declarations do not use a file, interpolated code does`() throws
  {
    try write("enum Unit {}", to: "rssi/Unit.swift", lines: 10)
    try write("enum Sum {}", to: "rssi/Sum.swift", lines: 10)
    try write("private enum Kept {}", to: "rssi/Kept.swift", lines: 10)
    for name in ["A", "B"] {
      try write(
        """
        // Unit /* Kept */
        /* Unit /* Unit */ Unit */
        let text\(name) = "Unit \\(Sum.self) \\"Unit" + #"Unit \\(Unit) "Unit""# + \"""
          Unit "Unit" \\(Kept.self)
          \"""
        """, to: "rssi/\(name).swift")
    }
    #expect(try Set(faults().files) == ["Unit.swift", "Kept.swift"])
  }

  @Test
  func `without types the functions count, and without these the members of extensions`() throws {
    try write("func mean() {}", to: "rssi/Mean.swift", lines: 10)
    try write(
      "func sum() {}\nextension Int { var mean: Int { 0 } }", to: "rssi/Sum.swift", lines: 10)
    try write(
      "extension Array {\n  var last2: Int { let mean = 0; return mean }\n}", to: "rssi/Last.swift",
      lines: 10)
    try write(
      "extension Float {\n  init(level: Int) { self = 0 }\n}", to: "rssi/Float.swift", lines: 10)
    try write("@_exported import Support", to: "rssi/Kit.swift", lines: 5)
    for name in ["A", "B"] {
      try write("let text\(name) = mean() + [1].last2 + Float(level: 1)", to: "rssi/\(name).swift")
    }
    #expect(try faults().files == ["Sum.swift"])
  }
}
