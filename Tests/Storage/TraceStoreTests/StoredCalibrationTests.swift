import Foundation
import Sightings
import Support
import TestSupport
import Testing
import TraceStore

/// A calibration in a trace: through every way that a trace is written, and for other programs.
@Suite struct StoredCalibrationTests {
  let directory: TemporaryDirectory
  let path: String
  let sample: SampleTrace

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("trace.h5")
    sample = try SampleTrace(path, rows: 200)
  }

  /// Two groups; `document` has invalid text, and more than a chunk of them.
  private func calibration(_ shift: Double = 0, bytes: Int = 200_000) -> StoredCalibration {
    var first = StoredConstants(key: "Gang/tag")
    (first.beacon, first.series, first.errorBasis) = ("tag", "Gang", "positions")
    (first.samples, first.positions, first.distances) = (5_000_000_000, 12, 6)
    (first.measuredPower, first.powerError) = (-59.25 + shift, 0.1)
    (first.powerLow, first.powerHigh, first.powerFreedom) = (-60, -58, 8.5)
    (first.exponent, first.exponentError) = (2.5, 0.2)
    (first.exponentLow, first.exponentHigh, first.exponentFreedom) = (2, 3, 7.5)
    (first.covariance, first.sigma, first.sigmaLow, first.sigmaHigh) = (-0.01, 4, 3.5, 4.5)
    (first.positionDeviation, first.packetDeviation, first.successiveDeviation) = (3, 2.5, 2)
    (first.nearest, first.farthest, first.breakpoint, first.farExponent) = (0.5, 30, 7, 4)
    var second = StoredConstants(key: "字")
    second.hasConverged = false
    return StoredCalibration(
      model: "two-slope", estimator: "huber", by: "series,beacon", gauge: "sum of receivers = 0",
      groups: [first, second], document: (0..<bytes).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) })
  }

  private func add(_ calibration: StoredCalibration, to output: String? = nil) throws {
    try write(
      calibration, into: try TraceReader(path: path), at: output ?? path,
      adding: Provenance(
        stage: "fit", toolVersion: "1.2.3", commandLine: "rssi fit",
        inputs: [.init(name: "bench.csv", sha256: String(repeating: "ef", count: 32), bytes: 9)]))
  }

  private func expectSame(_ found: StoredCalibration?, _ written: StoredCalibration) throws {
    let found = try #require(found)
    // NaN differs from itself, its description does not.
    #expect("\(found)" == "\(written)")
  }

  @Test(arguments: [true, false])
  func `is read back and leaves the rest`(inPlace: Bool) throws {
    let output = inPlace ? path : directory.path("calibrated.h5")
    #expect(try TraceReader(path: path).calibration() == nil)
    try add(calibration(), to: output)
    let reader = try TraceReader(path: output)
    try expectSame(reader.calibration(), calibration())
    #expect(try reader.sightings().numbers == sample.rows.numbers)
    #expect("\(reader.catalogue)" == "\(sample.catalogue)")
    #expect(reader.provenance.map(\.stage) == ["import", "fit"])
    #expect(reader.provenance.last?.inputs.map(\.name) == ["bench.csv"])
    #expect(try directory.names() == (inPlace ? ["trace.h5"] : ["calibrated.h5", "trace.h5"]))
  }

  @Test func `replaces the one before`() throws {
    try add(calibration())
    let size = try Data(contentsOf: URL(filePath: path)).count
    var other = calibration(1, bytes: 17)
    (other.gauge, other.by) = (nil, "series")
    other.groups.removeLast()
    try add(other)
    try expectSame(TraceReader(path: path).calibration(), other)
    // The room of the one before is used again: ten more do not make the file grow by one.
    for _ in 0..<10 { try add(calibration()) }
    let grown = try Data(contentsOf: URL(filePath: path)).count
    #expect(grown < size + 200_000, "\(size) \(grown)")
  }

  @Test func `packing and filtering keep it`() throws {
    try add(calibration())
    try addFilter("kalman", sample.rows.rssi, to: path)
    try expectSame(TraceReader(path: path).calibration(), calibration())
    try pack(try TraceReader(path: path), to: path, adding: nil)
    try expectSame(TraceReader(path: path).calibration(), calibration())
  }

  /// A trace whose writer was killed is written again before anything is added to it.
  @Test func `an unfinished trace becomes a whole one`() throws {
    try add(calibration())
    try change("f.attrs['clean'] = f.attrs['clean'].dtype.type(0)")
    try add(calibration(2))
    let reader = try TraceReader(path: path)
    #expect(reader.isClean)
    try expectSame(reader.calibration(), calibration(2))
    #expect(try reader.sightings().numbers == sample.rows.numbers)
  }

  /// A writer that begins in the same folder removes what killed ones left, and nothing of this
  /// one.
  @Test func `an unfinished trace is copied beside other writers`() async throws {
    try change("f.attrs['clean'] = f.attrs['clean'].dtype.type(0)")
    let beside = directory.path("beside")
    let others = Task.detached {
      while !Task.isCancelled { _ = try AtomicFile(path: beside) }
    }
    for _ in 0..<100 { try add(calibration(), to: directory.path("copy.h5")) }
    others.cancel()
    try await others.value
    #expect(try directory.names() == ["copy.h5", "trace.h5"])
  }

  @Test func `another's group of the name stays`() throws {
    try change("f['calibration/a'] = [1, 2, 3]")
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(try TraceReader(path: path).calibration() == nil)
    let error = #expect(throws: RSSIError.self) { try add(calibration()) }
    #expect(error?.kind == .badInput)
    #expect(error?.description.contains("/calibration") == true)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try directory.names() == ["trace.h5"])
  }

  @Test func `a name that does not fit leaves the trace alone`() throws {
    let before = try Data(contentsOf: URL(filePath: path))
    var long = calibration()
    long.groups[1].key = String(repeating: "k", count: 513)
    let error = #expect(throws: RSSIError.self) { try add(long) }
    #expect(error?.description.contains("512") == true)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try directory.names() == ["trace.h5"])
  }

  @Test(arguments: [
    "f['calibration/groups/exponent'].resize((1,))", "f['calibration/groups/key'].resize((5,))",
    "f['calibration/groups/beacon'].resize((0,))", "del f['calibration/groups/samples']",
    "del f['calibration/document']; f['calibration/document'] = np.zeros((2, 2), 'u1')",
    "f['calibration/document'].resize((1 << 60,))",
  ])
  func `reports damage without a crash`(_ damage: String) throws {
    try add(calibration())
    try change(damage)
    let reader = try TraceReader(path: path)
    let error = #expect(throws: RSSIError.self) { try reader.calibration() }
    #expect(error?.kind == .badInput)
    #expect(error?.description.contains(path) == true)
  }

  @Test(arguments: ["written", "packed"])
  func `other programs open it`(_ how: String) throws {
    try add(calibration())
    try add(calibration())
    if how == "packed" { try pack(try TraceReader(path: path), to: path, adding: nil) }
    let result = try runPython(
      """
      import sys, warnings
      import h5py, numpy as np, xarray
      warnings.simplefilter('error')
      path = sys.argv[1]
      with h5py.File(path) as f:
          c = f['calibration']
          assert {k: v.decode() for k, v in c.attrs.items()} == {
              'model': 'two-slope', 'estimator': 'huber', 'by': 'series,beacon',
              'gauge': 'sum of receivers = 0'}
          n = np.arange(200_000)
          assert np.array_equal(c['document'][:], n * n // 7 % 256)
          assert c['document'].chunks[0] <= 1 << 20 and c['document'].compression == 'gzip'
          g = c['groups']
          assert list(g['key'].asstr()) == ['Gang/tag', '字'] and list(g['beacon']) == [b'tag', b'']
          assert list(g['samples']) == [5_000_000_000, 0] and list(g['converged']) == [1, 0]
          seen = {name: column[0] for name, column in g.items() if column.dtype.kind == 'f'}
          assert seen == dict(
              measured_power_dbm=-59.25, measured_power_standard_error_db=0.1,
              measured_power_low_dbm=-60, measured_power_high_dbm=-58,
              measured_power_degrees_of_freedom=8.5, exponent=2.5, exponent_standard_error=0.2,
              exponent_low=2, exponent_high=3, exponent_degrees_of_freedom=7.5,
              covariance_measured_power_exponent_db=-0.01, sigma_db=4, sigma_low_db=3.5,
              sigma_high_db=4.5, position_sd_db=3, packet_sd_db=2.5, successive_sd_db=2,
              distance_min_m=0.5, distance_max_m=30, breakpoint_m=7, far_exponent=4), seen
          assert all(np.isnan(column[1]) for column in g.values() if column.dtype.kind == 'f')
          for column in [*g.values(), c['document']]:
              assert column.attrs['units'] and column.attrs['description']
              assert column.dtype.kind in 'iufS' and np.prod(column.chunks) * column.dtype.itemsize <= 1 << 20
              assert column.is_scale or column.dims[0][0] == g['key'], column.name
      with xarray.open_dataset(path, engine='h5netcdf', group='calibration/groups') as groups:
          assert groups.sizes == {'key': 2} and groups.exponent.dims == ('key',)
          assert groups.measured_power_dbm.attrs['units'] == 'dBm'
      with xarray.open_dataset(path, engine='h5netcdf', group='calibration') as whole:
          assert whole.attrs['model'] in ('two-slope', b'two-slope') and whole.sizes == {'document': 200_000}
      with xarray.open_datatree(path, engine='h5netcdf') as tree:
          assert {'/sightings', '/calibration/groups'} <= set(tree.groups), tree.groups
      print('agreed')
      """, [path])
    #expect(result.output == "agreed\n", "\(result.error)")
    let dump = try runProgram("/usr/bin/env", ["h5dump", path])
    #expect(dump.exitCode == 0 && dump.error.isEmpty)
  }

  private func change(_ statements: String) throws {
    let result = try runPython(
      "import sys, h5py, numpy as np\nwith h5py.File(sys.argv[1], 'r+') as f: \(statements)", [path]
    )
    try #require(result.exitCode == 0, "\(result.error)")
  }
}
