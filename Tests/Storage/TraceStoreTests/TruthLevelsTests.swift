import Sightings
import TestSupport
import Testing
import TraceStore

/// True levels of links, through every way that a trace is written, copied and read.
@Suite struct TruthLevelsTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Changes a file with h5py.
  private func change(_ path: String, _ script: String) throws {
    let result = try runPython(
      "import sys, h5py\nf = h5py.File(sys.argv[1], 'r+')\n\(script)\nf.close()", [path])
    try #require(result.exitCode == 0, "\(result.error)")
  }

  private func step(_ stage: String) -> Provenance {
    Provenance(stage: stage, toolVersion: "1.2.3", commandLine: "rssi \(stage)", inputs: [])
  }

  @Test func `a file of an earlier program has none`() throws {
    let path = directory.path("trace.h5")
    let sample = try SampleTrace(path, rows: 40)
    try change(path, "del f['truth/levels']")
    let reader = try TraceReader(path: path)
    #expect(reader.catalogue.levels.isEmpty)
    #expect(reader.catalogue.stays == sample.catalogue.stays)
    #expect(try reader.sightings().numbers == sample.rows.numbers)
    // Packed, it has the table, without rows.
    try pack(reader, to: path, adding: nil)
    try change(path, "assert f['truth/levels/rssi_dbm'].shape == (0,)")
  }

  @Test func `packing and filtering keep them`() throws {
    let path = directory.path("trace.h5")
    let sample = try SampleTrace(path, rows: 300)
    try addFilter("kalman", sample.rows.rssi, to: path, output: directory.path("filtered.h5"))
    let filtered = try TraceReader(path: directory.path("filtered.h5"))
    #expect(filtered.catalogue.levels == sample.catalogue.levels)
    try pack(filtered, to: directory.path("packed.h5"), adding: step("pack"))
    let packed = try TraceReader(path: directory.path("packed.h5"))
    #expect(packed.catalogue.levels == sample.catalogue.levels)
    #expect(packed.filterNames() == ["kalman"])
  }

  /// What a stopped writer left: levels of nodes that never reached the file go, the others stay.
  @Test func `an unfinished file keeps those of its nodes`() throws {
    let path = directory.path("trace.h5")
    let sample = try SampleTrace(path, rows: 40)
    try change(
      path,
      """
      f.attrs['clean'] = f.attrs['clean'].dtype.type(0)
      f['truth/levels/beacon'][1] = 77
      f['truth/levels/rssi_dbm'].resize((20,))
      """)
    let reader = try TraceReader(path: path)
    var expected = Array(sample.catalogue.levels.prefix(20))
    expected.remove(at: 1)
    #expect(reader.catalogue.levels == expected)
    try pack(reader, to: path, adding: step("repair"))
    let repaired = try TraceReader(path: path)
    #expect(repaired.isClean)
    #expect(repaired.catalogue.levels == expected)
  }

  /// While a trace is written, its levels grow with it.
  @Test func `a live trace has them at once`() throws {
    let path = directory.path("live.h5")
    var sink = try LiveTraceSink(
      path: path, start: 0, provenance: step("capture"), clock: "as recorded")
    var catalogue = Catalogue()
    catalogue.beacons = [Node(id: "tag", kind: "other")]
    catalogue.receivers = [Node(id: "phone", kind: "receiver")]
    catalogue.traces = ["walk"]
    var added: [TruthLevel] = []
    for count in [3, 3, 10, 70_000] {
      while added.count < count {
        added.append(
          TruthLevel(
            time: Int64(added.count) * 1_000_000, beacon: 0, receiver: 0, trace: 0,
            rssi: -Float(added.count) / 1000))
      }
      catalogue.levels = added
      try sink.update(catalogue)
      // HDF5 refuses a file to read that the same process writes.
      let seen = try runPython(
        """
        import sys, h5py
        with h5py.File(sys.argv[1], 'r', swmr=True) as f:
            levels = f['truth/levels']
            print({len(column) for column in levels.values()}, levels['rssi_dbm'][-1])
        """, [path])
      #expect(seen.output == "{\(count)} \(added[count - 1].rssi)\n", "\(seen.error)")
    }
    try sink.finish(catalogue)
    #expect(try TraceReader(path: path).catalogue.levels == added)
  }

  @Test func `what is no level is not known`() throws {
    let path = directory.path("trace.h5")
    _ = try SampleTrace(path, rows: 40)
    try change(path, "f['truth/levels/rssi_dbm'][:3] = [127, float('inf'), -128]")
    let levels = try TraceReader(path: path).catalogue.levels
    #expect(levels.map(\.rssi.isNaN) == levels.indices.map { $0 < 3 })
  }
}
