import Foundation
import TestSupport
import Testing

/// A line of a stream of one link.
private func line(_ milliseconds: Int, _ rssi: Int?, channel: Int = 37) -> String {
  let level = rssi.map(String.init) ?? "null"
  let time = String(format: "%d.%03d", 1_700_000_000 + milliseconds / 1000, milliseconds % 1000)
  return
    "{\"time_s\":\(time),\"beacon\":\"b\",\"receiver\":\"r\",\"rssi_dbm\":\(level),\"channel\":\(channel)}\n"
}

@Suite("rssi filter, on files and on streams")
struct FilterTests {
  /// Filters that need no parameter, as the help lists them.
  private static let all = [
    "kalman", "median", "mean", "trimmed-mean", "hampel", "ewma", "one-euro", "local-polynomial",
    "channel-mean", "velocity", "adaptive", "rts", "fixed-lag", "channels",
    "tobit:interval=100ms,floor=-95,loss=0.3", "median:window=1s",
  ]

  /// Noise that is written, where the filter has some: a stream cannot estimate it.
  private func written(_ filter: String) -> String {
    let estimating = ["kalman", "velocity", "adaptive", "rts", "fixed-lag", "channels", "tobit"]
    guard estimating.contains(filter.split(separator: ":").first.map(String.init) ?? "") else {
      return filter
    }
    return filter + (filter.contains(":") ? "," : ":") + "q=6,r=12"
  }

  @Test(arguments: all)
  func `a stream and a file give the same lines, to the last digit`(filter: String) throws {
    let folder = try TemporaryDirectory()
    let (trace, stream, rows) = try lateRows(in: folder)
    let filter = written(filter)
    let filtered = try rssi(
      "filter", trace, "-o", trace, "--filter", filter, "--name", "x", "--reorder", "1s",
      "-q")
    #expect(filtered.exitCode == 0, "\(filtered.error)")
    let fromFile = try rssi("export", trace, "--format", "ndjson", "--filtered", "x").output
    let fromStream = try rssi("filter", "-", "--filter", filter, "--reorder", "1s", input: stream)
    #expect(fromStream.exitCode == 0, "\(fromStream.error)")
    #expect(fromStream.error.contains("after a newer one"))
    // A stream comes out in order of time, a file keeps its order.
    #expect(
      fromStream.output.split(separator: "\n").sorted() == fromFile.split(separator: "\n").sorted())
    #expect(fromFile.split(separator: "\n").count == rows)
  }

  /// A trace of which a few rows come late, as a stream too, and their number.
  private func lateRows(
    in folder: TemporaryDirectory
  ) throws -> (trace: String, stream: String, rows: Int) {
    let room = try simulatedRoom(in: folder)
    // The table has channels.
    var rows = try String(contentsOfFile: room + "/rssi.csv", encoding: .utf8).split(
      separator: "\n")
    let count = rows.count - 1
    let (trace, stream) = (folder.path("walks.h5"), folder.path("late.ndjson"))
    try copyPrepared("walks with late rows", to: folder) { folder in
      for row in stride(from: 10, to: rows.count - 30, by: 37) {
        rows.insert(rows.remove(at: row), at: row + 25)
      }
      let table = try folder.write(rows.joined(separator: "\n") + "\n", to: "late.csv")
      #expect(try rssi("import", table, "-o", folder.path("walks.h5")).exitCode == 0)
      let stream = try rssi("export", folder.path("walks.h5"), "--format", "ndjson").output
      _ = try folder.write(stream, to: "late.ndjson")
    }
    return (trace, try String(contentsOfFile: stream, encoding: .utf8), count)
  }

  @Test func `a stream comes out in order of time, and late sightings are reported`() throws {
    let input = [0, 100, 250, 200, 300, 900, 1100, 310].map { line($0, -60 - $0 / 100) }.joined()
    let result = try rssi("filter", "-", "--filter", "kalman:q=1,r=9", input: input)
    let times = result.output.split(separator: "\n").compactMap {
      $0.split(separator: ",").first?.split(separator: ":").last.flatMap { Double($0) }
    }.map { Int(($0 - 1_700_000_000) * 1000 + 0.5) }
    #expect(times == [0, 100, 200, 250, 300, 900, 310, 1100])
    #expect(
      result.error.contains("2 of 8 sightings") && result.error.contains("1 were put"))
    #expect(result.error.contains("1 sightings came"))
    let wide = try rssi(
      "filter", "-", "--filter", "kalman:q=1,r=9", "--reorder", "1s", input: input)
    #expect(wide.error.contains("2 were put"))
    let none = try rssi("filter", "-", "--filter", "kalman:q=1,r=9", "--reorder", "0", input: input)
    #expect(none.error.contains("0 were put"))
  }

  @Test func `sightings without a level pass through, counted; a long gap starts again`() throws {
    let folder = try TemporaryDirectory()
    let trace = folder.path("t.h5")
    let input =
      line(0, -60) + line(100, nil) + line(200, -62) + line(60_000, -80) + line(60_100, -82)
    try input.write(toFile: folder.path("t.ndjson"), atomically: true, encoding: .utf8)
    #expect(try rssi("import", folder.path("t.ndjson"), "-o", trace).exitCode == 0)
    let result = try rssi(
      "filter", trace, "-o", trace, "--filter", "kalman:q=0,r=9", "--reset-after", "30s", "--json")
    let report = try json(result.output)
    #expect(report["missing"] as? Int == 1)
    #expect(report["restarts"] as? Int == 1)
    #expect(report["out_of_order"] as? Int == 0)
    let levels = try rssi("export", trace, "--format", "ndjson", "--filtered", "kalman").output
      .split(separator: "\n").map { try json(String($0))["rssi_dbm"] as? Double }
    #expect(levels == [-60, nil, -61, -80, -81])
    let stream = try rssi(
      "filter", "-", "--filter", "kalman:q=0,r=9", "--reset-after", "30s", input: input)
    #expect(
      try stream.output.split(separator: "\n").map { try json(String($0))["rssi_dbm"] as? Double }
        == levels)
  }

  @Test func `estimates come with intervals, errors and a test of whiteness`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let trace = folder.path("walks.h5")
    #expect(try rssi("import", room + "/rssi.csv", "-o", trace).exitCode == 0)
    let report = try json(try rssi("filter", trace, "-o", trace, "--json").output)
    let links = try #require(report["links"] as? [[String: Any]])
    #expect(links.count == 8)
    for link in links {
      #expect(link["noise"] as? String == "link")
      let q = try #require(link["q"] as? Double)
      let interval = try #require((link["ci95"] as? [String: [Double]])?["q"])
      #expect(interval[0] < q && q < interval[1])
      let error = try #require((link["standard_error"] as? [String: Double])?["q"])
      #expect(error > 0 && error < interval[1] - interval[0])
      let whiteness = try #require(link["whiteness"] as? [String: Any])
      #expect(whiteness["lags"] as? Int == 10)
      let p = try #require(whiteness["p_value"] as? Double)
      #expect((0...1).contains(p))
    }
    let table = try runPython(
      """
      import sys, h5py, json
      links = json.loads(sys.argv[2])['links']
      with h5py.File(sys.argv[1]) as f:
          t = f['filtered/kalman/links']
          assert t['q_db2_per_s'][:].tolist() == [l['q'] for l in links]
          assert t['r_high'][:].tolist() == [l['ci95']['r'][1] for l in links]
          assert t['noise_origin'][:].tolist() == [2] * len(links)
          assert t['whiteness_p'][:].tolist() == [l['whiteness']['p_value'] for l in links]
      """, [trace, String(decoding: JSONSerialization.data(withJSONObject: report), as: UTF8.self)])
    #expect(table.exitCode == 0, "\(table.error)")
  }

  @Test func `links too short for an estimate use that of all links, with a note`() throws {
    let folder = try TemporaryDirectory()
    let room = try simulatedRoom(in: folder)
    let rows = try String(contentsOfFile: room + "/rssi.csv", encoding: .utf8).split(
      separator: "\n")
    let lonely = rows[1].split(separator: ",")
    var extra = ""
    for k in 0..<5 { extra += "\(lonely[0]),\(1_704_067_200 + k),phone,lonely,\(-60 - k),37\n" }
    let table = folder.path("t.csv")
    try (rows.joined(separator: "\n") + "\n" + extra).write(
      toFile: table, atomically: true, encoding: .utf8)
    let trace = folder.path("t.h5")
    #expect(try rssi("import", table, "-o", trace).exitCode == 0)
    let result = try rssi("filter", trace, "-o", trace, "--json")
    #expect(
      result.error.contains("1 of 9 links"))
    let links = try #require(try json(result.output)["links"] as? [[String: Any]])
    let short = try #require(links.first { $0["beacon"] as? String == "lonely" })
    #expect(short["noise"] as? String == "pooled")
    #expect(short["ci95"] is [String: NSNull])
  }

  @Test func `a stream learns the noise of its links on the way`() throws {
    // A level at rest: with the noise of a walk the filter would follow each level for ever.
    var levels = ""
    for k in 0..<1000 { levels += line(100 * k, -60 + [-4, 3, 1, -2, 4, -1, 2, -3, 0][k * k % 9]) }
    func last(_ filter: String) throws -> (variance: Double, error: String) {
      let result = try rssi("filter", "-", "--filter", filter, input: levels)
      #expect(result.exitCode == 0, "\(result.error)")
      let line = try #require(result.output.split(separator: "\n").last)
      return (try #require(try json(String(line))["variance_db2"] as? Double), result.error)
    }
    for filter in [
      "kalman", "adaptive", "channels", "tobit:interval=100ms,floor=-95,loss=0.3",
    ] {
      let walking = try last(written(filter))
      #expect(walking.error.isEmpty)
      let learned = try last(filter)
      #expect(learned.error.contains("learned on the way"))
      #expect(learned.variance < 0.8 * walking.variance, "\(filter)")
    }
  }

  @Test func `a live stream is answered although no next sighting comes`() throws {
    let folder = try TemporaryDirectory()
    let output = folder.path("out")
    // The writer keeps the pipe open until there is an answer, for two minutes at most.
    let result = try runProgram(
      "/bin/sh",
      [
        "-c",
        "(printf '%s' \"$1\"; for i in $(seq 1200); do [ -s \"$3\" ] && break; sleep 0.1; done; "
          + "cat \"$3\" > \"$3.seen\") | \"$2\" filter - -q --filter kalman:q=1,r=9 > \"$3\"",
        "sh", line(0, -60), builtProgram, output,
      ], input: Data())
    #expect(result.exitCode == 0, "\(result.error)")
    let seen = try String(contentsOfFile: output + ".seen", encoding: .utf8)
    #expect(seen.split(separator: "\n").count == 1)
  }

  @Test(arguments: [
    ["t.h5", "-o", "x.h5", "--reorder", "soon"], ["t.h5", "-o", "x.h5", "--reset-after", "0"],
    ["t.h5", "-o", "x.h5", "--filter", "tobit"], ["t.h5", "--compare", "magic"],
    ["t.h5", "--compare", "kalman", "-o", "x.h5"], ["-", "--compare", "kalman"],
    ["t.h5", "--compare", "kalman", "--picture", "x.gif"],
    ["t.h5", "-o", "x.h5", "--picture", "x.svg"],
    ["t.h5", "--compare", "kalman", "--settling=-1"], ["t.h5", "--compare", ""],
    ["t.h5", "--compare", "kalman", "--name", "x"],
    ["t.h5", "--compare", "kalman", "--picture-beacon", "b"],
    ["t.h5", "-o", "x.h5", "--settling", "5"],
  ])
  func `refuses what makes no sense`(arguments: [String]) throws {
    let result = try runProgram(builtProgram, ["filter"] + arguments, input: Data())
    #expect(result.exitCode == 64, "\(result.error)")
    #expect(!result.error.isEmpty)
  }
}
