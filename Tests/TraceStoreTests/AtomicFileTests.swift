import Foundation
import Sightings
import TestSupport
import Testing
import TraceStore

@Suite struct AtomicFileTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func appearsWhenItIsCommitted() throws {
    let path = directory.path("out")
    var file = try AtomicFile(path: path)
    try Data("new".utf8).write(to: URL(filePath: file.temporaryPath))
    #expect(!FileManager.default.fileExists(atPath: path))
    try file.commit()
    #expect(try directory.names() == ["out"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
  }

  @Test func leavesAnOlderFileAsItWasUnlessCommitted() throws {
    let path = try directory.write("old", to: "out")
    do {
      let file = try AtomicFile(path: path)
      try Data("new".utf8).write(to: URL(filePath: file.temporaryPath))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    }
    #expect(try directory.names() == ["out"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
  }

  @Test func saysWhereItCannotWrite() throws {
    let missing = directory.path("nowhere/out")
    #expect { _ = try AtomicFile(path: missing) } throws: { isRefused($0, missing) }
    #expect { _ = try AtomicFile(path: directory.url.path) } throws: {
      isRefused($0, directory.url.path)
    }
    #expect { _ = try AtomicFile(path: "/dev/null") } throws: { isRefused($0, "/dev/null") }
  }

  @Test func writesThroughALink() throws {
    let target = try directory.write("old", to: "target")
    let link = directory.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    var file = try AtomicFile(path: link)
    try Data("new".utf8).write(to: URL(filePath: file.temporaryPath))
    try file.commit()
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
  }

  private func isRefused(_ error: any Error, _ path: String) -> Bool {
    (error as? TraceError)?.kind == .inputOutput && "\(error)".contains(path)
  }

  /// A stage that stops half-way leaves no trace, and an older one as it was.
  @Test func aWriterThatNeverFinishesLeavesNothing() throws {
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
