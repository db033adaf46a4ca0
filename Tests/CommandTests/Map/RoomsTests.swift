import Foundation
import TestSupport
import Testing

@Suite("rssi rooms")
struct RoomsTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func path(_ name: String) -> String { folder.path(name) }

  private func run(_ arguments: String...) throws -> ProgramResult {
    try runProgram(builtProgram, arguments)
  }

  /// Simulates a flat and imports its walks into two traces.
  private func simulate() throws {
    let flat = path("flat")
    let made = try run(
      "simulate", "--flat", "--walks", "12", "--duration", "200", "-o", flat, "--quiet")
    try #require(made.exitCode == 0, "\(made.error)")
    for (name, walks) in [("train", 1...8), ("later", 9...12)] {
      let result = try runProgram(
        builtProgram,
        ["import"] + walks.map { "\(flat)/walk-\($0).btsnoop" } + [
          "--receiver", "phone", "--nodes", "\(flat)/nodes.csv", "--truth", "\(flat)/truth.csv",
          "-o", path("\(name).h5"),
        ])
      try #require(result.exitCode == 0, "\(result.error)")
    }
  }

  private func json(_ result: ProgramResult) throws -> [String: Any] {
    try #require(result.exitCode == 0, "\(result.error)")
    return try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  @Test func `trained rooms are right more often than the nearest anchor, and keep still`() throws {
    try simulate()
    let site = path("flat/site.toml")
    let trained = try json(
      run("rooms", "train", path("train.h5"), "--site", site, "-o", path("rooms.json"), "--json"))
    #expect((trained["rooms"] as? [Any])?.count == 7)
    let scored = try json(
      run(
        "rooms", "eval", path("later.h5"), "--site", site, "--rooms", path("rooms.json"), "--json"))
    let methods = try #require(scored["methods"] as? [[String: Any]])
    func figure(_ name: String, _ key: String) throws -> Double {
      let method = try #require(methods.first { $0["name"] as? String == name })
      let score = try #require(method["score"] as? [String: Any])
      return try #require((score[key] as? [String: Any])?["value"] as? Double)
    }
    #expect(try figure("rooms", "right") > figure("nearest anchor", "right") + 0.1)
    #expect(
      try figure("rooms", "false_changes_per_hour")
        < figure("nearest anchor", "false_changes_per_hour") / 4)
    let again = try run(
      "rooms", "eval", path("train.h5"), "--site", site, "--rooms", path("rooms.json"))
    #expect(again.exitCode == 65)
    #expect(again.error.contains("learned from, so not scored"))
    // A radio map from the same walks knows the rooms as well, and its walks are not scored either.
    let calibration = try run("fit", path("flat/distances.csv"), "-o", path("calibration.json"))
    try #require(calibration.exitCode == 0, "\(calibration.error)")
    let mapped = try run(
      "map", path("train.h5"), "--calibration", path("calibration.json"), "-o", path("map.h5"))
    try #require(mapped.exitCode == 0, "\(mapped.error)")
    _ = try json(
      run(
        "rooms", "train", "--radio-map", path("map.h5"), "--site", site, "-o", path("map.json"),
        "--json"))
    let ofMap = try json(
      run(
        "rooms", "eval", path("later.h5"), "--site", site, "--rooms", path("map.json"), "--report",
        path("map.html"), "--json"))
    let rooms = (ofMap["methods"] as? [[String: Any]])?.first?["score"] as? [String: Any]
    let share = try #require((rooms?["right"] as? [String: Any])?["value"] as? Double)
    #expect(share > (try figure("nearest anchor", "right")) + 0.1)
    #expect(try String(contentsOfFile: path("map.html"), encoding: .utf8).contains("confusion"))
    let learned = try run(
      "rooms", "eval", path("train.h5"), "--site", site, "--rooms", path("map.json"))
    #expect(learned.exitCode == 65 && learned.error.contains("learned from, so not scored"))
    for wrong in [
      ["--radio-map", path("map.h5")], [], [path("train.h5"), "--radio-map", path("map.h5")],
    ] {
      let refused = try runProgram(
        builtProgram, ["rooms", "train"] + wrong + ["-o", path("wrong.json")])
      #expect(refused.exitCode == 64, "\(wrong): \(refused.error)")
    }
  }

  /// Writes a day at home into a trace: a minute in the kitchen near beacon a, one in the hall near
  /// beacon b, and so on. No node has a place.
  private func recordDay() throws {
    var rows = "trace,time_s,receiver,beacon,rssi_dbm\n"
    for second in 0..<240 {
      let isKitchen = second / 60 % 2 == 0
      for (beacon, near) in [("a", isKitchen), ("b", !isKitchen)] {
        let level = (near ? -60 : -80) + (second * 7 + (near ? 3 : 0)) % 5
        rows += "day,\(1_764_400_000 + second).5,phone,\(beacon),\(level)\n"
      }
    }
    try rows.write(toFile: path("day.csv"), atomically: true, encoding: .utf8)
    let imported = try run("import", path("day.csv"), "-o", path("day.h5"))
    try #require(imported.exitCode == 0, "\(imported.error)")
  }

  @Test func `rooms alone are located without any place, from a file and from a stream`() throws {
    try recordDay()
    try "room,start_s,end_s\nkitchen,1764400000,1764400060\nhall,1764400060,1764400120\n"
      .write(toFile: path("stays.csv"), atomically: true, encoding: .utf8)
    let trained = try run(
      "rooms", "train", path("day.h5"), "--labels", path("stays.csv"), "-o", path("rooms.json"))
    try #require(trained.exitCode == 0, "\(trained.error)")
    func lines(_ text: String) throws -> [[String: Any]] {
      try text.split(separator: "\n").map {
        try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
    }
    for lag in ["0s", "5s"] {
      let located = try run(
        "locate", path("day.h5"), "--rooms", path("rooms.json"), "--lag", lag, "-o", "-")
      try #require(located.exitCode == 0, "\(located.error)")
      let positions = try lines(located.output)
      #expect(positions.count == 240)
      #expect(positions.allSatisfy { $0["reason"] as? String == "unknown-places" })
      // From 20 s after each change, and long after it with a lag.
      for (number, position) in positions.enumerated() where number % 60 >= 20 {
        let expected = number / 60 % 2 == 0 ? "kitchen" : "hall"
        #expect(position["room"] as? String == expected, "at \(number) s with a lag of \(lag)")
        let probabilities = try #require(position["rooms"] as? [String: Double])
        #expect(probabilities[expected] == position["room_probability"] as? Double)
        #expect(abs(probabilities.values.reduce(0, +) - 1) < 0.02)
      }
      _ = try runProgram(builtProgram, ["export", path("day.h5"), "-o", path("day.ndjson"), "-q"])
      let streamed = try runProgram(
        builtProgram, ["locate", "-", "--rooms", path("rooms.json"), "--lag", lag],
        input: Data(contentsOf: URL(filePath: path("day.ndjson"))))
      #expect(streamed.output.replacing("stdin", with: "day") == located.output)
    }
    let events = try run(
      "locate", path("day.h5"), "--rooms", path("rooms.json"), "--events", "--announce", "0.9")
    let changes = try lines(events.output)
    let kinds = changes.compactMap { $0["event"] as? String }
    let pairs = [[String]](repeating: ["room-left", "room-entered"], count: 3)
    #expect(kinds == ["room-entered"] + pairs.flatMap(\.self))
    for (number, change) in changes.dropFirst().enumerated() {
      let truth = 1_764_400_060 + 60 * Double(number / 2)
      let earliest = try #require(change["earliest_s"] as? Double)
      let latest = try #require(change["latest_s"] as? Double)
      #expect(earliest <= truth + 1)
      #expect(latest >= truth && latest < truth + 20)
    }
    // A watch of the recording, or of its lines, has the same events beside those of beacons.
    let rows = try Data(contentsOf: URL(filePath: path("day.ndjson")))
    for (input, lines) in [(path("day.h5"), Data()), ("-", rows)] {
      let watched = try runProgram(
        builtProgram,
        ["watch", input, "--rooms", path("rooms.json"), "--announce", "0.9", "--quiet"],
        input: lines)
      let changes = watched.output.split(separator: "\n").filter { $0.contains("\"room-") }
      #expect(
        changes.map { $0.replacing("stdin", with: "day") } == events.output.split(separator: "\n"),
        "\(watched.error)")
    }
    let told = try run(
      "watch", path("day.h5"), "--rooms", path("rooms.json"), "--format", "text", "--quiet")
    #expect(told.output.contains(#/phone entered \w+ \(\d+ %\)/#))
  }

  @Test func `rooms of captures train alike from one file, packed, merged or in part`() throws {
    for (walk, room) in [(1, "workshop"), (2, "office"), (3, "workshop"), (4, "office")] {
      let source = repositoryRoot.appending(path: "notebooks-data/example/walk-\(walk).btsnoop")
        .path
      let made = try run(
        "capture", "replay:\(source)", "--speed", "max", "--room", room, "--receiver", "phone",
        "-o", path("\(walk).h5"), "-q")
      try #require(made.exitCode == 0, "\(made.error)")
    }
    func model(_ files: String...) throws -> NSDictionary {
      let trained = try runProgram(
        builtProgram, ["rooms", "train"] + files.map(path) + ["-o", path("rooms.json")])
      try #require(trained.exitCode == 0, "\(trained.error)")
      let file = try JSONSerialization.jsonObject(
        with: Data(contentsOf: URL(filePath: path("rooms.json"))))
      return try #require((file as? [String: Any])?["model"] as? NSDictionary)
    }
    let whole = try model("1.h5", "2.h5", "3.h5", "4.h5")
    #expect((whole["rooms"] as? [Any])?.count == 3)
    for command in [
      ["merge"] + (1...4).map { path("\($0).h5") } + ["-o", path("all.h5")],
      ["pack", path("all.h5"), "-o", path("packed.h5")],
      ["export", path("packed.h5"), "--trace", "1", "--trace", "2", "-o", path("a.h5")],
      ["export", path("packed.h5"), "--trace", "3", "--trace", "4", "-o", path("b.h5")],
    ] {
      let result = try runProgram(builtProgram, command)
      try #require(result.exitCode == 0, "\(command): \(result.error)")
    }
    #expect(try model("packed.h5") == whole)
    #expect(try model("a.h5", "b.h5") == whole)
    // The first second of each capture would be missing with marks at the start of the selection.
    let later = try run("export", path("1.h5"), "--from", "+2s", "-o", path("later.h5"))
    try #require(later.exitCode == 0, "\(later.error)")
    #expect(try run("info", path("later.h5")).output.contains("rooms         workshop"))
  }

  @Test func `labelled stays need no coordinates`() throws {
    try recordDay()
    func labels(_ stays: [(String, Int, Int)]) throws {
      let text = stays.map { "\($0.0),\(1_764_400_000 + $0.1),\(1_764_400_000 + $0.2)\n" }
      try ("room,start_s,end_s\n" + text.joined())
        .write(toFile: path("stays.csv"), atomically: true, encoding: .utf8)
    }
    func train() throws -> ProgramResult {
      try run(
        "rooms", "train", path("day.h5"), "--labels", path("stays.csv"), "-o", path("rooms.json"),
        "--json")
    }
    try labels([("kitchen", 0, 60), ("hall", 60, 120), ("kitchen", 120, 180), ("hall", 180, 239)])
    let trained = try json(train())
    let score = try #require(trained["held_out"] as? [String: Any])
    #expect(try #require((score["right"] as? [String: Any])?["value"] as? Double) > 0.9)
    try labels([("kitchen", 0, 60), ("hall", 50, 120)])
    let overlapping = try train()
    #expect(overlapping.exitCode == 65)
    #expect(overlapping.error.contains("lines 2 and 3: kitchen and hall overlap"))
    try labels([("kitchen", 0, 60)])
    #expect(try train().exitCode == 65)
    try labels([("kitchen", -1_700_000_000, 60), ("hall", 60, 120)])
    let endless = try train()
    #expect(endless.exitCode == 65)
    #expect(endless.error.contains("days, too long for windows of 1s"))
    try labels([("kitchen", 5000, 5060), ("hall", 5060, 5100)])
    let elsewhere = try train()
    #expect(elsewhere.exitCode == 65)
    #expect(elsewhere.error.contains("no epoch has a room"))
  }

  @Test func `files of rooms that are damaged or of another kind are refused`() throws {
    for text in [
      "", "{}", "{\"format\":\"rssi-rooms\",\"format_version\":2}",
      "{\"format\":\"rssi-rooms\",\"format_version\":1}",
    ] {
      try text.write(toFile: path("bad.json"), atomically: true, encoding: .utf8)
      let result = try run(
        "rooms", "eval", path("bad.json"), "--labels", path("bad.json"), "--rooms", path("bad.json")
      )
      #expect(result.exitCode == 65, "\(text): \(result.error)")
    }
  }
}
