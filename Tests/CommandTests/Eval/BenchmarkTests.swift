import Foundation
import TestSupport
import Testing

@Suite("rssi benchmark")
struct BenchmarkTests {
  private let folder: TemporaryDirectory
  private let example = repositoryRoot.appending(path: "notebooks-data/example")
  private let walks = (1...6).map { "walk-\($0).btsnoop" }

  init() throws { folder = try TemporaryDirectory() }

  private func path(_ name: String) -> String { folder.path(name) }

  private func run(_ arguments: String...) throws -> ProgramResult {
    try runProgram(builtProgram, ["benchmark"] + arguments)
  }

  private func sha256(ofFile path: String) throws -> String {
    String(try runProgram("/usr/bin/sha256sum", [path]).output.prefix { $0 != " " })
  }

  /// Writes a recipe of the bundled walks, with digests, beside a folder of peers.
  private func writeRecipe(
    _ name: String = "walks", url: String? = nil, digest: String? = nil, extra: String = ""
  ) throws {
    var text = """
      title = "Six walks through a workshop"
      question = "Where is a walking phone?"
      source = "https://example.org/walks"
      licence = "MIT"
      \(extra)

      """
    for name in walks + ["nodes.csv", "truth.csv"] {
      let sum = try digest ?? sha256(ofFile: example.appending(path: name).path)
      text += "[[files]]\nname = \"\(name)\"\nsha256 = \"\(sum)\"\n"
      if let url { text += "url = \"\(url)/\(name)\"\n" }
    }
    text += """
      [[traces]]
      name = "walks"
      inputs = [\(walks.map { "\"\($0)\"" }.joined(separator: ", "))]
      nodes = "nodes.csv"
      truth = ["truth.csv"]
      receiver = "phone"

      [evaluation]
      cross_validate = "traces"
      epoch = "2s"
      algorithms = ["weighted-centroid", "fingerprint"]

      """
    try text.write(toFile: path("\(name).toml"), atomically: true, encoding: .utf8)
  }

  private func json(_ path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(filePath: path))
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func `a set has the figures of rssi eval, and its pages repeat byte for byte`() throws {
    try writeRecipe()
    let copy = path("copy")
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: example.path, toPath: "\(copy)/walks")
    for (files, out) in [(example.path, "out"), (copy, "again")] {
      let result = try run(
        "run", path("walks.toml"), "--from", files, "--report", path(out), "--quiet")
      try #require(result.exitCode == 0, "\(result.error)")
    }
    let names = [
      "index.html", "index.md", "index.json", "walks.html", "walks.json", "walks.answers.csv",
    ]
    for name in names {
      #expect(
        FileManager.default.contentsEqual(
          atPath: path("out/\(name)"), andPath: path("again/\(name)")), "\(name)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: path("out")).sorted()
        == (names + ["times.json"]).sorted())

    let trace = path("walks.h5")
    let imported = try runProgram(
      builtProgram,
      ["import"] + walks.map { example.appending(path: $0).path } + [
        "--receiver", "phone", "--nodes", example.appending(path: "nodes.csv").path, "--truth",
        example.appending(path: "truth.csv").path, "-o", trace,
      ])
    try #require(imported.exitCode == 0, "\(imported.error)")
    let evaluated = try runProgram(
      builtProgram,
      [
        "eval", trace, "--cross-validate", "traces", "--algorithms",
        "weighted-centroid,fingerprint", "--json",
      ])
    let expected = try #require(
      JSONSerialization.jsonObject(with: Data(evaluated.output.utf8)) as? NSDictionary)
    #expect(
      try json(path("out/walks.json"))["algorithms"] as? NSArray == expected["algorithms"]
        as? NSArray)
    let set = try #require((json(path("out/index.json"))["sets"] as? [[String: Any]])?.first)
    let best = try #require((set["algorithms"] as? [[String: Any]])?.first)
    #expect(best["standing"] as? String == "best" && best["peer"] as? Bool == false)
    #expect(set["verified"] as? Bool == true)
    let times = try #require((json(path("out/times.json"))["sets"] as? [[String: Any]])?.first)
    for time in try #require(times["algorithms"] as? [[String: Any]]) {
      #expect(time["answers"] as? Int == 60)
    }
  }

  @Test func `a peer that is ahead is named first, with the test of the difference`() throws {
    try writeRecipe()
    let peers = path("peers")
    try FileManager.default.createDirectory(atPath: peers, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: repositoryRoot.appending(path: "docs/nearest_levels.py").path,
      toPath: "\(peers)/nearest-levels.py")
    let result = try run(
      "run", "walks", "--recipes", path("."), "--from", example.path, "--algorithms",
      "nearest-anchor", "--peer", "all", "--python", pythonPath, "--report", path("out"))
    try #require(result.exitCode == 0, "\(result.error)")
    #expect(result.output.contains("peer ahead: walks: nearest-levels "))
    let page = try String(contentsOfFile: path("out/index.html"), encoding: .utf8)
    #expect(page.contains("nearest-levels</bdi></b>") && page.contains("(adjusted p = "))
    #expect(!page.contains(path("")))
    let markdown = try String(contentsOfFile: path("out/index.md"), encoding: .utf8)
    #expect(markdown.hasPrefix("Peers ahead:\n\n- walks: **nearest-levels** "))
    let unknown = try run(
      "run", "walks", "--recipes", path("."), "--peer", "x", "--report", path("o"))
    #expect(unknown.exitCode == 64 && unknown.error.contains("choose of nearest-levels"))
  }

  /// The stand-ins for the peers' sources do what algorithms of ours do: the centroid weighted by the
  /// inverse square of ranges, and the place of the anchor with the smallest range.
  @Test(arguments: [
    (
      "bps-trilaterate", "weighted-centroid",
      [
        "bps.py": """
        import homeassistant_that_is_not_here

        def trilaterate(known_points, bounds=None):
          weights = [1 / point[2] ** 2 for point in known_points]
          return tuple(np.average([point[axis] for point in known_points], weights=weights) for axis in (0, 1))
        """
      ]
    ),
    (
      "bermuda", "nearest-anchor",
      [
        "util.py": """
        def rssi_to_metres(rssi, ref_power=None, attenuation=None):
          return 10 ** ((ref_power - rssi) / (10 * attenuation))
        """,
        "const.py": """
        from .module_that_is_not_here import Logger
        CONF_RADIUS, DEFAULT_MAX_RADIUS = "radius", 1e6
        CONF_LOSS, DEFAULT_ATTENUATION = "loss", 2
        DEFAULT_REF_POWER = -58.5
        """,
      ]
    ),
  ])
  func `a peer without a package runs from a copy of its source`(
    peer: String, ours: String, files: [String: String]
  ) throws {
    try writeRecipe()
    let source = path("source")
    try FileManager.default.createDirectory(atPath: source, withIntermediateDirectories: true)
    for (name, text) in files {
      try text.write(toFile: "\(source)/\(name)", atomically: true, encoding: .utf8)
    }
    let result = try run(
      "run", path("walks.toml"), "--recipes", repositoryRoot.appending(path: "benchmarks").path,
      "--from", example.path, "--algorithms", ours, "--peer", peer,
      "--peer-source", source, "--python", pythonPath, "--report", path("out"), "--json", "-q")
    try #require(result.exitCode == 0, "\(result.error)")
    let answers = try String(contentsOfFile: path("out/walks.answers.csv"), encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let columns = answers[0]
    let x = try #require(columns.firstIndex(of: "x_m"))
    let name = try #require(columns.firstIndex(of: "algorithm"))
    let found = [ours, peer].map { one in
      answers.filter { $0[name] == one }.map { Double($0[x]) ?? .nan }
    }
    #expect(found[0].count == 60 && found[1].count == 60)
    for (own, other) in zip(found[0], found[1]) { #expect(abs(own - other) < 2e-3) }
  }

  /// Writes a recipe of distances that levels without noise give exactly: P = -59, n = 2.
  private func writeDistances(
    answer: String = "10 ** ((-59 - message['levels'][0]['rssi_dbm']) / 20)"
  ) throws {
    var table = "series,time_s,receiver,beacon,distance_m,rssi_dbm\n"
    for (series, place) in ["a", "b"].enumerated().flatMap({ one in (0..<8).map { (one, $0) } }) {
      let distance = pow(2, Double(place) / 2)
      for packet in 0..<20 {
        let level = -59 - 20 * log10(distance) + (packet % 2 == 0 ? 1 : -1)
        let time = Double(series.offset * 1000 + place * 100 + packet)
        table += "\(series.element),\(time),phone,tag,\(distance),\(level)\n"
      }
    }
    try table.write(toFile: path("distances.csv"), atomically: true, encoding: .utf8)
    try """
    title = "A tag at eight distances, twice"
    question = "How far is the tag?"
    source = "https://example.org/distances"
    licence = "MIT"
    [[files]]
    name = "distances.csv"
    [[traces]]
    name = "bench"
    inputs = ["distances.csv"]
    [evaluation]
    quantity = "distances"
    cross_validate = "places"
    epoch = "5s"
    """.write(toFile: path("tag.toml"), atomically: true, encoding: .utf8)
    try FileManager.default.createDirectory(
      atPath: path("peers/distances"), withIntermediateDirectories: true)
    try """
    import json, sys
    for line in sys.stdin:
      message = json.loads(line)
      if message["kind"] == "site":
        assert "x_m" in message["survey"][0]
        continue
      print(json.dumps({"x_m": \(answer), "y_m": 0, "covariance_m2": [[0.01, 0], [0, 1]]}), flush=True)
    """.write(toFile: path("peers/distances/exact.py"), atomically: true, encoding: .utf8)
  }

  @Test func `distances have their own table, with the factor and the coverage of intervals`()
    throws
  {
    try writeDistances()
    let result = try run(
      "run", path("tag.toml"), "--recipes", path("."), "--from", path("."), "--peer", "exact",
      "--python", pythonPath, "--report", path("out"), "-q")
    try #require(result.exitCode == 0, "\(result.error)")
    let document = try json(path("out/tag.json"))
    #expect(document["windows"] as? Int == 64 && document["units"] as? Int == 16)
    let scores = try #require(document["algorithms"] as? [[String: Any]])
    for name in ["log-distance", "fixed-exponent", "exact"] {
      let score = try #require(scores.first { $0["name"] as? String == name })
      // Windows of five packets have a mean level that is off by 0.2 dB: 2.3 % of the distance.
      let factor = try #require(score["median_factor"] as? Double)
      #expect(abs(factor - pow(10, 0.2 / 20)) < 1e-3, "\(name): \(factor)")
      #expect(score["availability"] as? Double == 1)
    }
    let peer = try #require(scores.first { $0["name"] as? String == "exact" })
    // ± 0.196 m contain errors of 2.3 % at most up to 8.4 m: all but the two farthest places.
    #expect(peer["in_95_interval"] as? Double == 14.0 / 16)
    let answers = try String(contentsOfFile: path("out/tag.distances.csv"), encoding: .utf8)
      .split(separator: "\n")
    #expect(answers.count == 1 + 64 * scores.count)
    let page = try String(contentsOfFile: path("out/index.md"), encoding: .utf8)
    #expect(
      page.contains("Median of the error of the distance") && page.contains("| exact (peer) |"))
    #expect(!page.contains("horizontal error"))
    let other = try run(
      "run", path("tag.toml"), "--from", path("."), "--algorithms", "min-max", "--report", path("o")
    )
    #expect(other.exitCode == 64 && other.error.contains("none of min-max estimates distances"))
  }

  @Test func `files are fetched when asked, and only with the digest of the recipe`() throws {
    let server = try RunningProgram(
      pythonPath,
      ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", example.path])
    try #require(server.waits { server.output.contains("port ") })
    let port = server.output.split(separator: " ").drop { $0 != "port" }.dropFirst().first ?? ""
    let url = "http://127.0.0.1:\(port)"
    try writeRecipe(url: url)
    let early = try run("run", path("walks.toml"), "--from", path("sets"), "--report", path("out"))
    #expect(early.exitCode == 66 && early.error.contains("rssi benchmark fetch walks"))
    #expect(!FileManager.default.fileExists(atPath: path("out/index.html")))
    for outcome in ["verified", "present"] {
      let fetched = try run("fetch", path("walks.toml"), "--to", path("sets"))
      #expect(fetched.exitCode == 0, "\(fetched.error)")
      let lines = fetched.output.split(separator: "\n")
      #expect(lines.count == 8 && lines.allSatisfy { $0.hasSuffix(": \(outcome)") })
    }
    let ran = try run(
      "run", path("walks.toml"), "--from", path("sets"), "--report", path("out"), "-q")
    #expect(ran.exitCode == 0, "\(ran.error)")

    try writeRecipe("changed", url: url, digest: String(repeating: "0", count: 64))
    let changed = try run("fetch", path("changed.toml"), "--to", path("sets"))
    #expect(changed.exitCode == 65 && changed.error.contains("the recipe has 000"))
    #expect(!FileManager.default.fileExists(atPath: path("sets/changed/walk-1.btsnoop")))
    try "x".write(toFile: path("sets/walks/truth.csv"), atomically: true, encoding: .utf8)
    let damaged = try run(
      "run", path("walks.toml"), "--from", path("sets"), "--report", path("out"))
    #expect(damaged.exitCode == 65 && damaged.error.contains("truth.csv"))
    try writeRecipe()
    let unpublished = try run("fetch", path("walks.toml"), "--to", path("other"))
    #expect(unpublished.exitCode == 69 && unpublished.error.contains("https://example.org/walks"))
  }

  @Test(arguments: [
    ("licence = \"MIT\"", "", "line 1: licence is missing"),
    (
      "\"walk-1.btsnoop\"\nsha256", "\"../walk-1.btsnoop\"\nsha256",
      "[[files]] number 1: name must be below the folder"
    ),
    ("epoch = \"2s\"", "epoch = \"soon\"", "[evaluation]: "),
    (
      "cross_validate = \"traces\"", "cross_validate = 1", "cross_validate must be a text in quotes"
    ),
    ("receiver = \"phone\"", "reciever = \"phone\"", "unknown key"),
    ("inputs = [", "inputs = [\"walk-9.btsnoop\", ", "walk-9.btsnoop is not in [[files]]"),
    ("[evaluation]", "[evaluation]\nsurvey = [\"x\"]", "no [[traces]] named \"x\""),
    ("title =", "title", "invalid TOML"),
    ("\"fingerprint\"]", "\"exec:touch x\"]", "a recipe runs no programs"),
    ("epoch =", "quantity = \"angles\"\nepoch =", "invalid quantity \"angles\""),
    ("epoch =", "quantity = \"distances\"\nepoch =", "at least 2 series"),
  ])
  func `a recipe with a mistake is refused`(part: String, by: String, message: String) throws {
    try writeRecipe()
    let text = try String(contentsOfFile: path("walks.toml"), encoding: .utf8)
    try #require(text.contains(part))
    try text.replacing(part, with: by, maxReplacements: 1)
      .write(toFile: path("walks.toml"), atomically: true, encoding: .utf8)
    let result = try run(
      "run", path("walks.toml"), "--from", example.path, "--report", path("out"), "-q")
    #expect(
      [64, 65].contains(result.exitCode) && result.error.contains(message), "\(result.error)")
    #expect(!FileManager.default.fileExists(atPath: path("out/index.html")))
  }

  @Test func `bundled recipes are listed, with their licence and source`() throws {
    let recipes = repositoryRoot.appending(path: "benchmarks").path
    let result = try run("list", "--recipes", recipes, "--json")
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: [[String: Any]]])
    let listed = try #require(document["recipes"])
    #expect(listed.count >= 8)
    for recipe in listed {
      #expect((recipe["source"] as? String)?.hasPrefix("https://") == true)
      for file in try #require(recipe["files"] as? [[String: Any]]) where file["url"] is String {
        #expect((file["url"] as? String)?.hasPrefix("https://") == true)
      }
    }
  }

  /// The public sets beside the repository have the digests of the recipes.
  @Test(
    .needs(
      data: "sparse-room", "flat-walks", "hall-static", "office-scans", "sparse-floor", "mall-walks"
    ))
  func `recipes run on the public sets`() throws {
    let data = try #require(sharedData("")).path
    let result = try run(
      "run", "flat-walks", "hall-static", "office-scans", "sparse-floor", "sparse-room",
      "--recipes", repositoryRoot.appending(path: "benchmarks").path, "--from", data,
      "--algorithms", "weighted-centroid", "--report", path("out"), "--json", "-q")
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any],
      "\(result.error)")
    // The reference of the data for positions of their own means: 1.22 m in the office, 1.61 m in the room.
    let medians = (document["sets"] as? [[String: Any]] ?? []).map {
      ($0["algorithms"] as? [[String: Any]])?.first?["median_m"] as? Double ?? .nan
    }
    #expect(medians.count == 5)
    for (median, expected) in zip(medians, [1.11, 3.03, 1.22, 3.28, 1.61]) {
      #expect(abs(median - expected) < 0.06, "\(medians)")
    }
  }
}
