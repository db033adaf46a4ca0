import Foundation
import TestSupport
import Testing

/// `rssi export --calibration`: the distance of each level with its interval.
struct ExportDistanceTests {
  private let folder: TemporaryDirectory
  private let calibration: String
  private let trace: String
  private let room: String

  init() throws {
    folder = try TemporaryDirectory()
    room = try simulatedRoom(in: folder)
    calibration = folder.path("calibration.json")
    trace = folder.path("walk.h5")
    try copyPrepared("walk in the room and its calibration", to: folder) { [room] folder in
      let calibration = folder.path("calibration.json")
      try #require(
        try rssi("fit", "\(room)/distances.csv", "-o", calibration, "--quiet").exitCode == 0)
      let trace = folder.path("walk.h5")
      try #require(try rssi("import", "\(room)/walk-1.btsnoop", "-o", trace).exitCode == 0)
    }
  }

  /// A table by the names of its columns.
  private func table(_ text: String) -> [[String: String]] {
    let lines = text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
  }

  private func export(_ arguments: String...) throws -> String {
    let result = try runProgram(builtProgram, ["export"] + arguments)
    try #require(result.exitCode == 0, "\(result.error)")
    return result.output
  }

  @Test(arguments: ["none", "kalman:q=1,r=9"])
  func `the distances are those that a watch gives for the same levels`(filter: String) throws {
    var exported = [trace, "--calibration", calibration, "--format", "csv"]
    if filter != "none" {
      let filtered = folder.path("filtered.h5")
      try #require(try rssi("filter", trace, "-o", filtered, "--filter", filter).exitCode == 0)
      exported[0] = filtered
      exported += ["--filtered", "kalman"]
    }
    let rows = Dictionary(
      grouping: table(try runProgram(builtProgram, ["export"] + exported).output)
    ) { "\($0["time_s"] ?? "") \($0["beacon"] ?? "")" }
    let watch = try rssi(
      "watch", trace, "--calibration", calibration, "--filter", filter, "--format", "ndjson")
    // An event that a level caused has its time.
    let events = try watch.output.split(separator: "\n").map { line in
      (text: String(line), json: try json(String(line)))
    }.filter { ["enter", "zone"].contains($0.json["event"] as? String) }
    #expect(events.count > 8)
    for (text, event) in events {
      let time = try #require(text.firstMatch(of: /"time_s":([0-9.]+)/)).1
      let row = try #require(rows["\(time) \(event["beacon"] as? String ?? "")"]?.first, "\(text)")
      #expect(row["distance_m"].flatMap(Double.init) == event["distance_m"] as? Double)
      let interval = event["ci95_m"] as? [Double]
      #expect(row["distance_low_m"].flatMap(Double.init) == interval?[0])
      #expect(row["distance_high_m"].flatMap(Double.init) == interval?[1])
    }
  }

  @Test func `CSV and NDJSON have the same numbers, and the other columns as without`() throws {
    let rows = table(try export(trace, "--calibration", calibration, "--format", "csv"))
    let lines = try export(trace, "--calibration", calibration).split(separator: "\n")
    #expect(rows.count == lines.count)
    for (row, line) in zip(rows, lines) {
      let line = try json(String(line))
      for key in ["distance_m", "distance_low_m", "distance_high_m"] {
        #expect(row[key].flatMap(Double.init) == line[key] as? Double)
      }
      let (low, high) = (line["distance_low_m"] as? Double, line["distance_high_m"] as? Double)
      let distance = try #require(line["distance_m"] as? Double)
      #expect(low.map { $0 <= distance } ?? true && high.map { distance <= $0 } ?? true)
    }
    let plain = table(try export(trace, "--format", "csv"))
    for key in ["trace", "time_s", "receiver", "beacon", "rssi_dbm", "channel"] {
      #expect(rows.map { $0[key] } == plain.map { $0[key] })
    }
    #expect(plain[0]["distance_low_m"] == nil && plain[0]["distance_m"] == "")
  }

  @Test(arguments: ["csv", "ndjson"])
  func `true distances keep a column, and estimates are never read as true`(format: String) throws {
    let bench = folder.path("bench.h5")
    try #require(try rssi("import", "\(room)/distances.csv", "-o", bench).exitCode == 0)
    let fit = try rssi("fit", bench, "--json").output
    let file = folder.path("bench.\(format)")
    _ = try export(bench, "--calibration", calibration, "-o", file)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("true_distance_m") && text.contains("distance_high_m"))
    let again = folder.path("again.h5")
    try #require(try rssi("import", file, "-o", again).exitCode == 0)
    func constants(_ text: String) throws -> Double? {
      (try json(text)["groups"] as? [[String: Any]])?.first?["exponent"] as? Double
    }
    #expect(try constants(rssi("fit", again, "--json").output) == constants(fit))
    // A walk has no true distances: nothing is there to fit.
    let walk = folder.path("walk.\(format)")
    _ = try export(trace, "--calibration", calibration, "-o", walk)
    #expect(!(try String(contentsOfFile: walk, encoding: .utf8).contains("true_distance_m")))
    let read = folder.path("read.h5")
    try #require(try rssi("import", walk, "-o", read).exitCode == 0)
    let refused = try rssi("fit", read)
    #expect(refused.exitCode == 65 && refused.error.contains("has a distance"))
  }

  @Test func `a line with an estimate that has no limits is an estimate all the same`() throws {
    let line =
      #"{"time_s":1,"beacon":"b","receiver":"r","rssi_dbm":-60,"distance_m":2,"distance_low_m":null,"#
      + #""distance_high_m":null}"# + "\n"
    let read = folder.path("read.h5")
    try #require(try rssi("import", "-", "-o", read, input: line).exitCode == 0)
    #expect(try export(read).contains("distance_m") == false)
  }

  @Test func `a sighting without a level has no distance`() throws {
    let lines = """
      {"time_s":1,"beacon":"b","receiver":"r","rssi_dbm":null}
      {"time_s":2,"beacon":"b","receiver":"r","rssi_dbm":-60}

      """
    let read = folder.path("read.h5")
    try #require(try rssi("import", "-", "-o", read, input: lines).exitCode == 0)
    let rows = table(try export(read, "--calibration", calibration, "--format", "csv"))
    #expect(rows[0]["distance_m"] == "" && rows[0]["distance_high_m"] == "")
    #expect(rows[1]["distance_m"]?.isEmpty == false)
  }

  @Test func `formats and calibrations without distances are refused`() throws {
    for output in ["x.h5", "x.btsnoop"] {
      let result = try rssi(
        "export", trace, "--calibration", calibration, "-o", folder.path(output))
      #expect(result.exitCode == 64 && result.error.contains("write CSV or NDJSON"))
      #expect(!FileManager.default.fileExists(atPath: folder.path(output)))
    }
    let slopes = folder.path("slopes.json")
    try #require(
      try rssi(
        "fit", "\(room)/distances.csv", "--model", "two-slope", "-o", slopes, "--quiet"
      ).exitCode == 0)
    let model = try rssi("export", trace, "--calibration", slopes)
    #expect(model.exitCode == 65 && model.error.contains("gives no distances"))
    #expect(try rssi("export", trace, "--calibration", trace).exitCode == 65)
  }
}
