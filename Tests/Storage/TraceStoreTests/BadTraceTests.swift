import Foundation
import Sightings
import Support
import TestSupport
import Testing
import TraceStore

/// Files other than traces are refused, with a message that identifies them.
@Suite struct BadTraceTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// The kind of error, of opening and reading all of a file; its sentence must name the file.
  private func kind(_ path: String) -> RSSIError.Kind? {
    do {
      let reader = try TraceReader(path: path)
      _ = try reader.sightings()
      let payloads = reader.payloads()
      for index in 0..<payloads.count { _ = try payloads[UInt32(index)] }
      return nil
    } catch let error as RSSIError {
      #expect(error.description.contains(path))
      #expect(!error.description.contains("\n"))
      return error.kind
    } catch {
      Issue.record("\(error)")
      return nil
    }
  }

  /// A trace that Python changed with h5py.
  private func changed(_ script: String) throws -> String {
    let path = directory.path("trace.h5")
    _ = try SampleTrace(path, rows: 40)
    let result = try runPython(
      "import sys, h5py\nf = h5py.File(sys.argv[1], 'r+')\n\(script)\nf.close()", [path])
    try #require(result.exitCode == 0, "\(result.error)")
    return path
  }

  @Test func `a missing file`() {
    #expect(kind(directory.path("missing.h5")) == .noInput)
    #expect(kind(directory.url.path) == .noInput)
  }

  @Test func `a file that is not HDF5`() throws {
    #expect(kind(try directory.write("", to: "empty.h5")) == .badInput)
    #expect(kind(try directory.write("time_s,rssi_dbm\n1,2\n", to: "table.csv")) == .badInput)
    let noise = directory.path("noise")
    var generator = SeededGenerator(seed: 8)
    try Data((0..<9_999).map { _ in UInt8.random(in: 0...255, using: &generator) })
      .write(to: URL(filePath: noise))
    #expect(kind(noise) == .badInput)
  }

  @Test func `another program's HDF5`() throws {
    let path = directory.path("other.h5")
    let result = try runPython(
      "import sys, h5py\nwith h5py.File(sys.argv[1], 'w', libver=('v110', 'v110')) as f: f['x'] = [1, 2]",
      [path])
    try #require(result.exitCode == 0, "\(result.error)")
    #expect(kind(path) == .badInput)
  }

  @Test func `a future format`() throws {
    let path = try changed("f.attrs['format_version'] = 2")
    #expect(kind(path) == .badInput)
    let error = #expect(throws: RSSIError.self) { _ = try TraceReader(path: path) }
    #expect(error?.description.contains("format 2") == true)
  }

  /// A column, a table or a group of tables is gone.
  @Test(arguments: [
    "sightings/rssi_dbm", "sightings/time_s", "sightings/dwell", "beacons/id", "receivers/x_m",
    "payloads/data/bytes", "truth/positions/time_s",
    "truth/levels/rssi_dbm", "provenance/inputs/sha256", "sightings",
    "beacons", "traces", "rejected", "truth", "provenance", "payloads/data",
  ])
  func `something is missing`(name: String) throws {
    #expect(kind(try changed("del f['\(name)']")) == .badInput)
  }

  /// Something is there, but not what it should be.
  @Test(arguments: [
    "del f['sightings/rssi_dbm']; f['sightings/rssi_dbm'] = [b'a'] * 40",
    "del f['sightings/rssi_dbm']; f['sightings/rssi_dbm'] = [[1.0]] * 40",
    "del f['sightings/rssi_dbm']; f.create_group('sightings/rssi_dbm')",
    "del f['beacons/id']; f['beacons/id'] = [1, 2, 3, 4]",
    "del f['beacons']; f['beacons'] = [1, 2, 3, 4]",
    "del f['sightings/time_s']; f['sightings/time_s'] = 3.0",
    "del f.attrs['start']", "f.attrs['start'] = 7", "f.attrs['start'] = 'yesterday'",
    "f.attrs['start'] = '9999-01-01T00:00:00Z'", "f.attrs['format'] = 'rssi'",
    "f['payloads/offset'][0] = 2**63", "f['advertisers/address'][0] = b'nobody'",
    "f['truth/levels/beacon'][0] = 99", "f['truth/levels/receiver'][0] = 99",
    "f['truth/levels/trace'][0] = 99", "del f['truth/levels']; f['truth/levels'] = [1, 2]",
    "f['provenance/stages/tool_version'].resize((0,))",
    "f['provenance/inputs/sha256'].resize((1,))",
  ])
  func `something is wrong`(change: String) throws {
    #expect(kind(try changed(change)) == .badInput)
  }

  /// Bytes lost at the end, as by a copy that stopped.
  @Test func `a truncated file`() throws {
    let whole = directory.path("trace.h5")
    _ = try SampleTrace(whole, rows: 400)
    let data = try Data(contentsOf: URL(filePath: whole))
    let path = directory.path("cut.h5")
    for length in [
      1, 7, 8, 47, 48, 95, 96, 500, 1_000, data.count / 3, data.count / 2, data.count - 4_000,
      data.count - 1,
    ] {
      try data.prefix(length).write(to: URL(filePath: path))
      #expect(kind(path) == .badInput, "\(length) of \(data.count) bytes")
    }
  }

  /// Times that are not finite, or beyond any clock, are damage: an invented time would end up in
  /// fits.
  @Test(arguments: [
    "sightings/time_s", "truth/positions/time_s", "truth/distances/start_s",
    "truth/distances/end_s", "truth/levels/time_s",
  ])
  func `times that are none`(column: String) throws {
    for value in ["float('nan')", "float('inf')", "-float('inf')", "1e300", "2.1e10"] {
      let path = try changed("f['\(column)'][1] = \(value)")
      #expect(kind(path) == .badInput, "\(value)")
      let error = #expect(throws: RSSIError.self) {
        _ = try TraceReader(path: path).sightings()
      }
      #expect(error?.description.contains("row 1 of /\(column)") == true)
    }
  }

  /// A file of 100 kB may declare 2^62 rows that were never written: nothing is allocated for them.
  @Test(
    arguments: [
      "sightings/time_s", "beacons/id", "receivers/id", "traces/id", "advertisers/address",
      "payloads/offset", "payloads/data/bytes", "truth/positions/x_m", "truth/levels/rssi_dbm",
      "gaps/start_s", "clock/time_s", "rejected/reason", "provenance/stages/stage",
    ], [24, 33, 62])
  func `rows that are declared but not stored`(column: String, power: Int) throws {
    let table = column.split(separator: "/").dropLast().joined(separator: "/")
    let script = "for column in f['\(table)'].values(): column.resize((2 ** \(power),))"
    let path = try changed(
      script.replacing("column.resize", with: "hasattr(column, 'resize') and column.resize"))
    #expect(kind(path) == .badInput)
  }

  @Test func `chunks that fill the memory`() throws {
    let path = try changed(
      """
      del f['payloads/data/bytes']
      f['payloads/data'].create_dataset(
          'bytes', (2**28,), 'u1', chunks=(2**28,), maxshape=(None,), compression='gzip')
      f['payloads/data/bytes'][2**28 - 1] = 1
      """)
    #expect(kind(path) == .badInput)
  }

  /// A trace from elsewhere opens no other file of its reader.
  @Test(arguments: [
    "f['sightings/rssi_dbm'] = h5py.ExternalLink(other, 'x')",
    "l = h5py.VirtualLayout((40,), 'f4'); l[:] = h5py.VirtualSource(other, 'x', (40,)); "
      + "f['sightings'].create_virtual_dataset('rssi_dbm', l)",
    "f['sightings'].create_dataset('rssi_dbm', (40,), 'f4', external=[(other, 0, 160)])",
  ])
  func `rows in other files`(change: String) throws {
    let path = try changed(
      """
      other = sys.argv[1] + '.other.h5'
      with h5py.File(other, 'w') as g: g['x'] = [-50.0] * 40
      del f['sightings/rssi_dbm']
      \(change)
      """)
    #expect(kind(path) == .badInput)
  }

  /// Parts of a trace that are copied without being read: the trace is at fault, not the program.
  @Test(arguments: [
    "f['filtered'] = [1.0, 2.0]",
    "f.create_group('filtered')['kalman'] = [1.0, 2.0]",
    "damaged = h5py.h5o.get_info(f['provenance'].id).addr",
    "damaged = h5py.h5o.get_info(f['provenance/inputs'].id).addr",
  ])
  func `damage in what is copied`(change: String) throws {
    let path = try changed(
      """
      damaged = None
      \(change)
      f.close()
      if damaged is not None:
          with open(sys.argv[1], 'r+b') as bytes:
              bytes.seek(damaged + 8)
              bytes.write(b'\\xa5' * 4)
      """)
    let before = try Data(contentsOf: URL(filePath: path))
    for output in [path, directory.path("copy.h5")] {
      let error = #expect(throws: RSSIError.self) {
        try addFilter("kalman", Array(repeating: -60, count: 40), to: path, output: output)
      }
      #expect(error?.kind == .badInput, "\(error?.description ?? "written")")
      #expect(error?.description.contains(path) == true)
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    #expect(try directory.names() == ["trace.h5"])
  }
}
