import Advertising
import Sightings
import TestSupport
import Testing
import TraceStore

/// Whole chunks are compressed and expanded by the program, parts of them by HDF5.
@Suite struct PackedChunkTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Columns of one value, of the same value again and of another, columns like one another, of
  /// noise, and a part of a chunk; HDF5 reads blocks of 50,000 rows.
  @Test(arguments: [65_536, 131_072, 50_000])
  func `whole chunks are read back`(blockRows: Int) throws {
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

    let read = try TraceReader(path: path).sightings(rows: blockRows)
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

  /// Levels that are appended within a chunk, and chunks of another program: of any length, with
  /// other filters, or without those that they skipped.
  @Test(arguments: ["as they are", "of 3,000 rows", "not shuffled", "skipped"])
  func `chunks of filters and of other programs are read`(chunks: String) throws {
    let path = directory.path("trace.h5")
    let sample = try SampleTrace(path, rows: 70_000)
    let levels = sample.rows.rssi.map { $0 / 3 }
    try addFilter("kalman", levels, to: path)
    let script = """
      import sys, h5py
      with h5py.File(sys.argv[1], 'r+') as f:
          for name in ['sightings/time_s', 'sightings/rssi_dbm', 'filtered/kalman/rssi_dbm']:
              values = f[name][:]
              if sys.argv[2] == 'skipped':
                  f[name].id.write_direct_chunk((0,), values[:65536].tobytes(), 3)
                  continue
              shuffle, chunk = {'of 3,000 rows': (True, 3000), 'not shuffled': (False, 65536)}[sys.argv[2]]
              del f[name]
              f.create_dataset(name, data=values, chunks=(chunk,), maxshape=(None,), shuffle=shuffle, compression=4)
      """
    if chunks != "as they are" {
      let result = try runPython(script, [path, chunks])
      #expect(result.error == "")
    }
    for rows in [65_536, 3_000, 7_919] {
      let reader = try TraceReader(path: path)
      #expect(try reader.sightings(rows: rows).numbers == sample.rows.numbers)
      let found = try reader.sightings(filtered: "kalman", rows: rows).rssi
      #expect(
        found.map { $0.isNaN ? 0 : $0.bitPattern } == levels.map { $0.isNaN ? 0 : $0.bitPattern })
    }
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
