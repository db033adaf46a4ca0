import Foundation
import Sightings
import Support
import TestSupport
import Testing
import TraceStore

/// An algorithm's positions in a trace: through every way that a trace is written, and for other
/// programs.
@Suite struct PositionsTests {
  let directory: TemporaryDirectory
  let path: String
  let sample: SampleTrace

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("trace.h5")
    sample = try SampleTrace(path, rows: 200)
  }

  private func positions(_ name: String, shift: Double = 0) -> StoredPositions {
    let start = 1_700_000_000 * Timestamp.second
    var first = StoredPosition(time: start, role: .beacon, node: 3, trace: 1)
    (first.x, first.y, first.z) = (1.5 + shift, -2.25, 0.5)
    (first.varianceX, first.covarianceXY, first.varianceY) = (4, -0.5, 2)
    (first.covarianceXZ, first.covarianceYZ, first.varianceZ) = (0.1, 0.2, 3)
    (first.anchors, first.room, first.spot) = (70_000, "Küche", "字")
    var second = StoredPosition(
      time: start + Timestamp.second / 2, role: .receiver, node: 0, trace: 0)
    (second.refusal, second.withoutCovariance) = ("too-few-anchors", "")
    return StoredPositions(
      name: name, algorithm: "weighted-centroid:degree=1",
      settings: ["epoch": "1s", "levels": "raw"], rows: [first, second])
  }

  private func add(_ positions: StoredPositions, to output: String? = nil) throws {
    try write(
      positions, into: try TraceReader(path: path), at: output ?? path,
      adding: Provenance(
        stage: "locate", toolVersion: "1.2.3", commandLine: "rssi locate", inputs: []))
  }

  // NaN differs from itself, its description does not.
  private func expect(_ name: String, _ written: StoredPositions, in path: String) throws {
    let reader = try TraceReader(path: path)
    #expect("\(try reader.positions(name))" == "\(written.rows)")
  }

  @Test(arguments: [true, false])
  func `are read back and leave the rest`(inPlace: Bool) throws {
    let output = inPlace ? path : directory.path("located.h5")
    try add(positions("grid-filter"), to: output)
    let reader = try TraceReader(path: output)
    #expect(reader.positionNames() == ["grid-filter"])
    try expect("grid-filter", positions("grid-filter"), in: output)
    #expect("\(reader.catalogue)" == "\(sample.catalogue)")
    #expect(reader.count == 200 && reader.provenance.last?.stage == "locate")
  }

  @Test func `one of the same name replaces it`() throws {
    try add(positions("a"))
    try add(positions("b"))
    try add(positions("a", shift: 3))
    #expect(try TraceReader(path: path).positionNames() == ["a", "b"])
    try expect("a", positions("a", shift: 3), in: path)
    try expect("b", positions("b"), in: path)
  }

  @Test(arguments: ["", ".", "exec:./mine", "a\nb", String(repeating: "n", count: 129)])
  func `a name that is no group is refused`(name: String) throws {
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(throws: RSSIError.self) { try add(positions(name)) }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `other programs read them also after packing`() throws {
    try add(positions("grid-filter"))
    let packed = directory.path("packed.h5")
    try pack(TraceReader(path: path), to: packed, adding: nil)
    try expect("grid-filter", positions("grid-filter"), in: packed)
    let script = """
      import sys, warnings
      import h5py, numpy as np, xarray as xr
      warnings.simplefilter('error')
      for path in sys.argv[1:]:
        with h5py.File(path) as file:
          group = file['positions/grid-filter']
          assert group.attrs['algorithm'] == b'weighted-centroid:degree=1', group.attrs['algorithm']
          assert group.attrs['epoch'] == b'1s' and group.attrs['levels'] == b'raw'
          for name, column in group.items():
            assert column.attrs['units'] and column.attrs['description'], name
          assert group['x_m'].attrs['units'] == b'm' and group['var_x_m2'].attrs['units'] == b'm2'
          assert group['reason'][1] == b'too-few-anchors' and np.isnan(group['x_m'][1])
          assert group['room'][0].decode() == 'Küche'
        table = xr.open_dataset(path, group='positions/grid-filter', engine='h5netcdf').load()
        assert set(table.dims) == {'time_s'}, table.dims
        assert str(table.time_s.values[1])[:23] == '2023-11-14T22:13:20.500', table.time_s.values
        assert table.cov_yz_m2.values[0] == 0.2 and table.anchors.values[0] == 70000
      print('agreed')
      """
    let result = try runPython(script, [path, packed])
    #expect(result.output == "agreed\n", "\(result.error)")
  }
}
