import Advertising
import Sightings
import TestSupport
import Testing
import TraceStore

/// Whole chunks are compressed by the program and not by HDF5, which reads them back here.
@Suite struct PackedChunkTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Columns of one value, of the same value again and of another, columns like one another, of
  /// noise, and a part of a chunk.
  @Test func `whole chunks are read back`() throws {
    let path = directory.path("trace.h5")
    var random = SeededGenerator(seed: 3)
    var sink = try TraceSink(path: path, provenance: SampleTrace.provenance)
    var catalogue = Catalogue()
    for number in 0..<300 {
      catalogue.beacons.append(Node(id: "b\(number)", kind: "other"))
      catalogue.receivers.append(Node(id: "r\(number)", kind: "receiver"))
      catalogue.traces.append("t\(number)")
    }
    var expected = SightingColumns(capacity: 0)
    for (kind, count) in [(299, 65_536), (299, 65_536), (2, 65_536), (7, 65_536), (0, 1_000)] {
      let rows = (0..<count).map { row -> Sighting in
        let number =
          switch kind {
          case 0: UInt16.random(in: 0..<300, using: &random)
          case 7: UInt16(row % 300)
          default: UInt16(kind)
          }
        var sighting = Sighting(
          time: kind == 2 ? 5 : Int64(row) * 1_000, beacon: UInt32(number), receiver: number,
          trace: number, rssi: kind == 2 ? .nan : Float(Int(number) * row % 127) - 127)
        sighting.advertiser = UInt32(number) << 16
        sighting.eventType = number &* 77
        sighting.channel = UInt8(truncatingIfNeeded: number)
        sighting.sid = UInt8(truncatingIfNeeded: number) &+ 1
        sighting.txPower = Int8(truncatingIfNeeded: number)
        sighting.payload = UInt32(number) &* 0x0101_0101
        if kind == 7 {
          (sighting.advertiser, sighting.payload) = (sighting.beacon, sighting.beacon)
        }
        return sighting
      }
      var block = SightingColumns(capacity: count)
      block.append(contentsOf: rows)
      try sink.append(block, payloads: NewPayloads(), catalogue: catalogue)
      expected.append(contentsOf: block)
    }
    try sink.finish(catalogue)

    let read = try TraceReader(path: path).sightings()
    #expect(read.time == expected.time)
    #expect(read.beacon == expected.beacon)
    #expect(read.receiver == expected.receiver)
    #expect(read.trace == expected.trace)
    #expect(read.rssi.map(\.bitPattern) == expected.rssi.map(\.bitPattern))
    #expect(read.advertiser == expected.advertiser)
    #expect(read.eventType == expected.eventType)
    #expect(read.channel == expected.channel)
    #expect(read.primaryPHY == expected.primaryPHY)
    #expect(read.sid == expected.sid)
    #expect(read.txPower == expected.txPower)
    #expect(read.dataStatus == expected.dataStatus)
    #expect(read.payload == expected.payload)
    #expect(read.stay == expected.stay)
  }

  /// Files that were hashed while the trace was written are inputs of its stage, in their order.
  @Test func `inputs may be named last`() throws {
    let path = directory.path("trace.h5")
    var early = SampleTrace.provenance
    let late = early.inputs
    early.inputs = []
    try TraceSink(path: path, provenance: early).finish(Catalogue(), inputs: late)
    #expect(try TraceReader(path: path).provenance == [SampleTrace.provenance])
  }
}
