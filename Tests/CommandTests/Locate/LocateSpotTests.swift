import Foundation
import TestSupport
import Testing

@Suite("rssi locate at spots")
struct LocateSpotTests {
  let folder: TemporaryDirectory
  let site: String
  let trace: String
  let calibration: String
  /// Eight seconds of the trace, from a stay at the entrance into the walk.
  let start: String

  /// A walk from (0, 0) by (6, 0) to (12, 0) that stays 8 s at each, without noise, among ten
  /// anchors.
  init() throws {
    folder = try TemporaryDirectory()
    var text = """
      [[spots]]
      name = "entrance"
      x_m = 0
      y_m = 0
      note = "with \\"quotes\\" and ü"
      [[spots]]
      name = "desk"
      x_m = 12
      y_m = 0
      [[rooms]]
      name = "hall"
      polygon = [[-3, -4], [15, -4], [15, 4], [-3, 4]]
      [[rooms]]
      name = "corner"
      polygon = [[10, -4], [15, -4], [15, 4], [10, 4]]

      """
    var anchors: [(name: String, x: Double, y: Double)] = []
    for index in 0..<10 {
      anchors.append(("b\(index)", Double(index / 2) * 4 - 2, index % 2 == 0 ? -3 : 3))
    }
    for anchor in anchors {
      text +=
        "[[anchors]]\nnode = \"\(anchor.name)\"\nrole = \"beacon\"\nx_m = \(anchor.x)\ny_m = "
        + "\(anchor.y)\n"
    }
    site = try folder.write(text, to: "site.toml")
    var table = "trace,time_s,receiver,beacon,rssi_dbm\n"
    for step in 0..<360 {
      let second = Double(step) / 8
      let x =
        second < 10
        ? 0
        : second < 18
          ? (second - 10) * 0.75 : second < 20 ? 6 : second < 28 ? 6 + (second - 20) * 0.75 : 12
      for anchor in anchors {
        let distance = ((anchor.x - x) * (anchor.x - x) + anchor.y * anchor.y).squareRoot()
        table +=
          "day,\(5000.0625 + second),phone,\(anchor.name),\(Int((-59 - 20 * log10(distance)).rounded()))\n"
      }
    }
    trace = folder.path("t.h5")
    start = folder.path("start.h5")
    calibration = folder.path("c.json")
    let rows = table.split(separator: "\n")
    let first = (rows[..<1] + rows[1 + 48 * anchors.count..<1 + 112 * anchors.count])
      .joined(separator: "\n")
    var bench = "series,time_s,receiver,beacon,distance_m,rssi_dbm\n"
    for (number, distance) in [0.5, 1, 2, 4, 8, 12].enumerated() {
      for reading in 0..<20 {
        let level = (-59 - 20 * log10(distance)).rounded() + Double(reading % 3) - 1
        bench += "bench,\(number * 100 + reading),phone,b0,\(distance),\(Int(level))\n"
      }
    }
    try copyPrepared("walk past spots", to: folder) { folder in
      for arguments in [
        ["import", try folder.write(table, to: "t.csv"), "-o", folder.path("t.h5")],
        ["import", try folder.write(first + "\n", to: "s.csv"), "-o", folder.path("start.h5")],
        ["fit", try folder.write(bench, to: "d.csv"), "-o", folder.path("c.json")],
      ] {
        let result = try runProgram(builtProgram, arguments)
        guard result.exitCode == 0 else {
          throw CocoaError(.featureUnsupported, userInfo: ["error": result.error])
        }
      }
    }
  }

  private func locate(
    _ arguments: [String], stream: Bool = false, of trace: String? = nil
  ) throws -> String {
    let trace = trace ?? self.trace
    var input = ""
    if stream { input = try rssi("export", trace, "--format", "ndjson").output }
    let result = try runProgram(
      builtProgram,
      ["locate", stream ? "-" : trace, "--site", site, "--calibration", calibration] + arguments,
      input: Data(input.utf8))
    #expect(result.exitCode == 0, "\(result.error)")
    return result.output
  }

  @Test(arguments: [false, true])
  func `a walk past spots reaches and leaves each once`(drawn: Bool) throws {
    let arguments = ["--events", "--algorithm", "maximum-likelihood"] + (drawn ? ["--spots"] : [])
    let file = try locate(arguments)
    #expect(try locate(arguments, stream: true) == file)
    #expect(try locate(arguments) == file)
    let events = try file.split(separator: "\n").map { try json(String($0)) }
    #expect(events.map { $0["event"] as? String } == ["spot-reached", "spot-left", "spot-reached"])
    #expect(events.map { $0["spot"] as? String } == ["entrance", "entrance", "desk"])
    #expect(events[0]["note"] as? String == "with \"quotes\" and ü" && events[2]["note"] is NSNull)
    let times = events.compactMap { $0["time_s"] as? Double }
    #expect(
      times[0] <= 5002 && (5010...5018).contains(times[1]) && (5020...5032).contains(times[2]))
    for event in events {
      #expect(event["trace"] as? String == "day" && event["node"] as? String == "phone")
      let (x, y) = (try #require(event["x_m"] as? Double), try #require(event["y_m"] as? Double))
      let spot = event["spot"] as? String == "desk" ? 12.0 : 0
      #expect(
        abs(
          try #require(event["distance_m"] as? Double)
            - ((x - spot) * (x - spot) + y * y).squareRoot()) < 1e-3)
      let probability = try #require(event["probability"] as? Double)
      #expect(event["event"] as? String == "spot-left" ? probability < 0.5 : probability >= 0.5)
    }
  }

  @Test func `a program is run for each event, and gets it whole`() throws {
    let log = folder.path("events-of-a-program.ndjson")
    let events = try locate([
      "--algorithm", "maximum-likelihood", "--events", "--on-event", "cat >>'\(log)'",
    ])
    #expect(!events.isEmpty)
    #expect(try String(contentsOfFile: log, encoding: .utf8) == events)
  }

  @Test func `positions name their smallest room and the spot of the events`() throws {
    let path = folder.path("p.csv")
    let events = try locate(["--algorithm", "maximum-likelihood", "-o", path, "--events"])
      .split(separator: "\n").map { try json(String($0)) }
    let rows = tableRows(try String(contentsOfFile: path, encoding: .utf8))
    #expect(rows.count == 45)
    var here = ""
    var next = events[...]
    for row in rows {
      while let event = next.first, event["time_s"] as? Double == Double(row["time_s"] ?? "") {
        here = event["event"] as? String == "spot-reached" ? event["spot"] as? String ?? "" : ""
        next.removeFirst()
      }
      #expect(row["spot"] == here)
      let x = try #require(Double(row["x_m"] ?? ""))
      #expect(row["room"] == (x >= 10 ? "corner" : "hall"))
    }
    #expect(next.isEmpty && rows.last?["spot"] == "desk")
  }

  @Test func `an ellipse over all spots reaches none; a wide enough radius does`() throws {
    // One anchor: the place may be anywhere about it.
    let arguments = ["--events", "--algorithm", "posterior-mean"]
    #expect(try locate(arguments + ["--spot-radius", "0.05"]).isEmpty)
    #expect(try locate(arguments + ["--spot-radius", "8"]).contains("spot-reached"))
  }

  @Test func `a node that falls silent leaves its spot`() throws {
    let lines = try rssi("export", trace, "--format", "ndjson").output
    // Another node is heard later in the same trace.
    let other =
      "{\"time_s\":5100.5,\"beacon\":\"b0\",\"receiver\":\"watch\",\"rssi_dbm\":-60,\"trace\":\"day\"}\n"
    let result = try runProgram(
      builtProgram,
      [
        "locate", "-", "--site", site, "--calibration", calibration, "--events", "--algorithm",
        "maximum-likelihood", "--silence", "10s",
      ], input: Data((lines + other).utf8))
    let last = try json(String(try #require(result.output.split(separator: "\n").last)))
    #expect(last["event"] as? String == "spot-left" && last["spot"] as? String == "desk")
    #expect(last["x_m"] is NSNull && last["probability"] is NSNull)
    #expect(last["time_s"] as? Double == 5055)
  }

  @Test func `--spots is attract of eval, and needs spots`() throws {
    let drawn = try locate(["--spots", "-o", "-"], of: start)
    let attract = try locate(
      [
        "--algorithm", "attract:to=spots,of=particle-filter,power=0.1,dead-zone=0.2", "-o", "-",
      ], of: start)
    #expect(drawn == attract)
    #expect(try locate(["-o", "-"], of: start) != drawn)
    let empty = try folder.write(
      "[[anchors]]\nnode = \"b0\"\nrole = \"beacon\"\nx_m = 0\ny_m = 0\n", to: "no.toml")
    let result = try rssi(
      "locate", trace, "--site", empty, "--calibration", calibration, "--events")
    #expect(result.exitCode == 65 && result.error.contains("[[spots]]"), "\(result.error)")
  }
}
