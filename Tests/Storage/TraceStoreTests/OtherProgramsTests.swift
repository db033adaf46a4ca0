import Foundation
import Sightings
import TestSupport
import Testing
import TraceStore

/// The file has the same content in the programs that researchers use.
@Suite struct OtherProgramsTests {
  let directory: TemporaryDirectory
  let path: String

  /// A trace with two filters, one of which replaced an older one of its name.
  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("trace.h5")
    let sample = try SampleTrace(path, rows: 400)
    let levels = sample.rows.rssi.map { $0 + 0.5 }
    for (name, offset) in [("kalman", 9), ("median", 1), ("kalman", 0)] as [(String, Float)] {
      try addFilter(name, levels.map { $0 + offset }, to: path)
    }
    try Expectation(sample, filtered: levels).write(to: directory.path("expected.json"))
  }

  private func python(_ script: String) throws {
    let preamble = """
      import sys, json, warnings
      import numpy as np
      warnings.simplefilter('error')
      path = sys.argv[1]
      with open(sys.argv[2]) as file: expected = json.load(file)
      def text(value): return value.decode() if isinstance(value, bytes) else value
      def floats(values): return np.array([np.nan if v is None else v for v in values])
      def times(values): return (np.array(values, 'i8') + 500) // 1000
      def same(a, b): assert np.array_equal(a, b), (a, b)
      def alike(a, b): assert np.array_equal(a, b, equal_nan=True), (a, b)

      """
    let result = try runPython(
      preamble + script + "\nprint('agreed')\n", [path, directory.path("expected.json")])
    #expect(result.output == "agreed\n", "\(result.error)")
  }

  @Test func `h5py reads what was written`() throws {
    try python(
      """
      import h5py
      with h5py.File(path) as f:
          assert text(f.attrs['format']) == 'rssi-trace' and f.attrs['format_version'] == 1
          assert f.attrs['clean'] == 1 and text(f.attrs['tool_version']) == '1.2.3'
          s = f['sightings']
          for name, values in expected['columns'].items(): same(s[name][:], values)
          alike(s['rssi_dbm'][:].astype('f8'), floats(expected['rssi_dbm']))
          assert sorted(s) == sorted([*expected['columns'], 'time_s', 'rssi_dbm'])
          start = np.datetime64(text(f.attrs['start']).rstrip('Z')).astype('M8[ns]').astype('i8')
          same(start + np.round(s['time_s'][:] * 1e9).astype('i8'), expected['time_ns'])
          for group in ['beacons', 'receivers']:
              same(f[group]['id'].asstr()[:], [node['id'] for node in expected[group]])
              for key in ['x_m', 'measured_power_dbm']:
                  alike(f[group][key][:], floats([node.get(key) for node in expected[group]]))
          same(f['traces/id'].asstr()[:], expected['traces'])
          data = f['payloads/data/bytes'][:]
          for offset, length, payload in zip(
                  f['payloads/offset'], f['payloads/length'], expected['payloads'], strict=True):
              same(data[int(offset):int(offset) + int(length)], payload)
          same(f['truth/distances/distance_m'][:], expected['dwell_distance_m'])
          alike(f['truth/positions/z_m'][:], floats(expected['truth_z_m']))
          t = f['truth/levels']
          assert sorted(t) == ['beacon', 'receiver', 'rssi_dbm', 'time_s', 'trace'], sorted(t)
          same(start + np.round(t['time_s'][:] * 1e9).astype('i8'), expected['level_time_ns'])
          for key, values in zip(['beacon', 'receiver', 'trace'], zip(*expected['level_link'])):
              same(t[key][:], values)
          same(t['rssi_dbm'][:], np.array(expected['level_dbm'], 'f4'))
          assert t['rssi_dbm'].dtype == '<f4' and text(t['rssi_dbm'].attrs['units']) == 'dBm'
          assert text(f['filtered/kalman'].attrs['chain']) == 'kalman in words'
      """)
  }

  @Test func `every dataset describes itself`() throws {
    try python(
      """
      import h5py
      seen = []
      def visit(name, item):
          if not isinstance(item, h5py.Dataset): return
          seen.append(name)
          for key in ['units', 'description']:
              assert text(item.attrs[key]).strip(), (name, key)
          assert item.is_scale or len(item.dims[0]) == 1, f'{name} has no dimension scale'
          if not item.is_scale: assert item.dims[0][0].shape == item.shape, name
          assert item.dtype.kind in 'iufS', (name, item.dtype)
          assert h5py.check_string_dtype(item.dtype) is None or h5py.check_string_dtype(item.dtype).length, name
          assert np.prod(item.chunks) * item.dtype.itemsize <= 1 << 20, (name, item.chunks)
          for key in item.attrs:
              type = item.attrs.get_id(key).dtype
              assert key in ('REFERENCE_LIST', 'DIMENSION_LIST') or type.kind in 'iufS', (name, key, type)
      with h5py.File(path) as f:
          f.visititems(visit)
          for key in f.attrs: assert f.attrs.get_id(key).dtype.kind in 'iufS', key
      assert len(seen) > 50, seen
      """)
  }

  @Test func `no scale points to what is gone`() throws {
    try python(
      """
      import h5py
      def visit(name, item):
          if 'REFERENCE_LIST' in item.attrs:
              for reference, _ in item.attrs['REFERENCE_LIST']:
                  assert reference and f[reference].shape == item.shape, name
      with h5py.File(path) as f: f.visititems(visit)
      """)
  }

  @Test func `xarray opens every group and decodes times`() throws {
    try python(
      """
      import xarray
      def open(group): return xarray.open_dataset(path, engine='h5netcdf', group=group)
      def micros(a): return times(a.values.astype('M8[ns]').astype('i8'))
      with open('sightings') as s:
          assert s.sizes == {'time_s': len(expected['time_ns'])}, s.sizes
          same(micros(s['time_s']), times(expected['time_ns']))
          # Codes for "not known" are masked, so that no mean is taken of them.
          none = 2**32 - 1
          codes = dict(advertiser=none, payload=none, dwell=none, event_type=65535, channel=255,
                       sid=255, tx_power_dbm=127)
          for name, values in expected['columns'].items():
              values = np.array(values, 'f8')
              values[values == codes.get(name)] = np.nan
              alike(s[name].values.astype('f8'), values)
              assert s[name].dims == ('time_s',)
          alike(s['rssi_dbm'].values, floats(expected['rssi_dbm']).astype('f4'))
          assert s['rssi_dbm'].attrs['units'] == 'dBm' and s['rssi_dbm'].attrs['description']
      for group in ['beacons', 'receivers']:
          with open(group) as nodes:
              ids = [v.decode() if isinstance(v, bytes) else v for v in nodes['id'].values]
              same(ids, [node['id'] for node in expected[group]])
              alike(nodes['x_m'].values, floats([node.get('x_m') for node in expected[group]]))
              assert nodes['x_m'].dims == ('id',)
      with open('traces') as traces: assert traces.sizes['id'] == len(expected['traces'])
      with open('truth/positions') as truth:
          same(micros(truth['time_s']), times(expected['truth_time_ns']))
          alike(truth['z_m'].values, floats(expected['truth_z_m']))
      with open('truth/levels') as truth:
          same(micros(truth['time_s']), times(expected['level_time_ns']))
          assert truth['rssi_dbm'].dims == ('time_s',)
      with open('truth/distances') as truth:
          same(micros(truth['start_s']), times(expected['dwell_start_ns']))
          assert truth['end_s'].dtype.kind == 'M'
          same(truth['distance_m'].values, expected['dwell_distance_m'])
      with open('filtered/kalman') as filtered:
          same(micros(filtered['time_s']), times(expected['time_ns']))
          alike(filtered['rssi_dbm'].values, floats(expected['filtered']).astype('f4'))
          assert filtered['variance_db2'].dims == ('time_s',)
      for group in ['payloads', 'payloads/data', 'advertisers', 'rejected', 'provenance/stages',
                    'provenance/inputs', 'filtered/median', 'filtered/kalman/links']:
          with open(group) as any: assert any.sizes, group
      """)
  }

  @Test func `xarray opens the whole tree`() throws {
    try python(
      """
      import xarray
      with xarray.open_datatree(path, engine='h5netcdf') as tree:
          assert {'/sightings', '/truth/positions', '/filtered/kalman'} <= set(tree.groups), tree.groups
      """)
  }

  @Test func `pandas makes a table of it`() throws {
    try python(
      """
      import h5py, pandas
      with h5py.File(path) as f:
          table = pandas.DataFrame({name: column[:] for name, column in f['sightings'].items()})
          units = text(f['sightings/time_s'].attrs['units'])
      assert units.startswith('seconds since ')
      time = pandas.Timestamp(units.removeprefix('seconds since ')) + pandas.to_timedelta(table['time_s'], 's')
      same(times(time.astype('M8[ns]').astype('i8')), times(expected['time_ns']))
      alike(table['rssi_dbm'], floats(expected['rssi_dbm']).astype('f4'))
      """)
  }

  @Test func `h5dump prints all of it`() throws {
    for arguments in [["-H"], ["-A"], []] {
      let result = try runProgram("/usr/bin/env", ["h5dump"] + arguments + [path])
      #expect(result.exitCode == 0)
      #expect(result.error.isEmpty)
      #expect(result.output.contains("GROUP \"sightings\""))
    }
  }
}
