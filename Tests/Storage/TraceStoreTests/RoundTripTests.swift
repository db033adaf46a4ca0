import Sightings
import Support
import TestSupport
import Testing
import TraceStore

@Suite struct RoundTripTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(arguments: [1, 7, 64, 300, 65_536])
  func `every column comes back in blocks of any size`(rows: Int) throws {
    let path = directory.path("trace.h5")
    let sample = try SampleTrace(path, rows: 300)
    let reader = try TraceReader(path: path)
    #expect(reader.count == 300)
    #expect(reader.isClean)
    #expect(try reader.sightings(rows: rows).numbers == sample.rows.numbers)
  }

  @Test func `the tables come back`() throws {
    let path = directory.path("trace.h5")
    let sample = try SampleTrace(path, rows: 300)
    let read = try TraceReader(path: path).catalogue
    // Text, since NaN does not equal itself.
    #expect("\(read.beacons)" == "\(sample.catalogue.beacons)")
    #expect("\(read.receivers)" == "\(sample.catalogue.receivers)")
    #expect("\(read.truth)" == "\(sample.catalogue.truth)")
    #expect(read.traces == sample.catalogue.traces)
    #expect(read.advertisers == sample.catalogue.advertisers)
    #expect(read.levels == sample.catalogue.levels)
    #expect(read.stays == sample.catalogue.stays)
    #expect(read.rejected == sample.catalogue.rejected)
    #expect(read.stays.count > 1 && read.truth.count > 100 && read.advertisers.count > 4)
    #expect(read.levels.count > 100)
  }

  @Test func `payloads come back and nothing else does`() throws {
    let path = directory.path("trace.h5")
    let sample = try SampleTrace(path, rows: 300)
    let payloads = try TraceReader(path: path).payloads()
    #expect(try (0..<payloads.count).map { try Array(payloads[UInt32($0)]) } == sample.payloads)
    #expect(sample.payloads.contains([]))
    #expect(try payloads[UInt32(payloads.count)].isEmpty)
    #expect(try payloads[Sighting.none].isEmpty)
  }

  @Test func `provenance comes back`() throws {
    let path = directory.path("trace.h5")
    _ = try SampleTrace(path, rows: 3)
    #expect(try TraceReader(path: path).provenance == [SampleTrace.provenance])
  }

  @Test func `only the columns asked for are read`() throws {
    let path = directory.path("trace.h5")
    let sample = try SampleTrace(path, rows: 30)
    try TraceReader(path: path).forEachBlock([.rssi, .stay]) { block in
      #expect(block.stay == sample.rows.stay)
      #expect(block.rssi.count == 30)
      #expect(block.time.isEmpty && block.beacon.isEmpty && block.payload.isEmpty)
    }
  }

  @Test func `a recording without sightings is a trace without rows`() throws {
    let path = directory.path("trace.h5")
    _ = try SampleTrace(path, rows: 0)
    let reader = try TraceReader(path: path)
    #expect(reader.count == 0)
    #expect(reader.catalogue.traces == ["walk 1", "Gang über Hof"])
    #expect(try reader.sightings().isEmpty)
  }

  /// Around 1970, and at both ends of the times that there are.
  @Test(
    arguments: [
      -500_000_000, -4_000_000_000_000_000_123, -9_200_000_000_000_000_000,
      9_000_000_000_000_000_000,
    ] as [Int64])
  func `starts at any time`(start: Int64) throws {
    let path = directory.path("trace.h5")
    let sample = try SampleTrace(path, rows: 20, start: start)
    #expect(try TraceReader(path: path).sightings().time == sample.rows.time)
  }

  /// Centuries apart a double is coarser than a microsecond, but it must not overflow.
  @Test func `holds times that are centuries apart`() throws {
    let path = directory.path("trace.h5")
    var builder = TraceBuilder(into: try TraceSink(path: path, provenance: SampleTrace.provenance))
    let end = Timestamp.limit * Timestamp.second
    _ = try builder.add("beacon", role: .beacon)
    _ = try builder.add("receiver", role: .receiver)
    _ = try builder.trace(named: "trace")
    for time in [.min, -end, 0, end, .max] {
      try builder.append(Sighting(time: time, beacon: 0, receiver: 0, trace: 0, rssi: -60))
    }
    let catalogue = try builder.complete()
    try builder.takeSink().finish(catalogue)
    let times = try TraceReader(path: path).sightings().time
    #expect(times[1] == -end)
    #expect(abs(times[2]) < 1_000)
    #expect(abs(times[3] - end) < 4_000)
  }

  @Test(arguments: [String(repeating: "é", count: 81), "a\u{0}b", "a\u{0}"])
  func `a name that the file cannot hold is refused`(name: String) throws {
    let path = directory.path("trace.h5")
    var builder = TraceBuilder(into: try TraceSink(path: path, provenance: SampleTrace.provenance))
    _ = try builder.add(name, role: .beacon)
    let catalogue = try builder.complete()
    let sink = builder.takeSink()
    do {
      try sink.finish(catalogue)
      Issue.record("the name was taken")
    } catch let error as RSSIError {
      #expect(error.kind == .badInput)
      #expect(error.description.contains(path))
    }
    #expect(try directory.names() == [])
  }
}
