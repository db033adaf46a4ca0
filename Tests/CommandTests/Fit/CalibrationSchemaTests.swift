import Foundation
import TestSupport
import Testing

/// Calibrations of every kind, against docs/calibration.schema.json.
@Suite struct CalibrationSchemaTests {
  private let folder: TemporaryDirectory
  private let schema = repositoryRoot.appending(path: "docs/calibration.schema.json").path

  init() throws { folder = try TemporaryDirectory() }

  /// The options of fits of the readings at known distances, by a name.
  private let fits = [
    "plain": [], "fixed": ["--model", "fixed-exponent", "--exponent", "2.2"],
    "two-slope": ["--model", "two-slope"], "huber": ["--estimator", "huber"],
    "truncated": ["--estimator", "truncated", "--sensitivity", "-100"],
    "censored": ["--estimator", "censored", "--advertising-interval", "100ms"],
    "weighted": ["--estimator", "weighted", "--filtered", "kalman"],
    "bootstrap": ["--bootstrap", "100", "--distance-at", "-55"], "link": ["--by", "link"],
    "altbeacon": ["--model", "altbeacon", "--reference-power", "-59"],
    "hierarchical": ["--model", "hierarchical", "--by", "beacon"],
    "channels": ["--channel-offsets", "receiver"],
    "means": ["--per-position", "mean", "--min-distance", "0.8"],
    "one-distance": ["--by", "series", "--series", "calibration", "--series", "short"],
  ]

  /// Fits of readings at known distances, one series of which has one distance, and of a walk.
  private func makeCalibrations() throws -> [String] {
    let room = try simulatedRoom(in: folder)
    let table = try String(contentsOfFile: room + "/distances.csv", encoding: .utf8)
    let short = table.split(separator: "\n").dropFirst().prefix(50)
      .map { "short" + $0.dropFirst("calibration".count) }
    let site = try folder.write(
      "[[walls]]\nfrom = [4, 0]\nto = [4, 9]\nattenuation_db = 3\n", to: "site.toml")
    try copyPrepared("calibrations of every kind", to: folder) { folder in
      let (bench, walk) = (folder.path("bench.h5"), folder.path("walk.h5"))
      try run(
        "import", try folder.write(table + short.joined(separator: "\n") + "\n", to: "bench.csv"),
        "-o", bench)
      try run("filter", bench, "-o", bench)
      try run(
        "import", room + "/walk-1.btsnoop", room + "/walk-2.btsnoop", "--receiver", "phone",
        "--nodes", room + "/nodes.csv", "--truth", room + "/truth.csv", "-o", walk)
      for (name, options) in fits {
        try run(["fit", bench, "-o", folder.path(name + ".json")] + options)
      }
      try run("fit", walk, "--by", "link", "-o", folder.path("walk.json"))
      try run("fit", walk, "--model", "walls", "--site", site, "-o", folder.path("walls.json"))
      try run("fit", walk, "--model", "hierarchical", "-o", folder.path("manybeacons.json"))
      try run(
        "fit", "--merge", folder.path("plain.json"), folder.path("walk.json"), "-o",
        folder.path("merged.json"))
    }
    return (fits.keys + ["walk", "walls", "manybeacons", "merged"]).map {
      folder.path($0 + ".json")
    }
  }

  private func run(_ arguments: String...) throws { try run(arguments) }

  private func run(_ arguments: [String]) throws {
    let result = try runProgram(builtProgram, arguments)
    try #require(result.exitCode == 0, "\(arguments): \(result.error)")
  }

  private func python(_ script: String) throws {
    let preamble = """
      import copy, json, sys
      from jsonschema import Draft202012Validator
      with open(sys.argv[1]) as file: schema = json.load(file)
      Draft202012Validator.check_schema(schema)
      validator = Draft202012Validator(schema)
      documents = {}
      for path in sys.argv[2:]:
          with open(path) as file: documents[path.split('/')[-1].split('.')[0]] = json.load(file)

      """
    let result = try runPython(preamble + script, [schema] + makeCalibrations())
    #expect(result.exitCode == 0, "\(result.error)")
    #expect(result.output == "agreed\n")
  }

  @Test func `every fit conforms and has no key that is not described`() throws {
    try python(
      """
      described = set()
      def visit(value, schema, path):
          schema = {**schema, **({} if '$ref' not in schema else root['$defs'][schema['$ref'].split('/')[-1]])}
          if isinstance(value, list):
              for item in value: visit(item, schema['items'], path + '[]')
          if isinstance(value, dict):
              for key, item in value.items():
                  if key in schema.get('properties', {}):
                      described.add(path + '/' + key)
                      visit(item, schema['properties'][key], path + '/' + key)
                  else:
                      assert isinstance(schema.get('additionalProperties'), dict), (name, path, key)
                      visit(item, schema['additionalProperties'], path + '/*')
      root = schema
      for name, document in documents.items():
          errors = [f'{e.json_path}: {e.message[:200]}' for e in validator.iter_errors(document)]
          assert not errors, (name, errors)
          visit(document, root, '')
      # The documents have what they were made for.
      group = {name: document['groups'][0] for name, document in documents.items()}
      assert group['two-slope']['two_slope'] and group['bootstrap']['bootstrap']
      assert len(group['channels']['channel_offsets']) == 3 and 'channel_offsets' not in group['plain']
      assert group['huber']['least_squares'] and group['censored']['estimation']['missed'] is not None
      assert group['truncated']['estimation']['sensitivity_dbm'] and documents['fixed']['settings']['exponent'] == 2.2
      assert group['altbeacon']['altbeacon']['measured_power_dbm'] == -59
      assert documents['hierarchical']['hierarchical']['omissions']
      short = documents['one-distance']['groups'][1]
      assert short['key'] == 'short' and short['exponent'] is None and short['sigma_db'] is None
      assert 'one-distance' in [d['code'] for d in short['diagnostics']]
      assert documents['manybeacons']['hierarchical']['beacons']
      assert any('known_wall_loss_db' in station for station in documents['walls']['stations'])
      assert any('walk' in station for station in documents['walk']['stations'])
      assert any('weights' in station for station in documents['weighted']['stations'])
      assert len(documents['merged']['stations']) == sum(len(documents[n]['stations']) for n in ('plain', 'walk'))
      assert {'/stations[]/channels', '/stations[]/succession', '/stations[]/span_ns'} <= described, described
      print('agreed')
      """)
  }

  @Test func `damaged documents are refused`() throws {
    try python(
      """
      def at(document, path):
          for key in path: document = document[key]
          return document
      def numbers(value, path=()):
          pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
          for key, item in pairs: yield from numbers(item, path + (key,))
          if isinstance(value, (int, float)) and not isinstance(value, bool): yield path
      def refused(path, change):
          damaged = copy.deepcopy(document)
          change(at(damaged, path[:-1]), path[-1])
          return not validator.is_valid(damaged)
      objects = [(), ('settings',), ('inputs', 0), ('sample',)]
      for group in [('groups', 0), ('pooled',)]:
          objects += [group + rest for rest in [
              (), ('standard_error',), ('degrees_of_freedom',), ('ci95',), ('estimation',), ('diagnostics', 0),
              ('distance_at', 0)]]
      keys = leaves = 0
      for name in ['two-slope', 'censored', 'bootstrap', 'huber']:
          document = documents[name]
          document['stations'] = document['stations'][:1]
          for key in ['times_ms', 'levels_dbm', 'links']: document['sample'][key] = document['sample'][key][:1]
          for group in [document['groups'][0], document['pooled']]:
              if not group['diagnostics']:
                  group['diagnostics'] = [dict(code='one', message='Two.', value=3.5, p_value=None)]
              # Of a curve that has a kink there are no distances.
              if not group['distance_at']:
                  group['distance_at'] = [dict(rssi_dbm=-60, distance_m=2.5, ci95_m=[2, 3], prediction95_m=None)]
          assert validator.is_valid(document)
          for place in objects:
              # Filtered levels have no sample; earlier programs wrote neither links nor the scale of an edge.
              for key in set(at(document, place)) - {'sample', 'links', 'sensitivity_scale_db'}:
                  assert refused(place + (key,), dict.pop), (name, place, key)
                  keys += 1
          for key in ['beacon', 'receiver', 'series', 'position', 'distance_m', 'levels_dbm', 'counts']:
              assert refused(('stations', 0, key), dict.pop), key
          for path in numbers(document):
              assert refused(path, lambda value, key: value.__setitem__(key, 'much')), (name, path)
              leaves += 1
          for path, value in [
                  (('groups',), []), (('groups',), {}), (('format',), 'rssi'), (('format_version',), 2),
                  (('groups', 0, 'ci95', 'exponent'), [1]), (('groups', 0, 'ci95', 'exponent'), [1, 2, 3]),
                  (('groups', 0, 'samples'), -1), (('groups', 0, 'samples'), 1.5), (('groups', 0, 'key'), None),
                  (('groups', 0, 'sigma_db'), -1), (('groups', 0, 'estimation', 'converged'), 'yes'),
                  (('groups', 0, 'two_slope'), 7), (('inputs', 0, 'sha256'), 'ff'), (('stations', 0, 'distance_m'), 0),
                  (('stations', 0, 'counts'), [0]), (('stations', 0, 'levels_dbm'), [21]),
                  (('sample', 'halvings'), 65), (('sample', 'levels_dbm'), [3])]:
              assert refused(path, lambda parent, key: parent.__setitem__(key, value)), (name, path, value)
          # What a later program may do.
          document['later'] = document['groups'][0]['later'] = document['settings']['later'] = {'a': [None]}
          document['groups'][0]['diagnostics'][0]['code'] = document['model'] = 'later'
          assert validator.is_valid(document), name
      assert keys > 200 and leaves > 300, (keys, leaves)
      print('agreed')
      """)
  }
}
