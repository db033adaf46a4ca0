import Foundation
import TestSupport
import Testing

@Suite("A table of another program")
struct ImportColumnsTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func rows(_ path: String) throws -> String {
    try rssi("export", path, "--format", "csv").output
  }

  /// The same table as pandas reads it: times in nanoseconds, identities and levels.
  private func expected(_ path: String, _ script: String) throws -> String {
    try runPython(
      """
      import sys, pandas as pd
      t = \(script)
      for time, beacon, level in zip(t.time, t.beacon, t.level):
          print(time, beacon, level)
      """, [path]
    ).output
  }

  @Test(arguments: [
    (
      "timestamp;mac;RSSI\n1700000000123;C0:FF:EE:00:00:01;-63,5\n1700000000223;C0:FF:EE:00:00:02;-70,25\n",
      "pd.read_csv(sys.argv[1], sep=';', decimal=',').assign(time=lambda t: t.timestamp * 10**6, "
        + "beacon=lambda t: t.mac, level=lambda t: t.RSSI)"
    ),
    (
      "# log\n,Time,device,rssi\n0,2024-05-01 12:00:00.125+02:00,a,-60\n1,2024-05-01T10:00:01Z,b,-61\n",
      "pd.read_csv(sys.argv[1], comment='#').assign(time=lambda t: pd.to_datetime(t.Time, utc=True, "
        + "format='ISO8601').dt.as_unit('ns').astype('int64'), beacon=lambda t: t.device, level=lambda t: t.rssi)"
    ),
  ])
  func `is read as pandas reads it, and the printed map forces the same`(
    _ text: String, _ script: String
  ) throws {
    let table = try folder.write(text, to: "app.csv")
    let read = try rssi("import", table, "-o", folder.path("a.h5"))
    #expect(read.exitCode == 0, "\(read.error)")
    let lines = try rows(folder.path("a.h5")).split(separator: "\n").dropFirst().map { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      let time = (Double(fields[1]) ?? .nan) * 1000
      return "\(Int64(time.rounded())) \(fields[3]) \(Double(fields[4]) ?? .nan)"
    }
    let wanted = try expected(table, script).split(separator: "\n").map { line in
      let fields = line.split(separator: " ")
      return "\((Int64(fields[0]) ?? 0) / 1_000_000) \(fields[1]) \(Double(fields[2]) ?? .nan)"
    }
    #expect(lines.map { $0.lowercased() } == wanted.map { $0.lowercased() })

    let line = try #require(read.error.split(separator: "\n").first)
    let options = try #require(line.components(separatedBy: "read with ").last)
    let forced = try runProgram(
      "/bin/sh", ["-c", "\(builtProgram) import \(table) \(options) -o \(folder.path("b.h5"))"])
    #expect(forced.exitCode == 0 && !forced.error.contains("read with"), "\(forced.error)")
    #expect(try rows(folder.path("a.h5")) == rows(folder.path("b.h5")))
  }

  @Test func `of any shape has the times, names and levels that pandas reads`() throws {
    let result = try runProgram(
      pythonPath, [repositoryRoot.appending(path: "scripts/docs/table-shapes").path],
      environment: ["RSSI_PROGRAM": builtProgram])
    #expect(result.exitCode == 0, "\(result.output)\(result.error)")
  }

  @Test func `of distances and levels alone is fitted`() throws {
    let pairs = try folder.write(
      "distance;rssi\n1;-60\n2;-66\n4;-72\n8;-78\n16;-84\n", to: "pairs.csv")
    let fit = try rssi("fit", pairs, "--json")
    let pooled = try #require(json(fit.output)["pooled"] as? [String: Any])
    // 6 dB per doubling, by hand: n = 6 / (10 log10 2).
    let exponent = try #require(pooled["exponent"] as? Double)
    #expect(abs(exponent - 6 / (10 * log10(2))) < 0.001)
  }

  @Test func `without a receiver has that of the option`() throws {
    let table = try folder.write("t,a,b\n1,-60,-70\n2,-61,-71\n", to: "wide.csv")
    let read = try rssi("import", table, "--receiver", "phone", "-o", folder.path("a.h5"))
    #expect(read.error.contains("receiver='phone'"), "\(read.error)")
    #expect(try rows(folder.path("a.h5")).contains(",phone,a,-60"))
  }

  @Test func `of one beacon with dates beside times is not taken for one of many`() throws {
    let table = try folder.write(
      "Date,Time,rssi\n2024-05-01,12:00:00,-60\n2024-05-01,12:00:01,-61\n", to: "one.csv")
    let read = try rssi("import", table, "--time-zone", "UTC", "-o", folder.path("a.h5"))
    #expect(read.exitCode == 0, "\(read.error)")
  }

  @Test func `with local times needs their zone`() throws {
    let table = try folder.write("time,rssi\n2024-05-01 12:00:00,-60\n", to: "local.csv")
    let refused = try rssi("import", table, "-o", folder.path("a.h5"))
    #expect(refused.exitCode == 65 && refused.error.contains("--time-zone"))
    let read = try rssi(
      "import", table, "--time-zone", "Europe/Berlin", "-o", folder.path("a.h5"))
    #expect(read.output.contains("2024-05-01T10:00:00Z"), "\(read.output)\(read.error)")
  }

  @Test func `in files of levels, places and times is scored as the table made by pandas is`()
    throws
  {
    let made = try runPython(
      "import sys, random, math\nimport pandas as pd\n" + Self.fingerprints, [folder.path("")])
    #expect(made.exitCode == 0, "\(made.error)")
    let wide = ["levels.csv", "places.csv", "times.csv"].map { folder.path($0) }
    let read = try rssi(
      "import", wide.joined(separator: "+"), "--columns",
      "x_m=2:#1,y_m=2:#2,time_s=3:#1:ns,receiver='phone'", "--nodes", folder.path("ids.csv"), "-o",
      folder.path("wide.h5"))
    #expect(read.exitCode == 0, "\(read.error)")
    let long = try rssi(
      "import", folder.path("long.csv"), "--nodes", folder.path("nodes.csv"), "--truth",
      folder.path("truth.csv"), "-o", folder.path("long.h5"))
    #expect(long.exitCode == 0, "\(long.error)")
    let ask = [
      "--cross-validate", "places", "--epoch", "place", "--algorithms",
      "weighted-centroid,maximum-likelihood,fingerprint", "--json",
    ]
    func errors(_ trace: String) throws -> [String] {
      let result = try runProgram(builtProgram, ["eval", folder.path(trace)] + ask)
      let algorithms = try #require(json(result.output)["algorithms"] as? [[String: Any]])
      return algorithms.map { "\($0["name"] ?? "") \($0["median_m"] ?? "")" }
    }
    let scored = try errors("wide.h5")
    #expect(!scored.isEmpty)
    #expect(try scored == errors("long.h5"))

    // Without times each place is asked once as well, and stages that need times refuse.
    let untimed = try rssi(
      "import", wide.prefix(2).joined(separator: "+"), "--columns", "x_m=2:#1,y_m=2:#2",
      "--nodes", folder.path("ids.csv"), "-o", folder.path("untimed.h5"))
    #expect(untimed.exitCode == 0 && untimed.error.contains("no times"))
    #expect(try !errors("untimed.h5").isEmpty)
    for call in [
      ["filter", folder.path("untimed.h5"), "-o", folder.path("f.h5"), "--filter", "median"],
      ["eval", folder.path("untimed.h5"), "--cross-validate", "traces"],
      ["watch", folder.path("untimed.h5")],
    ] {
      let refused = try runProgram(builtProgram, call)
      #expect(refused.exitCode == 65 && refused.error.contains("without times"), "\(refused.error)")
    }
  }

  /// Writes fingerprints as levels, places and times, and as the tables of this package.
  private static let fingerprints = """
    folder = sys.argv[1]
    random.seed(7)
    nodes = [(f'{i + 1}', 6 * (i % 3), 5 * (i // 3)) for i in range(6)]
    levels, places, times, long, truth = [], [], [], [], []
    time = 1700000000
    for place in range(12):
        x, y = random.uniform(0, 12), random.uniform(0, 5)
        for scan in range(8):
            row = []
            for name, nx, ny in nodes:
                d = max(0.5, math.hypot(x - nx, y - ny))
                level = round(-60 - 20 * math.log10(d) + random.gauss(0, 3))
                heard = random.random() < 0.8
                row.append(level if heard else 100)
                if heard:
                    long.append(('walk', time, 'phone', name, level))
            levels.append(row)
            places.append((x, y))
            times.append(time * 10**9)
            truth.append(('walk', time, 'phone', x, y))
            time += 1
        time += 10
    write = lambda rows, name, **options: pd.DataFrame(rows).to_csv(folder + '/' + name, index=False, **options)
    for rows, name in ((levels, 'levels.csv'), (places, 'places.csv'), (times, 'times.csv')):
        write(rows, name, header=False)
    write(nodes, 'ids.csv', header=['id', 'x', 'y'])
    write([(n, 'beacon', x, y) for n, x, y in nodes], 'nodes.csv', header=['node', 'role', 'x_m', 'y_m'])
    write(long, 'long.csv', header=['trace', 'time_s', 'receiver', 'beacon', 'rssi_dbm'])
    write(truth, 'truth.csv', header=['trace', 'time_s', 'node', 'x_m', 'y_m'])
    """
}
