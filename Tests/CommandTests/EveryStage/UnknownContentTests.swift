import Foundation
import TestSupport
import Testing

/// A user's own additions to a trace, as Python statements about its group `g` in the file `f`.
private let additions = [
  "g.attrs['remark'] = 'by hand'",
  "for n in range(12): g.attrs[f'text {n}'] = 'word ' * n",
  "for n in range(12): g.attrs[f'text {n}'] = ['a', 'bb', 'c' * 5000]",
  "g.attrs['empty'] = h5py.Empty('f'); g.attrs['none'] = ''; g.attrs['long'] = 'x' * 60000",
  "g.attrs.create('sequences', sequences, dtype=h5py.vlen_dtype('i4'))",
  "g.attrs.create('enum', 1, dtype=h5py.enum_dtype({'A': 1})); g.attrs['opaque'] = np.void(b'a')",
  "g.attrs['complex'] = 1 + 2j; g.attrs['yes'] = True; g.attrs['fixed'] = np.bytes_('abc')",
  "g.attrs.create('pair', (1, 'x'), dtype=np.dtype([('n', 'i4'), ('s', h5py.string_dtype())]))",
  """
  d = g.create_dataset('texts', data=['a', 'b' * 300], dtype=h5py.string_dtype())
  for n in range(12): d.attrs[f'unit {n}'] = 'm'
  g.create_dataset('packed', data=['z'] * 500, dtype=h5py.string_dtype(), chunks=(64,), compression='gzip')
  """,
  """
  n = g.create_group('nested').create_group('deeper')
  for i in range(20): n.attrs[f'text {i}'] = f'value {i}'
  n['numbers'] = np.arange(10); n['numbers'].attrs['unit'] = 'dBm'
  """,
  """
  x = g.create_dataset('x', data=np.arange(5.)); x.make_scale('x')
  y = g.create_dataset('y', data=np.arange(5.)); y.dims[0].attach_scale(x)
  y.attrs['of'] = x.ref
  """,
  """
  g['same'] = g.create_dataset('one', data=[1]); g['soft'] = h5py.SoftLink('/mine/one')
  g['loop'] = g; g['time'] = f['sightings/time_s']; g['type'] = np.dtype('f8')
  g['type'].attrs['of'] = 'me'
  """,
  "f.attrs['remark'] = 'by hand'; f.attrs['list'] = ['a', 'b']",
]

@Suite("What others add to a trace") struct UnknownContentTests {
  @Test(arguments: additions, ["earliest", "v110"])
  func `survives pack and repair`(_ addition: String, _ format: String) throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("trace.h5")
    let walk = repositoryRoot.appending(path: "notebooks-data/example/walk-1.btsnoop").path
    try copyPrepared("trace of the example", to: folder) { folder in
      try LocateRoom.succeed("import", walk, "-o", folder.path("trace.h5"))
    }
    let body = addition.split(separator: "\n").map { "  " + $0.drop { $0 == " " } }
    let added = try runPython(
      """
      import h5py, numpy as np, sys
      sequences = np.empty(2, dtype=object); sequences[:] = [np.arange(3), np.arange(900)]
      with h5py.File(sys.argv[1], 'r+', libver=(sys.argv[2], 'v110')) as f:
        g = f.create_group('mine')
      \(body.joined(separator: "\n"))
      """, [trace, format])
    try #require(added.exitCode == 0, "\(added.error)")
    for stage in ["pack", "repair"] {
      let output = folder.path("\(stage).h5")
      let result = try rssi(stage, trace, "-o", output)
      #expect(result.exitCode == 0, "\(result.error)")
      let compared = try runPython(Self.comparison, [trace, output])
      #expect(compared.exitCode == 0, "\(compared.error)\(compared.output)")
    }
    #expect(try folder.names() == ["pack.h5", "repair.h5", "trace.h5"])
  }

  /// Compares the root's attributes and all of /mine; references are compared by what they lead to.
  private static let comparison = """
    import h5py, numpy as np, sys
    def plain(file, value):
        if isinstance(value, h5py.Reference): return file[value].name if value else None
        if isinstance(value, np.ndarray) and value.dtype.hasobject: return [plain(file, v) for v in value]
        if isinstance(value, np.void) and value.dtype.names: return [plain(file, v) for v in value]
        if isinstance(value, (np.ndarray, np.generic)): return (str(value.dtype), value.tolist())
        return repr(value)
    def held(path):
        found = {}
        with h5py.File(path) as f:
            def take(name, thing):
                for key, value in thing.attrs.items():
                    if key != 'REFERENCE_LIST' or name.startswith('mine/x'): found[name, key] = plain(f, value)
                if isinstance(thing, h5py.Dataset): found[name] = plain(f, thing[()])
            take('/', f)
            f['mine'].visititems(lambda name, thing: take('mine/' + name, thing))
            take('mine', f['mine'])
            found['links'] = sorted((k, type(f['mine'].get(k, getlink=True)).__name__) for k in f['mine'])
        return found
    first, second = (held(path) for path in sys.argv[1:])
    assert first.keys() == second.keys(), first.keys() ^ second.keys()
    for key in first: assert first[key] == second[key], (key, first[key], second[key])
    """
}
