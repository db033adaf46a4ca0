import Foundation
import Geometry
import LivePipelines
import Positioning
import Registries
import Sightings
import Support
import Testing
import TracePipelines
import TraceStore

@testable import Reporting

private let second = Timestamp.second
private let start = 1_700_000_000 * second

private func position(_ id: String, at time: Int64, room: String? = nil) -> LocatedPosition {
  var position = LocatedPosition(
    time: time, node: MovingNode(trace: 0, role: .beacon, index: 0, traceName: "live", id: id),
    outcome: .located(
      Estimate(
        position: Point(x: 1, y: 2),
        uncertainty: .covariance(Covariance(xx: 1, xy: 0, yy: 1)))), anchors: 4)
  position.room = room
  return position
}

@Suite("The state and the history of a live page") struct LiveBoardTests {
  private let board: LiveBoard

  init() throws {
    board = LiveBoard(
      source: try SourceName("hci0"), isLocating: true, canRecord: true, names: .none,
      tool: ToolIdentity(version: "1", commandLine: "rssi"), metrics: MetricsBoard()
    ) { _, _ in 0 }
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func nodes() throws -> Set<String> {
    let positions = try #require(try object(board.text)["positions"] as? [[String: Any]])
    return Set(positions.compactMap { $0["node"] as? String })
  }

  private func history(of node: String? = nil) throws -> (nodes: [String], times: [Double]) {
    let columns = try object(board.history(.min ... .max, of: node, atMost: 100_000))
    let names = try #require(columns["nodes"] as? [String])
    let numbers = try #require(columns["node"] as? [Int])
    return (numbers.map { names[$0] }, try #require(columns["time_s"] as? [Double]))
  }

  @Test func `the state has the nodes that were located last`() throws {
    for number in 0..<12_000 {
      try board.receive(position("phone\(number)", at: start + Int64(number) * second / 10))
      // Heard throughout, so never the longest silent.
      if number % 100 == 0 {
        try board.receive(position("tag", at: start + Int64(number) * second / 10))
      }
    }
    let nodes = try nodes()
    #expect(nodes.count == 10_000 && nodes.contains("tag"))
    for number in [2001, 5000, 11_999] { #expect(nodes.contains("phone\(number)")) }
    #expect(!nodes.contains("phone0") && !nodes.contains("phone2000"))
    #expect(try history(of: "phone11999").times.count == 1)
  }

  @Test func `the history is the last hour, and names the nodes that are in it`() throws {
    for minute in 0..<150 as Range<Int64> {
      var position = position(
        "phone\(minute / 10)", at: start + minute * 60 * second, room: "room\(minute)")
      position.floor = minute < 148 ? "F1" : "F2"
      try board.receive(position)
    }
    let history = try history()
    #expect(history.times.first == Double(start / second + 89 * 60))
    #expect(history.times.count == 61)
    #expect(Set(history.nodes) == Set((8..<15).map { "phone\($0)" }))
    #expect(history.nodes.last == "phone14" && history.nodes[1] == "phone9")
    #expect(try self.history(of: "phone3").times.isEmpty)
    #expect(try self.history(of: "phone9").times.count == 10)
    let latest = try object(board.history(.min ... .max, of: nil, atMost: 3))
    #expect(latest["rooms"] as? [String] == ["room147", "room148", "room149"])
    #expect(latest["floors"] as? [String] == ["F1", "F2"])
    #expect(latest["floor"] as? [Int] == [0, 1, 1])
  }

  @Test func `while it is recorded, the history goes back to where that began`() throws {
    try board.receive(position("tag", at: start))
    board.take(.recording(path: "a.h5"))
    for hour in 1..<6 as Range<Int64> {
      try board.receive(position("tag", at: start + hour * 3600 * second))
    }
    #expect(try history().times.count == 6)
    board.take(.marked(.init(node: "tag", role: .beacon, at: .position(x: 1, y: 2)), time: start))
    try board.receive(position("tag", at: start + 6 * 3600 * second))
    #expect(try history().times.count == 7)
    board.take(.recorded(path: "a.h5", sightings: 7))
    try board.receive(position("tag", at: start + 7 * 3600 * second))
    #expect(try history().times.count == 2)
  }

  @Test(arguments: [-400, -20, 20, 400])
  func `a clock that was set leaves the positions since`(_ days: Int64) throws {
    for number in 0..<5 { try board.receive(position("tag", at: start + Int64(number) * second)) }
    for number in 0..<5 {
      try board.receive(
        position("phone", at: start + days * 86_400 * second + Int64(number) * second))
    }
    #expect(try history().nodes == Array(repeating: "phone", count: 5))
  }
}
