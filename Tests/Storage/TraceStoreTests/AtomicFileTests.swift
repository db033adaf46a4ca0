import Foundation
import Glibc
import Sightings
import Support
import TestSupport
import Testing
import TraceStore

@Suite struct AtomicFileTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func `appears when it is committed`() throws {
    let path = directory.path("out")
    var file = try AtomicFile(path: path)
    try Data("new".utf8).write(to: URL(filePath: file.temporaryPath))
    #expect(!FileManager.default.fileExists(atPath: path))
    try file.commit()
    #expect(try directory.names() == ["out"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
  }

  @Test func `leaves an older file as it was unless committed`() throws {
    let path = try directory.write("old", to: "out")
    do {
      let file = try AtomicFile(path: path)
      try Data("new".utf8).write(to: URL(filePath: file.temporaryPath))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    }
    #expect(try directory.names() == ["out"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
  }

  @Test func `names the place where it cannot write`() throws {
    let missing = directory.path("nowhere/out")
    #expect { _ = try AtomicFile(path: missing) } throws: { isRefused($0, missing) }
    #expect { _ = try AtomicFile(path: directory.url.path) } throws: {
      isRefused($0, directory.url.path)
    }
    for path in ["/dev/null", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/2"] {
      #expect { _ = try AtomicFile(path: path) } throws: { isRefused($0, path) }
      #expect { try AtomicFile.check(path: path) } throws: { isRefused($0, path) }
    }
  }

  @Test func `writes through a link`() throws {
    let target = try directory.write("old", to: "target")
    let link = directory.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    var file = try AtomicFile(path: link)
    try Data("new".utf8).write(to: URL(filePath: file.temporaryPath))
    try file.commit()
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
  }

  @Test func `follows a link to a file that is not there yet`() throws {
    try FileManager.default.createDirectory(
      atPath: directory.path("folder"), withIntermediateDirectories: false)
    let link = directory.path("link")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "folder/target")
    try write("new", to: link)
    #expect(
      try String(contentsOfFile: directory.path("folder/target"), encoding: .utf8) == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "folder/target")
  }

  @Test func `keeps the permissions of the older file`() throws {
    let path = try directory.write("old", to: "out")
    for mode in [0o600, 0o640, 0o664, 0o755] {
      chmod(path, mode_t(mode))
      try write("new", to: path)
      #expect(try attribute(.posixPermissions, of: path) == mode)
    }
  }

  /// Only root may give files away.
  @Test(.needsRoot)
  func `keeps the owner of the older file`() throws {
    let path = try directory.write("old", to: "out")
    chown(path, 12_345, 23_456)
    chmod(path, 0o640)
    try write("new", to: path)
    #expect(try attribute(.ownerAccountID, of: path) == 12_345)
    #expect(try attribute(.groupOwnerAccountID, of: path) == 23_456)
    #expect(try attribute(.posixPermissions, of: path) == 0o640)
  }

  /// A private file is private even during writing.
  @Test func `writes a private file privately`() throws {
    let path = try directory.write("old", to: "out")
    chmod(path, 0o600)
    let file = try AtomicFile(path: path)
    #expect(try attribute(.posixPermissions, of: file.temporaryPath) == 0o600)
  }

  @Test func `takes the longest name`() throws {
    let path = directory.path(String(repeating: "x", count: 255))
    try write("new", to: path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
  }

  @Test func `temporary names cannot be guessed`() throws {
    let path = directory.path("out")
    let one = try AtomicFile(path: path)
    let other = try AtomicFile(path: path)
    #expect(one.temporaryPath != other.temporaryPath)
    #expect(!one.temporaryPath.contains("\(getpid())"))
  }

  @Test func `removes what a killed writer left`() throws {
    let path = directory.path("out")
    let living = try AtomicFile(path: path)
    // As a killed program leaves it: the same kind of name, without a lock.
    let name = URL(filePath: living.temporaryPath).lastPathComponent
    let abandoned = try directory.write("half", to: name.replacing(".partial", with: "x.partial"))
    let foreign = try directory.write("mine", to: ".rssi-notes.partial")
    let next = try AtomicFile(path: path)
    #expect(!FileManager.default.fileExists(atPath: abandoned))
    for path in [living.temporaryPath, next.temporaryPath, foreign] {
      #expect(FileManager.default.fileExists(atPath: path))
    }
  }

  /// The names of a folder's entries end anywhere in the memory that the system gives for them.
  @Test func `a folder may hold many files`() throws {
    for number in 0..<1_500 {
      _ = try directory.write("", to: String(repeating: "n", count: number % 40 + 1) + "\(number)")
    }
    for number in 0..<100 {
      var file = try AtomicFile(path: directory.path("out\(number % 3)"))
      try file.commit()
    }
    #expect(try directory.names().count == 1_503)
  }

  @Test func `refuses a temporary file that was replaced`() throws {
    let path = try directory.write("old", to: "out")
    var file = try AtomicFile(path: path)
    unlink(file.temporaryPath)
    try Data("planted".utf8).write(to: URL(filePath: file.temporaryPath))
    let error = #expect(throws: RSSIError.self) { try file.commit() }
    #expect(error?.kind == .inputOutput)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
  }

  private func write(_ text: String, to path: String) throws {
    var file = try AtomicFile(path: path)
    try Data(text.utf8).write(to: URL(filePath: file.temporaryPath))
    try file.commit()
  }

  private func attribute(_ key: FileAttributeKey, of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[key] as? Int
  }

  private func isRefused(_ error: any Error, _ path: String) -> Bool {
    (error as? RSSIError)?.kind == .inputOutput && "\(error)".contains(path)
  }

  /// A stage that stops half-way leaves no trace, and an older one as it was.
  @Test func `a writer that never finishes leaves nothing`() throws {
    let path = try directory.write("older", to: "trace.h5")
    do {
      var sink = try TraceSink(path: path, provenance: SampleTrace.provenance)
      var rows = SightingColumns(capacity: 1)
      rows.append(contentsOf: [Sighting(time: 1, beacon: 0, receiver: 0, trace: 0, rssi: -60)])
      try sink.append(rows, payloads: NewPayloads(), catalogue: Catalogue())
      // The second block waits until the first is written.
      try sink.append(rows, payloads: NewPayloads(), catalogue: Catalogue())
      #expect(try directory.names().count == 2)
    }
    #expect(try directory.names() == ["trace.h5"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "older")
  }
}
