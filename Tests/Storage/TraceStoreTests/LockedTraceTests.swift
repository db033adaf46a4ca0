import Foundation
import Sightings
import Support
import TestSupport
import Testing
import TraceStore

/// HDF5 locks the files that it opens; the locks of others are respected, and ours are not left.
@Suite struct LockedTraceTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("trace.h5")
  }

  @Test func `a trace that another program writes is not called damaged`() throws {
    _ = try SampleTrace(path, rows: 40)
    let writer = open(path, O_RDWR | O_CLOEXEC)
    try #require(flock(writer, LOCK_EX | LOCK_NB) == 0)
    let error = #expect(throws: RSSIError.self) { try TraceReader(path: path) }
    #expect(error?.kind == .inputOutput)
    #expect(error?.description.contains("another program") == true)
    close(writer)
    #expect(try TraceReader(path: path).sightings().count == 40)
  }

  /// HDF5 looks at a file's length and at the length that it declares one after the other: a writer
  /// that ends between both leaves a file that seems to be cut.
  @Test func `a trace that seems cut while it is written is opened again`() throws {
    _ = try SampleTrace(path, rows: 40)
    let length = off_t(fileLength(path))
    let end = try Data(contentsOf: URL(filePath: path)).last
    try #require(end == 0, "a byte that is cut off and added is the same")
    let writer = open(path, O_RDWR | O_CLOEXEC)
    try #require(lockForWriting(writer))
    let growing = Thread {
      while !Thread.current.isCancelled {
        ftruncate(writer, length - 1)
        ftruncate(writer, length)
      }
      close(writer)
    }
    growing.start()
    defer { growing.cancel() }
    for _ in 0..<100 { #expect(try TraceReader(path: path).count == 40) }
  }

  /// A program that starts meanwhile may inherit the descriptor, and a lock with it.
  @Test func `a descriptor that outlives its writer locks nothing`() throws {
    let sample = try SampleTrace(path, rows: 40)
    var writer = try FilteredWriter(
      copying: try TraceReader(path: path), to: path, name: "kalman", chain: "kalman in words",
      provenance: Provenance(
        stage: "filter", toolVersion: "1.2.3", commandLine: "rssi filter", inputs: []))
    let inherited = openFiles(in: directory).map { dup($0) }
    defer { for descriptor in inherited { close(descriptor) } }
    try #require(!inherited.isEmpty)
    try writer.append(rssi: sample.rows.rssi, variance: sample.rows.rssi.map { _ in 1 })
    try writer.finish(links: [])
    #expect(try TraceReader(path: path).sightings().count == 40)
  }

  /// The descriptors of this process that are open for files of a directory.
  private func openFiles(in directory: TemporaryDirectory) -> [Int32] {
    let folder = "/proc/self/fd"
    let files = FileManager.default
    return ((try? files.contentsOfDirectory(atPath: folder)) ?? []).compactMap { name in
      let target = try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      return target?.hasPrefix(directory.url.path) == true ? Int32(name) : nil
    }
  }
}
