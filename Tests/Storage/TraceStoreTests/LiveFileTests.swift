import Foundation
import Glibc
import Sightings
import Support
import TestSupport
import Testing
import TraceStore

/// Access by other programs to a trace while it is being written.
@Suite struct LiveFileTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func sink(_ path: String) throws -> LiveTraceSink {
    var sink = try LiveTraceSink(
      path: path, start: 0, provenance: SampleTrace.provenance, clock: "as recorded")
    var rows = SightingColumns(capacity: 3)
    rows.append(
      contentsOf: (0..<3).map {
        Sighting(time: Int64($0), beacon: 0, receiver: 0, trace: 0, rssi: -60)
      })
    try sink.append(rows, payloads: NewPayloads(), catalogue: catalogue)
    return sink
  }

  private var catalogue: Catalogue {
    var catalogue = Catalogue()
    catalogue.beacons = [Node(id: "tag", kind: "other")]
    catalogue.receivers = [Node(id: "phone", kind: "receiver")]
    catalogue.traces = ["walk"]
    return catalogue
  }

  @Test func `a file left alone keeps its name`() throws {
    let path = directory.path("live.h5")
    let sink = try sink(path)
    #expect(sink.place == .unchanged)
    let file = try sink.finish(catalogue)
    #expect(file.path == path && file.fate == .kept && file.isInPlace)
  }

  @Test(arguments: [0, 1, 4096, 20_000])
  func `a truncated file is noticed`(_ length: off_t) async throws {
    // HDF5 is of no use to a process in which a write was given up.
    await #expect(processExitsWith: .success) { [length] in
      let directory = try TemporaryDirectory()
      let path = directory.path("live.h5")
      var sink = try LiveFileTests().sink(path)
      #expect(truncate(path, length) == 0)
      let error = #expect(throws: RSSIError.self) {
        try sink.append(
          SightingColumns(capacity: 0), payloads: NewPayloads(), catalogue: Catalogue())
      }
      #expect(error?.kind == .inputOutput)
      #expect(error?.description.contains("truncated") == true)
    }
  }

  @Test func `a moved file is followed`() throws {
    let (path, other) = (directory.path("live.h5"), directory.path("moved.h5"))
    let sink = try sink(path)
    #expect(rename(path, other) == 0)
    #expect(sink.place == .moved(to: other))
    // Another program's file of the old name is none of ours.
    _ = try directory.write("foreign", to: "live.h5")
    #expect(sink.place == .moved(to: other))
    let file = try sink.finish(catalogue)
    #expect(file.path == other && file.fate == .moved && file.isInPlace)
    #expect(try TraceReader(path: other).count == 3)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "foreign")
  }

  @Test func `a folder that is renamed is followed`() throws {
    let folder = directory.path("folder")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let sink = try sink(folder + "/live.h5")
    #expect(rename(folder, directory.path("renamed")) == 0)
    #expect(sink.place == .moved(to: directory.path("renamed/live.h5")))
    #expect(try sink.finish(catalogue).path == directory.path("renamed/live.h5"))
  }

  @Test(arguments: [false, true])
  func `a deleted file is saved`(_ isReplaced: Bool) throws {
    let (path, copy) = (directory.path("live.h5"), directory.path("copy.h5"))
    let sink = try sink(path)
    unlink(path)
    if isReplaced { _ = try directory.write("foreign", to: "live.h5") }
    #expect(sink.place == .deleted)
    let file = try sink.finish(
      catalogue, orCopyTo: [directory.path("missing/copy.h5"), copy])
    #expect(file.path == copy && file.fate == .saved && file.isInPlace)
    let reader = try TraceReader(path: copy)
    #expect(reader.isClean && reader.count == 3)
    #expect(try directory.names() == ["copy.h5"] + (isReplaced ? ["live.h5"] : []))
  }

  @Test func `a hard link alone is saved under a name`() throws {
    let (path, link) = (directory.path("live.h5"), directory.path("link"))
    let sink = try sink(path)
    #expect(Glibc.link(path, link) == 0)
    unlink(path)
    #expect(sink.place == .deleted)
    #expect(try sink.finish(catalogue, orCopyTo: [path]).path == path)
  }

  @Test func `a failure to save is an error`() throws {
    let path = directory.path("live.h5")
    let sink = try sink(path)
    unlink(path)
    do throws(RSSIError) {
      try sink.finish(catalogue, orCopyTo: [directory.path("missing/copy.h5")])
      Issue.record("the data are lost without an error")
    } catch {
      #expect(error.kind == .inputOutput)
    }
  }

  @Test func `a file that is replaced later is not ours`() throws {
    let path = directory.path("live.h5")
    let file = try sink(path).finish(catalogue)
    unlink(path)
    #expect(!file.isInPlace)
    _ = try directory.write("foreign", to: "live.h5")
    #expect(!file.isInPlace)
  }
}
