import Sightings
import Support
import TestSupport
import Testing
import TraceStore

/// The floors of a trace: through every way that a trace is written, and for other programs.
@Suite struct TraceFloorTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("trace.h5")
  }

  /// Writes a trace with three floors.
  private func write() throws -> Catalogue {
    var builder = TraceBuilder(
      into: try TraceSink(path: path, provenance: SampleTrace.provenance), blockRows: 1)
    for name in ["walk", "lift", "yard"] { _ = try builder.trace(named: name) }
    _ = try builder.add("phone", role: .receiver)
    for name in ["a", "b"] { _ = try builder.add(name, role: .beacon) }
    for row in 0..<3 {
      try builder.append(
        Sighting(time: Int64(row), beacon: 0, receiver: 0, trace: UInt16(row), rssi: -60))
    }
    var hall = Floor(name: "Halle")
    (hall.level, hall.height, hall.shiftX, hall.shiftY) = (-3, -9.5, 100, -0.25)
    let floors = [
      try builder.floor(named: "F1"), try builder.add(hall), try builder.floor(named: "attic"),
    ]
    builder.setFloor(1, ofTrace: 2)
    builder.update(.beacon, 1) { $0.floor = 1 }
    builder.update(.receiver, 0) { $0.floor = 2 }
    for (time, floor) in (floors + [nil]).enumerated() {
      builder.append(
        TruthPoint(
          time: Int64(time), role: .receiver, node: 0, trace: 1, floor: floor, x: Double(time),
          y: 0,
          z: .nan))
    }
    var catalogue = try builder.complete()
    catalogue.revisedBeacons = 0..<0
    try builder.takeSink().finish(catalogue)
    return catalogue
  }

  private func change(_ script: String) throws {
    let result = try runPython(
      "import sys, h5py, numpy as np\nf = h5py.File(sys.argv[1], 'r+')\n\(script)\nf.close()",
      [path])
    try #require(result.exitCode == 0, "\(result.error)")
  }

  @Test func `come back, also from a packed copy`() throws {
    let written = try write()
    let reader = try TraceReader(path: path)
    #expect("\(reader.catalogue)" == "\(written)")
    #expect(reader.catalogue.truth.map(\.floor) == [0, 1, 2, nil])
    #expect(reader.catalogue.traceFloors == [2: 1])
    let copy = directory.path("packed.h5")
    try pack(reader, to: copy, adding: nil)
    #expect("\(try TraceReader(path: copy).catalogue)" == "\(written)")
  }

  @Test func `are columns for other programs`() throws {
    _ = try write()
    try change(
      """
      assert list(f['floors/name'].asstr()) == ['F1', 'Halle', 'attic']
      assert list(f['floors/level']) == [1, -3, -32768] and f['floors/level'].dtype == '<i2'
      assert f['floors/height_m'][1] == -9.5 and np.isnan(f['floors/height_m'][0])
      assert list(f['truth/positions/floor']) == [0, 1, 2, 65535]
      assert list(f['beacons/floor']) == [65535, 1] and list(f['receivers/floor']) == [2]
      assert list(f['traces/floor']) == [65535, 65535, 1]
      assert f['traces/floor'].attrs['_FillValue'] == 65535
      assert f['truth/positions/floor'].dims[0][0] == f['truth/positions/time_s']
      """)
  }

  @Test func `leave no trace in a file without them`() throws {
    _ = try SampleTrace(path, rows: 30)
    try change(
      """
      names = []
      f.visit(names.append)
      assert not [name for name in names if 'floor' in name], names
      """)
    #expect(try TraceReader(path: path).catalogue.floors.isEmpty)
  }

  @Test(arguments: [
    "f['truth/positions/floor'][1] = 3", "f['beacons/floor'][0] = 9", "f['receivers/floor'][0] = 3",
    "f['traces/floor'][1] = 65534", "del f['floors']",
    "for c in f['floors'].values(): c.resize(1, 0)",
  ])
  func `a reference to a missing floor is damage`(script: String) throws {
    _ = try write()
    try change(script)
    let error = #expect(throws: RSSIError.self) { try TraceReader(path: path) }
    #expect(
      error?.description.contains(
        "a table of \(path) refers to a floor that /floors does not contain: it is damaged") == true
    )
    // The writer of such a file did not finish it.
    try change("f.attrs.modify('clean', np.uint8(0))")
    let rest = try TraceReader(path: path).catalogue
    #expect(rest.truth.count == 4)
    #expect(
      (rest.truth.map(\.floor) + rest.beacons.map(\.floor)).allSatisfy {
        Int($0 ?? 0) < max(1, rest.floors.count)
      })
  }

  @Test(arguments: ["floors/level", "truth/positions/floor"])
  func `columns of unequal length are damage`(name: String) throws {
    _ = try write()
    try change("f['\(name)'].resize(1, 0)")
    let error = #expect(throws: RSSIError.self) { try TraceReader(path: path) }
    #expect(error?.description.contains("rssi repair") == true)
  }

  @Test func `positions have them`() throws {
    _ = try write()
    var rows = (0..<3).map { StoredPosition(time: $0, role: .receiver, node: 0, trace: 1) }
    rows[1].floor = 2
    rows[1].floorProbabilities = [0.25, 0, 0.75]
    for name in ["with", "without"] {
      if name == "without" { (rows[1].floor, rows[1].floorProbabilities) = (nil, []) }
      let positions = StoredPositions(name: name, algorithm: "x", settings: [:], rows: rows)
      let reader = try TraceReader(path: path, toRewriteAt: path)
      try TraceStore.write(positions, into: reader, at: path, adding: SampleTrace.provenance)
      try pack(try TraceReader(path: path, toRewriteAt: path), to: path, adding: nil)
      #expect("\(try TraceReader(path: path).positions(name))" == "\(rows)")
    }
    try change(
      """
      assert 'floor' in f['positions/with'] and 'floor' not in f['positions/without']
      column = f['positions/with/floor_probability']
      assert column.shape == (3, 3) and list(column[1]) == [0.25, 0, 0.75] and np.isnan(column[0]).all()
      assert column.dims[0][0] == f['positions/with/time_s'] and column.dtype == '<f4'
      assert 'floor_probability' not in f['positions/without']
      """)
  }

  @Test(arguments: [
    "(2, 3), chunks=(2, 3)", "(3,), chunks=(3,)", "(3, 3)", "(3, 65536), chunks=(1, 16)",
    "(3, 60000), chunks=(3, 60000)", "(3, 60000), chunks=(1, 60000)",
  ])
  func `crafted probabilities`(_ layout: String) throws {
    _ = try write()
    let rows = (0..<3).map { StoredPosition(time: $0, role: .receiver, node: 0, trace: 1) }
    let reader = try TraceReader(path: path, toRewriteAt: path)
    try TraceStore.write(
      StoredPositions(name: "x", algorithm: "x", settings: [:], rows: rows), into: reader, at: path,
      adding: SampleTrace.provenance)
    try change("f['positions/x'].create_dataset('floor_probability', \(layout), dtype='<f4')")
    let error = #expect(throws: RSSIError.self) { try TraceReader(path: path).positions("x") }
    #expect(error?.description.contains("floor_probability of /positions/x") == true)
  }
}
