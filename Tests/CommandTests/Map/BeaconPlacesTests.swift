import Foundation
import TestSupport
import Testing

@Suite("rssi map --beacons and --check-anchors")
struct BeaconPlacesTests {
  let room: LocateRoom
  let hidden: String

  init() throws {
    room = try LocateRoom(walks: 4, duration: 60, beacons: 6)
    hidden = room.folder.path("hidden.h5")
  }

  private func path(_ name: String) -> String { room.folder.path(name) }

  private func nodes() throws -> [[String: String]] {
    tableRows(try String(contentsOfFile: room.room + "/nodes.csv", encoding: .utf8))
  }

  /// Imports the walks with the places of a closure, nil for none.
  private func importWalks(
    to file: String, _ place: ([String: String]) -> (x: Double, y: Double)?
  ) throws {
    let lines = try nodes().map { node -> String in
      let at = node["x_m"]?.isEmpty == false ? place(node) : nil
      return
        "\(node["node"] ?? ""),\(node["role"] ?? ""),\(at.map { "\($0.x),\($0.y)" } ?? ",")"
    }
    try (["node,role,x_m,y_m"] + lines).joined(separator: "\n")
      .write(toFile: path("table.csv"), atomically: true, encoding: .utf8)
    try LocateRoom.succeed(
      "import", room.room + "/rssi.csv", "--nodes", path("table.csv"), "--truth",
      room.room + "/truth.csv", "-o", file)
  }

  private func place(_ node: [String: String]) -> (x: Double, y: Double) {
    (Double(node["x_m"] ?? "") ?? .nan, Double(node["y_m"] ?? "") ?? .nan)
  }

  @Test func `placed beacons locate a phone`() throws {
    try importWalks(to: hidden) { _ in nil }
    let text = try LocateRoom.succeed(
      "map", hidden, "--beacons", path("placed.csv"), "--report", path("placed.svg"))
    #expect(text.contains("6 of 6 beacons placed"))
    let truth = Dictionary(
      uniqueKeysWithValues: try nodes().map { ($0["node"] ?? "", place($0)) })
    let placed = tableRows(try String(contentsOfFile: path("placed.csv"), encoding: .utf8))
    #expect(placed.count == 6)
    for row in placed {
      let known = try #require(truth[row["node"] ?? ""])
      let found = place(row)
      #expect(hypot(found.x - known.x, found.y - known.y) < 4)
      #expect(row["verdict"] == "placed")
    }
    let picture = try String(contentsOfFile: path("placed.svg"), encoding: .utf8)
    #expect(picture.matches(of: /<ellipse/).count == 6)
    // Every anchor-based algorithm takes the table.
    try LocateRoom.succeed(
      "import", room.room + "/rssi.csv", "--nodes", path("placed.csv"), "--truth",
      room.room + "/truth.csv", "-o", path("again.h5"))
    try LocateRoom.succeed(
      "eval", path("again.h5"), "--calibration", room.calibration, "--algorithms",
      "weighted-centroid,maximum-likelihood,grid-filter", "--report", path("e.answers.csv"))
    let answers = tableRows(
      try String(contentsOfFile: path("e.answers.csv"), encoding: .utf8))
    let errors = answers.filter { $0["algorithm"] == "maximum-likelihood" }
      .compactMap { $0["error_m"].flatMap(Double.init) }.sorted()
    #expect(errors.count > 50 && errors[errors.count / 2] < 2.5)
  }

  @Test func `a known place that is far off contradicts the walks, and the others do not`() throws {
    try importWalks(to: hidden) { node in
      let at = place(node)
      return node["node"] == (try? nodes())?.first?["node"] ? (at.x + 9, at.y + 6) : at
    }
    let text = try LocateRoom.succeed("map", hidden, "--check-anchors", "--json")
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let beacons = try #require(document["beacons"] as? [[String: Any]])
    let misplaced = beacons.filter {
      ($0["known"] as? [String: Any])?["misplaced"] as? Bool == true
    }
    #expect(misplaced.count == 1)
    #expect(misplaced.first?["id"] as? String == (try nodes())[0]["node"])
    #expect(document["false_alarms"] as? Double == 0.05)
  }

  @Test(arguments: [
    ["--largest-deviation", "2"], ["--beacons", "x.csv", "-o", "y.h5"],
    ["--check-anchors", "--calibration", "c.json"], ["--beacons", "x.csv", "--report", "x.txt"],
    ["--beacons", "x.csv", "--largest-deviation", "0"],
  ])
  func `options that do not go together are refused`(options: [String]) throws {
    let result = try runProgram(builtProgram, ["map", room.walks] + options)
    #expect(result.exitCode == 64, "\(result.error)")
    #expect(!FileManager.default.fileExists(atPath: "x.csv"))
  }
}
