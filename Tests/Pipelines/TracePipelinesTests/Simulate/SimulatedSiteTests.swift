import Foundation
import Geometry
import Simulation
import Sites
import TestSupport
import Testing
import TracePipelines

@Suite("Sites of simulations")
struct SimulatedSiteTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func simulate(_ scenario: Scenario) throws -> (path: String, site: Site) {
    let path = folder.path("simulated")
    _ = try SimulateStage(SimulateRequest(scenario, into: path)).run()
    return (path, try Site(path: path + "/site.toml"))
  }

  @Test(arguments: [(12.0, 9.0), (7.31, 8.17)])
  func `a flat has its rooms, doors and beacons, and walks cross no wall`(
    width: Double, depth: Double
  ) throws {
    var scenario = Scenario(seed: 9)
    scenario.use(Flat())
    (scenario.room.width, scenario.room.depth) = (width, depth)
    let (path, site) = try simulate(scenario)
    #expect(site.rooms.map(\.name) == FlatPlan(scenario.room).rooms.map(\.name))
    #expect(
      site.doors.map(\.rooms) == [
        ["living-room", "kitchen"], ["living-room", "hall"], ["kitchen", "hall"],
        ["bedroom", "hall"], ["bathroom", "hall"], ["study", "hall"], ["hall", "outside"],
      ])
    #expect(site.walls.allSatisfy { $0.attenuation == 5 })
    let walls = try WallCrossings(site.walls)
    let crossed = try site.rooms.map { room in
      try walls.count(from: try #require(site.doors.last?.place), to: room.polygon[0])
    }
    #expect(crossed.contains { $0 != ["wall": 0] })
    let corners = try rows(path + "/truth.csv")
    #expect(corners.count > 50)
    for (from, to) in zip(corners, corners.dropFirst()) where from[0] == to[0] {
      #expect(try walls.count(from: place(from[3...4]), to: place(to[3...4])) == ["wall": 0])
    }
    let beacons = try rows(path + "/nodes.csv").filter { $0[1] == "beacon" }
    #expect(site.anchors.map(\.node) == beacons.map { $0[0] })
    #expect(site.anchors.map(\.place) == beacons.map { place($0[2...3]) })
    for (anchor, room) in zip(site.anchors, site.rooms) {
      #expect(try room.contains(anchor.place))
    }
  }

  private func rows(_ path: String) throws -> [[String]] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst()
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
  }

  private func place(_ fields: ArraySlice<String>) -> Point {
    let values = fields.map { Double($0) ?? .nan }
    return Point(x: values[0], y: values[1])
  }

  @Test func `a building has its floors and stairs, and a room has no site`() throws {
    var scenario = Scenario()
    scenario.walks.duration = 1
    scenario.storeys = Storeys(count: 3)
    let site = try simulate(scenario).site
    #expect(site.floors.map(\.height) == [0, 3.5, 7])
    #expect(site.connections.map { $0.ends.map(\.floor) }.count == 4)
    scenario.storeys = nil
    let room = folder.path("room")
    _ = try SimulateStage(SimulateRequest(scenario, into: room)).run()
    #expect(!FileManager.default.fileExists(atPath: room + "/site.toml"))
  }
}
