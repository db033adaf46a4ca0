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
      "simulate", "--flat", "--walks", "8", "--duration", "200", "-o", flat, "--quiet")
    try #require(made.exitCode == 0, "\(made.error)")
    for (name, walks) in [("train", 1...4), ("later", 5...8)] {
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
  }

  @Test func `labelled stays need no coordinates`() throws {
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
