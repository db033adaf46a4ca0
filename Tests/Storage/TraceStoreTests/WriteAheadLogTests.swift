import Foundation
import Glibc
import Sightings
import Support
import TestSupport
import Testing
import TraceStore

/// Traces whose writer was killed or lost power, as their log has them.
@Suite struct WriteAheadLogTests {
  private static let flushes = 12
  private static let rowsPerFlush = 25
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("live.h5")
  }

  /// Writes a trace that grows in every flush, and leaves it as a killed writer does.
  private func abandon(_ path: String, level: Float = -60) throws {
    var sink = try LiveTraceSink(
      path: path, start: 0, provenance: SampleTrace.provenance, clock: "as recorded")
    for flush in 0..<Self.flushes {
      let (rows, catalogue) = block(flush, level: level)
      try sink.append(rows, payloads: NewPayloads(), catalogue: catalogue)
    }
  }

  private func block(_ flush: Int, level: Float) -> (SightingColumns, Catalogue) {
    var catalogue = Catalogue()
    catalogue.beacons = (0...flush).map { Node(id: "tag \($0)", kind: "other") }
    catalogue.receivers = [Node(id: "phone", kind: "receiver")]
    catalogue.traces = ["walk"]
    var rows = SightingColumns(capacity: Self.rowsPerFlush)
    rows.append(
      contentsOf: (0..<Self.rowsPerFlush).map {
        Sighting(
          time: Int64(flush * Self.rowsPerFlush + $0), beacon: UInt32($0 % (flush + 1)),
          receiver: 0, trace: 0, rssi: level - Float($0))
      })
    return (rows, catalogue)
  }

  /// The rows that a reader finds, each as text.
  private func rows(of path: String) throws -> [String] {
    let reader = try TraceReader(path: path)
    var block = SightingColumns(capacity: 0)
    try reader.read(0..<reader.count, into: &block)
    return block.rssi.indices.map {
      "\(block.time[$0]) \(reader.catalogue.beacons[Int(block.beacon[$0])].id) \(block.rssi[$0])"
    }
  }

  private var log: Data {
    get throws { try Data(contentsOf: URL(filePath: path + ".wal")) }
  }

  private func setLog(_ bytes: Data) throws {
    try bytes.write(to: URL(filePath: path + ".wal"))
  }

  private static let all = flushes * rowsPerFlush

  @Test func `a killed trace is read from its log`() throws {
    try abandon(path)
    let expected = try rows(of: path)
    #expect(expected.count == Self.all)
    #expect(expected.last == "299 tag 0 -84.0")
    // Nothing of the trace itself is needed.
    let length = try Data(contentsOf: URL(filePath: path)).count
    try Data(count: length).write(to: URL(filePath: path))
    var head = Data([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A])
    head.append(Data(count: length - 8))
    try head.write(to: URL(filePath: path))
    #expect(try rows(of: path) == expected)
    #expect(try !TraceReader(path: path).isClean)
  }

  @Test func `a log that ends anywhere has the first flushes`() throws {
    try abandon(path)
    let (whole, expected) = (try log, try rows(of: path))
    var counts: [Int] = []
    for length in stride(from: 24, through: whole.count, by: 1 + whole.count / 160) {
      try setLog(whole.prefix(length))
      // Without its first record a log is none, and the trace itself is read.
      let found = try rows(of: path)
      #expect(found == Array(expected.prefix(found.count)))
      #expect(found.count % Self.rowsPerFlush == 0)
      counts.append(found.count)
    }
    let read = counts.drop { $0 == Self.all }
    #expect(read.first == 0 && zip(read, read.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(Set(read).count >= Self.flushes, "each flush is there as soon as its record is")
  }

  @Test(arguments: 0..<8)
  func `a mutated log has the first flushes or is refused`(_ seed: UInt64) throws {
    try abandon(path)
    let (whole, expected) = (try log, try rows(of: path))
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      var bytes = whole
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        for _ in 0..<3 {
          bytes[Int.random(in: 24..<bytes.count, using: &generator)] ^=
            1 << UInt8.random(in: 0..<8, using: &generator)
        }
      case 1:
        // A page that never reached the disk.
        let start = Int.random(in: 24..<bytes.count, using: &generator)
        bytes.resetBytes(in: start..<min(start + 4096, bytes.count))
      case 2:
        let start = Int.random(in: 24..<bytes.count, using: &generator)
        bytes.removeSubrange(start..<min(start + 100, bytes.count))
      default:
        let start = Int.random(in: 24..<bytes.count, using: &generator)
        bytes.append(contentsOf: whole[start...])
      }
      try setLog(bytes)
      let found = try rows(of: path)
      #expect(found == Array(expected.prefix(found.count)))
    }
  }

  @Test func `the log of another trace is ignored`() throws {
    try abandon(path, level: -30)
    let other = directory.path("other.h5")
    try abandon(other, level: -50)
    try FileManager.default.removeItem(atPath: path + ".wal")
    try FileManager.default.copyItem(atPath: other + ".wal", toPath: path + ".wal")
    #expect(try rows(of: path).first == "0 tag 0 -30.0")
    #expect(try rows(of: other).first == "0 tag 0 -50.0")
  }

  @Test func `a finished trace has no log`() throws {
    let sink = try LiveTraceSink(
      path: path, start: 0, provenance: SampleTrace.provenance, clock: "as recorded")
    #expect(try directory.names() == ["live.h5", "live.h5.wal"])
    try sink.finish(block(0, level: -60).1)
    #expect(try directory.names() == ["live.h5"])
  }

  @Test func `the log follows its trace`() throws {
    var sink = try LiveTraceSink(
      path: path, start: 0, provenance: SampleTrace.provenance, clock: "as recorded")
    #expect(rename(path, directory.path("moved.h5")) == 0)
    let (block, catalogue) = block(0, level: -60)
    try sink.append(block, payloads: NewPayloads(), catalogue: catalogue)
    #expect(try directory.names() == ["moved.h5", "moved.h5.wal"])
    try sink.finish(catalogue)
    #expect(try directory.names() == ["moved.h5"])
  }

  @Test func `the log is as private as its trace`() throws {
    _ = try directory.write("old", to: "live.h5", permissions: 0o600)
    try abandon(path)
    for name in try directory.names() {
      let attributes = try FileManager.default.attributesOfItem(atPath: directory.path(name))
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
  }

  @Test func `repair folds the log in`() throws {
    try abandon(path)
    let expected = try rows(of: path)
    try pack(TraceReader(path: path), to: path, adding: nil)
    #expect(try directory.names() == ["live.h5"])
    #expect(try rows(of: path) == expected)
    #expect(try TraceReader(path: path).isClean)
  }

  @Test func `a new trace replaces the log of a killed one`() throws {
    try abandon(path, level: -30)
    try abandon(path, level: -70)
    #expect(try rows(of: path).first == "0 tag 0 -70.0")
    let sink = try TraceSink(path: path, provenance: SampleTrace.provenance)
    try sink.finish(block(0, level: -60).1)
    #expect(try directory.names() == ["live.h5"])
  }

  @Test func `another file of that name is kept`() throws {
    _ = try directory.write("mine", to: "live.h5.wal")
    let sink = try TraceSink(path: path, provenance: SampleTrace.provenance)
    try sink.finish(block(0, level: -60).1)
    #expect(throws: RSSIError.self) { try abandon(path) }
    #expect(try String(contentsOfFile: path + ".wal", encoding: .utf8) == "mine")
  }

  @Test func `a log that is named is refused with its trace`() throws {
    try abandon(path)
    let error = #expect(throws: RSSIError.self) { try TraceReader(path: path + ".wal") }
    #expect(error?.description.contains("the log of \(path)") == true, "\(error!)")
  }
}
