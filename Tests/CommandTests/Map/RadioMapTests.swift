import Foundation
import TestSupport
import Testing

@Suite("rssi map, and --radio-map of eval and locate")
struct RadioMapTests {
  let room: LocateRoom
  let map: String

  init() throws {
    room = try LocateRoom(walks: 4, duration: 10, beacons: 4)
    map = room.folder.path("map.h5")
  }

  private func path(_ name: String) -> String { room.folder.path(name) }

  /// A trace of some of the walks.
  private func trace(_ name: String, of walks: [Int]) throws -> String {
    let result = try runProgram(
      builtProgram,
      ["export", room.walks, "-o", path(name)] + walks.flatMap { ["--trace", "walk-\($0)"] })
    try #require(result.exitCode == 0, "\(result.error)")
    return path(name)
  }

  @discardableResult
  private func learn(_ survey: String, _ arguments: [String] = []) throws -> ProgramResult {
    let result = try runProgram(
      builtProgram, ["map", survey, "--calibration", room.calibration, "-o", map] + arguments)
    try #require(result.exitCode == 0, "\(result.error)")
    return result
  }

  private func bytes(_ stage: [String], _ output: [String], _ file: String) throws -> Data {
    let result = try runProgram(builtProgram, stage + output + [path(file)])
    #expect(result.exitCode == 0, "\(stage): \(result.error)")
    return try Data(contentsOf: URL(filePath: path(file)))
  }

  @Test(arguments: [
    [], ["--height", "1.1"], ["--epoch", "1s", "--window", "2s", "--truth-at", "end"],
  ])
  func `eval gives the answers that it gives with the survey, byte for byte`(settings: [String])
    throws
  {
    let survey = try trace("survey.h5", of: [1, 2])
    try learn(survey, settings)
    // A single walk, and its anchors in another order than the survey's.
    let asked =
      [
        "--trace", "walk-3", "--trace", "walk-4", "--algorithms",
        "fingerprint,gaussian-process,kalman", "--algorithm", "grid-filter:map=yes", "--algorithm",
        "kalman:map=yes",
      ] + settings
    let eval = ["eval", room.walks] + asked
    let known = try bytes(
      eval + ["--calibration", room.calibration, "--survey", survey], ["--report"],
      "a.answers.csv")
    #expect(try bytes(eval + ["--radio-map", map], ["--report"], "b.answers.csv") == known)
    #expect(
      try bytes(
        eval + ["--radio-map", map, "--calibration", room.calibration], ["--report"],
        "c.answers.csv") == known)
    #expect(known.count > 2000)
  }

  @Test func `locate gives the positions that it gives with the survey`() throws {
    let survey = try trace("survey.h5", of: [1, 2])
    let walk = try trace("walk.h5", of: [3])
    try learn(survey, ["--epoch", "1s", "--truth-at", "end"])
    let nodes = room.room + "/nodes.csv"
    let algorithm = ["--algorithm", "kalman:map=yes"]
    let learning = ["--calibration", room.calibration, "--survey", survey]
    let file = ["locate", walk] + algorithm
    #expect(
      try bytes(file + learning, ["-o"], "a.csv")
        == bytes(file + ["--radio-map", map], ["-o"], "b.csv"))
    let lines = try runProgram(builtProgram, ["export", walk]).output
    func stream(_ arguments: [String]) throws -> String {
      let result = try runProgram(
        builtProgram, ["locate", "-", "--nodes", nodes] + algorithm + arguments,
        input: Data(lines.utf8))
      #expect(result.exitCode == 0, "\(result.error)")
      return result.output
    }
    let streamed = try stream(learning)
    #expect(streamed.split(separator: "\n").count >= 10)
    #expect(try stream(["--radio-map", map]) == streamed)
    // Where nothing else has anchors, the map's are those.
    let alone = try runProgram(
      builtProgram, ["locate", "-", "--radio-map", map] + algorithm, input: Data(lines.utf8))
    #expect(alone.output == streamed, "\(alone.error)")
  }

  @Test func `locating a source gives what it gives with the survey`() throws {
    let example = repositoryRoot.appending(path: "notebooks-data/example").path
    let nodes = ["--nodes", example + "/nodes.csv"]
    try LocateRoom.succeed(
      "import", example + "/walk-1.btsnoop", "--receiver", "phone", "--nodes", nodes[1], "--truth",
      try room.folder.write(
        try String(contentsOfFile: example + "/truth.csv", encoding: .utf8)
          .split(separator: "\n").filter { $0.hasPrefix("trace") || $0.hasPrefix("walk-1,") }
          .joined(separator: "\n") + "\n", to: "truth.csv"), "-o", path("survey.h5"))
    try learn(path("survey.h5"), ["--epoch", "1s", "--truth-at", "end"])
    func locate(_ arguments: [String]) throws -> String {
      let result = try runProgram(
        builtProgram,
        ["locate", "replay:" + example + "/walk-4.btsnoop", "--speed", "max", "--algorithm"]
          + ["kalman:map=yes", "--receiver", "phone"] + nodes + arguments)
      #expect(result.exitCode == 0, "\(result.error)")
      return result.output
    }
    let known = try locate([
      "--calibration", room.calibration, "--survey", path("survey.h5"),
    ])
    #expect(known.split(separator: "\n").count > 15)
    #expect(try locate(["--radio-map", map]) == known)
  }

  @Test func `parts with a map give the bytes of one process`() throws {
    try learn(room.walks, ["--trace", "walk-1", "--trace", "walk-2"])
    let scored = try trace("scored.h5", of: [3, 4])
    let eval = [
      "eval", scored, "--radio-map", map, "--algorithms", "gaussian-process,fingerprint",
    ]
    let single = try bytes(eval, ["--report"], "single.html")
    for share in ["1/2", "2/2"] {
      _ = try bytes(eval + ["--share", share], ["--part"], "\(share.first ?? "0").part")
    }
    #expect(
      try bytes(["eval", "--merge", path("1.part"), path("2.part")], ["--report"], "merged.html")
        == single)
  }

  @Test func `recordings that the map was learned from are not scored, under any name`() throws {
    let survey = try trace("survey.h5", of: [1, 2])
    try learn(survey)
    func eval(_ arguments: String...) throws -> ProgramResult {
      try runProgram(
        builtProgram, ["eval", "--radio-map", map, "--algorithms", "kalman"] + arguments)
    }
    let whole = try eval(room.walks)
    #expect(whole.exitCode == 65)
    #expect(
      whole.error.contains("radio map \(map)") && whole.error.contains("walk-1")
        && !whole.error.contains("--cross-validate"), "\(whole.error)")
    #expect(try eval(room.walks, "--trace", "walk-2").exitCode == 65)
    let marked = try eval(room.walks, "--trace", "walk-2", "--in-sample")
    #expect(marked.exitCode == 0 && marked.error.contains("in sample"))
    #expect(try eval(room.walks, "--trace", "walk-3").exitCode == 0)
    for (arguments, words) in [
      (["--cross-validate", "traces"], "--cross-validate"), (["--survey", survey], "--survey"),
    ] {
      let result = try runProgram(
        builtProgram, ["eval", room.walks, "--radio-map", map] + arguments)
      #expect(result.exitCode == 64 && result.error.contains(words), "\(result.error)")
    }
  }

  @Test func `info shows it, with its provenance; JSON has its figures`() throws {
    let survey = try trace("survey.h5", of: [1, 2])
    let report = try learn(survey, ["--json"])
    let figures = try #require(
      JSONSerialization.jsonObject(with: Data(report.output.utf8)) as? [String: Any])
    let shown = try runProgram(builtProgram, ["info", map, "--json"])
    let info = try #require(
      JSONSerialization.jsonObject(with: Data(shown.output.utf8)) as? [String: Any])
    let (learned, stored) = (
      try #require(figures["radio_map"] as? NSDictionary), info["radio_map"] as? NSDictionary
    )
    #expect(stored == learned)
    #expect(
      (learned["sources"] as? [[String: String]])?.map { $0["trace"] } == ["walk-1", "walk-2"])
    let text = try runProgram(builtProgram, ["info", map]).output
    #expect(text.contains("radio map") && text.contains("rssi map"), "\(text)")
    let inputs = try runPython(
      """
      import sys, h5py
      with h5py.File(sys.argv[1]) as f:
          for name in f['provenance/inputs/name'][:]: print(name.decode())
      """, [map])
    #expect(
      inputs.output.split(separator: "\n").map(String.init) == [survey, room.calibration],
      "\(inputs.error)")
  }

  @Test func `unusable inputs and outputs are refused, and leave no file`() throws {
    let empty = try runProgram(
      builtProgram, ["map", room.walks, "--calibration", room.calibration, "-o", room.walks])
    #expect(empty.exitCode == 64 && empty.error.contains("same file"))
    for (arguments, code, words) in [
      (["--trace", "walk-9"], 65, "walk-9"), (["--group", "none"], 65, "none"),
      (["--clock-offset", "estimate"], 64, "--clock-offset"),
      (["--dimensions", "3", "--height", "1"], 64, "--height"),
      (["--truth-at", "end", "--clock-offset", "9999h"], 65, "truth"),
    ] {
      let result = try runProgram(
        builtProgram,
        ["map", room.walks, "--calibration", room.calibration, "-o", map] + arguments)
      #expect(result.exitCode == Int32(code), "\(arguments) \(result.error)")
      #expect(result.error.contains(words), "\(result.error)")
    }
    #expect(!FileManager.default.fileExists(atPath: map))
    let other = try runProgram(
      builtProgram, ["eval", room.walks, "--radio-map", room.walks, "--algorithms", "kalman"])
    #expect(other.exitCode == 65 && other.error.contains("has no radio map"), "\(other.error)")
  }

  @Test func `the map on the floor plan, while it is learned and from its file`() throws {
    _ = try room.folder.write(
      "[[rooms]]\nname = \"hall </script>\"\npolygon = [[2, 2], [5, 2], [5, 4], [2, 4]]\n",
      to: "site.toml")
    let survey = try trace("survey.h5", of: [1, 2])
    try learn(survey, ["--site", path("site.toml"), "--report", path("first.html")])
    let again = try runProgram(
      builtProgram, ["map", map, "--site", path("site.toml"), "--report", path("again.html")])
    #expect(again.exitCode == 0, "\(again.error)")
    let pages = try ["first.html", "again.html"].map {
      try String(contentsOfFile: path($0), encoding: .utf8)
        .replacing(#/<pre class="command">.*<\/pre>/#.dotMatchesNewlines(), with: "")
    }
    #expect(pages[0] == pages[1])
    #expect(pages[0].contains("<title>hall") == false && pages[0].contains("hall &lt;/script&gt;"))
    // Two layers of the floor, and two of each anchor.
    let options = pages[0].matches(of: #/<option value="\d+">(level|uncertainty) of /#).count
    #expect(options == 8)
  }

  /// The tables for other programs, read by numpy, against a Gaussian process computed from the
  /// numbers of the map's file alone.
  @Test func `numbers of cells are those of the process in the file`() throws {
    try learn(
      room.walks, ["--report", path("cells.csv"), "--report", path("map.levels.csv")])
    let cells = try Data(contentsOf: URL(filePath: path("cells.csv")))
    let again = try runProgram(builtProgram, ["map", map, "--report", path("again.csv")])
    #expect(again.exitCode == 0, "\(again.error)")
    #expect(try Data(contentsOf: URL(filePath: path("again.csv"))) == cells)
    let result = try runPython(
      """
      import sys, h5py, numpy as np
      table = lambda f: np.genfromtxt(f, delimiter=',', names=True, dtype=None, encoding='utf8')
      cells, levels = table(sys.argv[2]), table(sys.argv[3])
      with h5py.File(sys.argv[1]) as f:
          g = f['radio_map']
          a = dict(g.attrs)
          p, l, anchors = [{k: v[:] for k, v in g[n].items()} for n in ('places', 'levels', 'anchors')]
          at = np.stack([f['beacons/x_m'][:], f['beacons/y_m'][:]], 1)[anchors['node']]
      rest = np.isnan(p['middle_x_m'])
      centre = np.where(rest, [p['x_m'], p['y_m']], [p['middle_x_m'], p['middle_y_m']]).T
      reach = np.where(rest, 0, [p['reach_x_m'], p['reach_y_m']]).T
      share = np.array([5, 8, 5]) / 18
      nodes = lambda c, r: c[:, None] + np.array([[-1], [0], [1]]) * np.sqrt(0.6) * r[:, None]
      def field(x, y):
          d = np.linalg.norm(x - y, axis=-1) / a['length_m']
          return a['spread_db']**2 * (np.exp(-d) if 'exponential' in str(a['kernel']) else
              (1 + np.sqrt(3) * d) * np.exp(-np.sqrt(3) * d))
      def averaged(i):
          # Levels of a recording in a cell of half a metre are one level.
          curve = lambda x: anchors['measured_power_dbm'][i] - 5 * anchors['exponent'][i] * np.log10(
              ((x - at[i])**2).sum(-1) + anchors['height_difference_m'][i]**2)
          cells = {}
          for n in np.flatnonzero(l['anchor'] == i):
              m = l['place'][n]
              residual = l['rssi_dbm'][n] - curve(nodes(centre[m:m + 1], reach[m:m + 1]))[0] @ share
              row = np.array([*centre[m], *reach[m], residual])
              key = (*np.floor(centre[m] / 0.5), p['recording'][m])
              sum, k = cells.get(key, (0, 0))
              if k and sum[2:4] @ row[2:4] < 0: row[2:4] *= -1
              cells[key] = (sum + l['packets'][n] * row, k + l['packets'][n])
          k = np.array([k for _, k in cells.values()])
          rows = np.array([sum for sum, _ in cells.values()]) / k[:, None]
          return curve, nodes(rows[:, :2], rows[:, 2:4]), rows[:, 4], k, np.array([c[2] for c in cells])
      levels = levels.reshape(len(cells), len(at))
      worst = np.zeros(2)
      for i in range(len(at)):
          curve, n, residual, k, trace = averaged(i)
          c = np.einsum('iajb,a,b', field(n[:, :, None, None], n[None, None]), share, share)
          # A level at rest has the full variance.
          c += a['anchor_offset_db']**2 + a['recording_offset_db']**2 * (trace[:, None] == trace)
          c += np.diag(a['place_noise_db']**2 + a['packet_noise_db']**2 / k)
          rows = levels[::37, i]
          q = np.stack([rows['x_m'], rows['y_m']], 1)
          near = a['anchor_offset_db']**2 + field(q[:, None, None], n[None]) @ share
          s = np.linalg.solve(c, near.T)
          v = a['anchor_offset_db']**2 + a['spread_db']**2 - (near * s.T).sum(1)
          v += a['recording_offset_db']**2 + a['place_noise_db']**2
          v += a['packet_noise_db']**2 / np.sort(l['packets'])[len(l['packets']) // 2]
          worst = np.maximum(worst, [abs(curve(q) + s.T @ residual - rows['level_dbm']).max(),
                                     abs(np.sqrt(v) - rows['deviation_db']).max()])
      assert np.array_equal(levels['x_m'][:, 0], cells['x_m'])
      print(len(cells), *worst, np.nanmin(cells['expected_error_m']),
            np.nanmax(cells['expected_error_m']))
      """, [map, path("cells.csv"), path("map.levels.csv")])
    try #require(result.exitCode == 0, "\(result.error)")
    let numbers = result.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    try #require(numbers.count == 5, "\(result.output)")
    #expect(numbers[0] > 100)
    // The tables have four decimals.
    #expect(numbers[1] < 1e-3 && numbers[2] < 1e-3, "\(numbers)")
    #expect(numbers[3] > 0.1 && numbers[4] < 10, "\(numbers)")
  }

  @Test func `maps that cannot be shown are refused`() throws {
    for (arguments, words) in [
      ([room.walks], "give -o"),
      ([room.walks, "--report", path("a.pdf")], "ends in .html (page), .csv"),
      ([room.walks, "--report", path("a.html")], "has no radio map"),
    ] {
      let result = try runProgram(builtProgram, ["map"] + arguments)
      #expect(result.exitCode != 0 && result.error.contains(words), "\(result.error)")
    }
    #expect(!FileManager.default.fileExists(atPath: path("a.html")))
  }
}

@Suite("The map of a building")
struct BuildingMapPageTests {
  @Test func `has a panel per floor, and numbers of each`() throws {
    let folder = try TemporaryDirectory()
    let house = folder.path("house")
    func run(_ arguments: String...) throws -> String {
      let result = try runProgram(builtProgram, arguments)
      try #require(result.exitCode == 0, "\(arguments): \(result.error)")
      return result.output
    }
    _ = try run(
      "simulate", "--floors", "2", "--walks", "6", "--duration", "90", "--beacons", "4", "-o", house
    )
    _ = try run(
      "import", house + "/walk-1.btsnoop", house + "/walk-2.btsnoop", house + "/walk-3.btsnoop",
      house + "/walk-4.btsnoop", house + "/walk-5.btsnoop", house + "/walk-6.btsnoop", "--receiver",
      "phone", "--truth", house + "/truth.csv", "-o",
      folder.path("survey.h5"))
    _ = try run(
      "map", folder.path("survey.h5"), "-o", folder.path("map.h5"), "--report",
      folder.path("map.html"), "--report", folder.path("map.csv"), "--report",
      folder.path("map.levels.csv"))
    let page = try String(contentsOfFile: folder.path("map.html"), encoding: .utf8)
    for floor in ["F1", "F2"] {
      #expect(page.contains("class=\"floor-name\" x=\"2\" y=\"-8\">\(floor)<"))
    }
    #expect(page.contains(">right floor</option>") && page.contains("data-layer=\"10\""))
    #expect(!page.contains("id=\"map-proposals\""))
    // Each line of levels is of a cell, and the levels are those of the two floors.
    let check = try runPython(
      """
      import csv, sys
      cells = list(csv.DictReader(open(sys.argv[1])))
      assert list(cells[0]) == ["floor", "x_m", "y_m", "expected_error_m", "floor_right", "anchors_received"]
      assert {row["floor"] for row in cells} == {"F1", "F2"}
      places = {(row["floor"], row["x_m"], row["y_m"]) for row in cells}
      assert len(places) == len(cells) > 50
      assert all(0 <= float(row["floor_right"]) <= 1 for row in cells)
      assert all(0 < float(row["anchors_received"]) < 8 for row in cells)
      levels = list(csv.DictReader(open(sys.argv[2])))
      assert {(row["floor"], row["x_m"], row["y_m"]) for row in levels} <= places
      assert len({row["anchor"] for row in levels}) == 8
      assert all(-120 < float(row["level_dbm"]) < -20 and float(row["deviation_db"]) > 0 for row in levels)
      """, [folder.path("map.csv"), folder.path("map.levels.csv")])
    #expect(check.exitCode == 0, "\(check.error)")
  }
}

@Suite(
  "The page of a radio map in a browser",
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium")
      || ProcessInfo.processInfo.environment["CI"] != nil, "needs Chromium"))
struct RadioMapPageTests {
  @Test(arguments: [1400, 390])
  func `chooses what is shown`(_ width: Int) throws {
    let room = try LocateRoom(walks: 4, duration: 20, beacons: 4)
    let page = room.folder.path("map.html")
    let made = try runProgram(
      builtProgram,
      [
        "map", room.walks, "--calibration", room.calibration, "-o", room.folder.path("m.h5"),
        "--report", page,
      ])
    try #require(made.exitCode == 0, "\(made.error)")
    let script = """
      <script nonce="rssi">
      var choice = document.getElementById('map-layer'), shown = [];
      for (var i = 0; i < choice.options.length; i++) {
        choice.value = i;
        choice.dispatchEvent(new Event('change'));
        shown.push(Array.from(document.querySelectorAll('[data-layer]'))
          .filter(function (part) { return getComputedStyle(part).display !== 'none'; })
          .map(function (part) { return part.dataset.layer; }).join('+'));
      }
      document.getElementById('map-proposals').click();
      document.body.dataset.shown = shown.join(' ');
      document.body.dataset.proposals = getComputedStyle(document.querySelector('.proposals')).display;
      document.body.dataset.excess = document.documentElement.scrollWidth - window.innerWidth;
      </script></body>
      """
    let text = try String(contentsOfFile: page, encoding: .utf8)
    try text.replacingOccurrences(of: "</body>", with: script)
      .write(toFile: page, atomically: true, encoding: .utf8)
    let result = try runProgram(
      "/usr/bin/chromium",
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--user-data-dir=\(room.folder.path("profile"))", "--dump-dom",
        "--enable-logging=stderr", "--window-size=\(width),1000", "--virtual-time-budget=3000",
        "file://\(page)",
      ])
    #expect(result.exitCode == 0)
    #expect(!result.error.contains(":CONSOLE"))
    let shown = try #require(result.output.firstMatch(of: #/data-shown="([^"]*)"/#)).1.split(
      separator: " ")
    // The error, how many anchors are received, and two of each anchor.
    #expect(shown.count == 10)
    #expect(shown.enumerated().allSatisfy { $0.element == "\($0.offset)+\($0.offset)" })
    let isHidden = result.output.contains("data-proposals=\"none\"")
    #expect(isHidden)
    let excess = try #require(result.output.firstMatch(of: #/data-excess="(-?\d+)"/#)).1
    #expect(try #require(Int(excess)) <= 0)
  }
}
