import Foundation
import TestSupport
import Testing

/// A simulated house of two floors, with beacons at known places.
struct SimulatedHouse {
  let folder: TemporaryDirectory
  let walks: String
  let calibration: String

  init() throws {
    folder = try TemporaryDirectory()
    (walks, calibration) = (folder.path("walks.h5"), folder.path("c.json"))
    try copyPrepared("a house of two floors", to: folder) { folder in
      try LocateRoom.succeed(
        "simulate", "--floors", "2", "--walks", "4", "--duration", "60", "--interval", "1",
        "--seed",
        "5", "-o", folder.path("house"))
      let recordings = (1...4).map { folder.path("house/walk-\($0).btsnoop") }
      let house = folder.path("house")
      let result = try runProgram(
        builtProgram,
        ["import"] + recordings + [
          "--receiver", "phone", "--nodes", house + "/nodes.csv", "--truth", house + "/truth.csv",
          "-o", folder.path("walks.h5"),
        ])
      #expect(result.exitCode == 0, "\(result.error)")
      try LocateRoom.succeed("fit", house + "/distances.csv", "-o", folder.path("c.json"))
    }
  }
}

@Suite("A user's program in a building")
struct ProgramFloorsTests {
  private let house: SimulatedHouse

  init() throws { house = try SimulatedHouse() }

  /// A program that writes the line of the site to a file, and answers the place of the strongest
  /// anchor.
  private func strongest(_ answer: String, log: String) throws -> String {
    let script = try house.folder.write(
      """
      import json, os, sys
      for line in sys.stdin:
          message = json.loads(line)
          if message["kind"] == "site":
              anchors = {anchor["anchor"]: anchor for anchor in message["anchors"]}
              # Programs for several folds write it at a time.
              own = f"{sys.argv[1]}.{os.getpid()}"
              with open(own, "w") as file:
                  file.write(line)
              os.replace(own, sys.argv[1])
          elif message["levels"]:
              best = anchors[max(message["levels"], key=lambda level: level["rssi_dbm"])["anchor"]]
              place = {"x_m": best.get("x_m", 1), "y_m": best.get("y_m", 1)}
              print(json.dumps(place | \(answer)), flush=True)
          else:
              print(json.dumps({"refused": "too-few-anchors"}), flush=True)
      """, to: "strongest.py")
    return "exec:python3 \(script) \(log)"
  }

  private func eval(_ trace: String, _ program: String, _ arguments: String...) throws
    -> (score: [String: Any], error: String)
  {
    let result = try runProgram(
      builtProgram,
      ["eval", trace, "--algorithm", program, "--patience", "60s", "--json"] + arguments)
    #expect(result.exitCode == 0, "\(result.error)")
    let list = try #require(try json(result.output)["algorithms"] as? [[String: Any]])
    return (try #require(list.first { $0["name"] as? String == program }), result.error)
  }

  private func site(_ path: String) throws -> [String: Any] {
    try json(String(contentsOfFile: path, encoding: .utf8))
  }

  @Test func `gets the floors of the site, of anchors and of the survey, and answers one`() throws {
    let log = house.folder.path("site.json")
    let program = try strongest(
      #"{"floor": best["floor"], "floor_probability": 0.9}"#, log: log)
    let (score, _) = try eval(house.walks, program, "--calibration", house.calibration)
    let site = try site(log)
    let floors = try #require(site["floors"] as? [[String: Any]])
    #expect(floors.map { $0["name"] as? String } == ["F1", "F2"])
    #expect(floors.map { $0["level"] as? Int } == [1, 2])
    let nodes = tableRows(
      try String(contentsOfFile: house.folder.path("house/nodes.csv"), encoding: .utf8))
    let anchors = try #require(site["anchors"] as? [[String: Any]])
    #expect(anchors.count == 16)
    for anchor in anchors {
      let node = try #require(nodes.first { $0["node"] == anchor["anchor"] as? String })
      #expect(anchor["floor"] as? String == node["floor"])
      #expect(anchor["x_m"] as? Double == Double(node["x_m"] ?? ""))
    }
    let figures = try #require(score["floors"] as? [String: Any])
    #expect(try #require(figures["floor_right"] as? Double) > 0.7)
    let confusion = try #require(figures["confusion"] as? [[Int]])
    #expect(confusion.joined().reduce(0, +) == score["answered"] as? Int)
    let claims = try #require(figures["claims"] as? [[String: Any]])
    #expect(claims.map { $0["answered"] as? Int } == [0, score["answered"] as? Int, 0, 0])
    let penalised = try #require(figures["penalised_m"] as? [String: Any])
    let error = try #require(score["error_m"] as? [String: Any])
    #expect(try #require(penalised["mean"] as? Double) > #require(error["mean"] as? Double))
  }

  @Test func `gets anchors at unknown places, and the survey with floors`() throws {
    let bare = house.folder.path("bare.h5")
    let recordings = (1...4).map { house.folder.path("house/walk-\($0).btsnoop") }
    let imported = try runProgram(
      builtProgram,
      ["import"] + recordings + [
        "--receiver", "phone", "--truth", house.folder.path("house/truth.csv"), "-o", bare,
      ])
    #expect(imported.exitCode == 0, "\(imported.error)")
    let log = house.folder.path("site.json")
    let (score, _) = try eval(
      bare, strongest(#"{"floor": "F2"}"#, log: log), "--cross-validate", "traces")
    let site = try site(log)
    let anchors = try #require(site["anchors"] as? [[String: Any]])
    #expect(anchors.count == 16 && anchors.allSatisfy { Set($0.keys) == ["anchor"] })
    #expect(site["bounds_m"] == nil)
    let survey = try #require(site["survey"] as? [[String: Any]])
    #expect(Set(survey.map { $0["floor"] as? String }) == ["F1", "F2"])
    let figures = try #require(score["floors"] as? [String: Any])
    let confusion = try #require(figures["confusion"] as? [[Int]])
    #expect(confusion.allSatisfy { $0[0] == 0 && $0[1] > 0 })
  }

  @Test func `has a right floor only if it answers one`() throws {
    for answer in [#"{}"#, #"{"floor": None}"#] {
      let (score, error) = try eval(
        house.walks, strongest(answer, log: house.folder.path("log")), "--calibration",
        house.calibration)
      #expect(!error.contains("unknown floor"))
      let figures = try #require(score["floors"] as? [String: Any])
      let unanswered = try #require(figures["unanswered"] as? [Int])
      // Their places count.
      #expect(score["error_m"] is [String: Any] && figures["floor_right"] as? Double == 0)
      #expect(unanswered.reduce(0, +) >= score["answered"] as? Int ?? .max)
    }
  }

  @Test(arguments: [
    (#"{"floor": "F3"}"#, #"unknown floor "F3""#), (#"{"floor": 2}"#, #"unknown floor "2""#),
    (#"{"floor": ["F1"]}"#, nil), (#"{"floor": "F1", "floor_probability": 1.5}"#, nil),
    (#"{"floor": "F1", "floor_probability": "high"}"#, nil),
  ])
  func `is told of a floor that the site does not have`(answer: String, problem: String?) throws {
    let program = try strongest(answer, log: house.folder.path("log"))
    let (score, error) = try eval(house.walks, program, "--calibration", house.calibration)
    #expect(score["answered"] as? Int == 0)
    let refused = try #require(score["refused"] as? [String: Int])
    #expect(try #require(refused["invalid-answer"]) > 100)
    guard let problem else { return #expect(!error.contains("unknown floor")) }
    let lines = error.split(separator: "\n").filter { $0.contains("unknown floor") }
    // Four walks, and one note.
    #expect(lines.count == 1)
    #expect(lines[0].contains(program) && lines[0].contains(problem))
    #expect(lines[0].contains("expected one of F1, F2"), "\(lines)")
  }

  @Test func `gets no floors on a site of one floor, where none is asked`() throws {
    let room = try LocateRoom(duration: 10)
    let log = house.folder.path("site.json")
    let program = try strongest(#"{"floor": ["any"]}"#, log: log)
    let (score, _) = try eval(room.walks, program, "--cross-validate", "traces")
    #expect(score["answered"] as? Int ?? 0 > 0 && score["floors"] is NSNull)
    let line = try String(contentsOfFile: log, encoding: .utf8)
    #expect(!line.contains("floor") && line.contains("\"survey\""))
  }

  @Test func `is located on its floor, in a trace and live`() throws {
    let program = try strongest(
      #"{"floor": best["floor"], "floor_probability": 0.75}"#, log: house.folder.path("log"))
    for source in [house.walks, "replay:\(house.walks)"] {
      let result = try runProgram(
        builtProgram,
        ["locate", source, "--survey", house.walks, "--algorithm", program, "-o", "-"]
          + (source == house.walks ? [] : ["--speed", "max"]))
      #expect(result.exitCode == 0, "\(result.error)")
      let answers = try result.output.split(separator: "\n").map { try json(String($0)) }
        .filter { $0["x_m"] is Double }
      #expect(answers.count > 100)
      #expect(Set(answers.map { $0["floor"] as? String }) == ["F1", "F2"])
      #expect(answers.allSatisfy { $0["floor_probability"] as? Double == 0.75 })
    }
  }
}
