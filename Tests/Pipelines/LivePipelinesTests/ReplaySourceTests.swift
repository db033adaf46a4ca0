import Advertising
import Capture
import Foundation
import Recordings
import Sightings
import Support
import TestSupport
import Testing

@testable import LivePipelines

/// Keeps when reports were handed on, on the clock of a test.
private struct PacedReports: CaptureSink {
  let time: TestTime
  /// Nanoseconds that handling a report takes.
  var work: Int64 = 0
  /// The number of reports that it takes.
  var limit = Int.max
  private(set) var handed: [Int64] = []
  private(set) var recorded: [Int64] = []
  private(set) var ticks: [Int64] = []
  private(set) var counts = DecodingCounts()

  init(_ time: TestTime) { self.time = time }

  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) {
    handed.append(time.monotonic)
    recorded.append(report.time)
    time.advance(work)
  }

  mutating func tick() -> Bool {
    ticks.append(time.monotonic)
    return handed.count < limit
  }

  func receive(event: Span<UInt8>, time: Int64, adapter: UInt16) {}
  func receive(_ sighting: GatewaySighting) {}
  mutating func notice(_ notice: SourceNotice) {
    if case .counts(let counts) = notice { self.counts.merge(counts) }
  }
  var isSaved: Bool { true }
  func save() {}
}

@Suite("Replaying a recording") struct ReplaySourceTests {
  private let folder: TemporaryDirectory
  private let time = TestTime()

  init() throws { folder = try TemporaryDirectory() }

  /// The times of a recording, milliseconds after its first.
  private static let times: [Int64] = [0, 250, 1000, 1000, 4030]

  private func replay(
    _ milliseconds: [Int64] = times, speed: Double, change: (inout PacedReports) -> Void = { _ in }
  ) throws -> PacedReports {
    var sink = PacedReports(time)
    change(&sink)
    var source = ReplaySource(
      files: [try recording(milliseconds, "walk")], speed: speed, clock: time.clock)
    try source.run(into: &sink)
    return sink
  }

  private func recording(_ milliseconds: [Int64], _ name: String) throws -> String {
    let path = folder.path("\(name).btsnoop")
    var writer = try BTSnoopWriter(path: path)
    for time in milliseconds {
      let payload: [UInt8] = [2, 1, 6]
      try writer.receive(
        AdvertisingReport(1_600_000_000_000_000_000 + time * 1_000_000), payload: payload.span)
    }
    try writer.close()
    return path
  }

  @Test func `files follow each other whatever lies between them`() throws {
    let files = [
      try recording([0, 1000], "a"), try recording([86_400_000, 86_402_000], "b"),
    ]
    var sink = PacedReports(time)
    var source = ReplaySource(files: files, speed: 1, clock: time.clock)
    try source.run(into: &sink)
    let first = try #require(sink.handed.first)
    #expect(sink.handed.map { ($0 - first) / 1_000_000 } == [0, 1000, 1000, 3000])
    var stopped = PacedReports(time)
    stopped.limit = 1
    try source.run(into: &stopped)
    #expect(stopped.handed.count == 1)
  }

  @Test func `a folder is replayed as its traces`() throws {
    for name in ["b.h5", "a.h5"] { _ = try folder.write("", to: name) }
    let path = folder.url.path
    #expect(try SourceName("replay:\(path)").replayedFiles() == ["\(path)/a.h5", "\(path)/b.h5"])
    #expect(try SourceName("replay:x.btsnoop").replayedFiles() == ["x.btsnoop"])
    #expect(try SourceName("hci0").replayedFiles() == [])
  }

  @Test(arguments: [0.5, 1, 2, 10])
  func `reports come as fast as asked`(speed: Double) throws {
    let sink = try replay(speed: speed)
    let first = try #require(sink.handed.first)
    let due = Self.times.map { Double($0) / speed }
    let handed = sink.handed.map { Double($0 - first) / 1e6 }
    #expect(handed.count == due.count)
    // A pause is a whole number of milliseconds.
    #expect(zip(handed, due).allSatisfy { $0 >= $1 && $0 - $1 <= 1 }, "\(handed)")
    let start = try #require(sink.recorded.first)
    #expect(sink.recorded.map { ($0 - start) / 1_000_000 } == Self.times)
  }

  @Test func `the sink is asked at least ten times per second`() throws {
    let sink = try replay(speed: 0.5)
    #expect(sink.ticks.count >= 80)
    #expect(zip(sink.ticks, sink.ticks.dropFirst()).allSatisfy { $1 - $0 <= 100_000_000 })
  }

  @Test func `an infinite speed waits for nothing`() throws {
    let began = time.monotonic
    let sink = try replay((0..<2500).map { $0 * 1000 }, speed: .infinity)
    #expect(sink.handed.count == 2500 && time.monotonic == began)
    // Now and then, so that it can be stopped.
    #expect(sink.ticks.count == 2)
  }

  @Test func `a sink that is late catches up`() throws {
    let sink = try replay([0, 1000, 2000, 3000, 10_000], speed: 1) { $0.work = 1_500_000_000 }
    let first = try #require(sink.handed.first)
    #expect(sink.handed.map { ($0 - first) / 1_000_000 } == [0, 1500, 3000, 4500, 10_000])
  }

  @Test func `a time that goes back is not waited for`() throws {
    let sink = try replay([5000, 0, 6000], speed: 1)
    let first = try #require(sink.handed.first)
    #expect(sink.handed.map { ($0 - first) / 1_000_000 } == [0, 0, 1000])
  }

  @Test(arguments: [1, Double.infinity])
  func `the sink ends it`(speed: Double) throws {
    let sink = try replay((0..<5000).map { $0 }, speed: speed) { $0.limit = 1500 }
    #expect(sink.handed.count == (speed.isInfinite ? 1999 : 1500))
    #expect(sink.counts.packetsWithReports == sink.handed.count)
    #expect(sink.counts.sightings == sink.handed.count)
  }
}
