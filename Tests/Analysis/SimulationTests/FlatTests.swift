import Geometry
import RealModule
import TestSupport
import Testing

@testable import Simulation

@Suite("Simulated flats")
struct FlatTests {
  /// A flat in a scenario of which only the walks and the walls are random.
  private func flat(seed: UInt64 = 3) -> Scenario {
    var scenario = Scenario(seed: seed)
    scenario.use(Flat())
    scenario.propagation.shadowingDeviation = 0
    scenario.propagation.commonDeviation = 0
    scenario.propagation.bodyLoss = 0
    scenario.reception.sensitivity = -300
    scenario.reception.advertisingInterval = 1
    return scenario
  }

  private func sightings(_ scenario: Scenario) throws -> [SimulatedSighting] {
    var all: [SimulatedSighting] = []
    try SimulatedRoom(scenario).forEachSighting { all.append($0) }
    return all
  }

  @Test func `the same seed gives the same flat, and more of it changes nothing`() throws {
    let scenario = flat()
    #expect(try sightings(scenario) == sightings(scenario))
    #expect(try sightings(scenario) != sightings(flat(seed: 4)))
    var larger = scenario
    (larger.room.beaconCount, larger.walks.count) = (20, 5)
    let more = try sightings(larger).filter { $0.beacon < 6 && $0.trace < 3 }
    #expect(try sightings(scenario) == more)
    #expect(try SimulatedRoom(larger).beacons.prefix(6) == SimulatedRoom(scenario).beacons[...])
  }

  @Test(arguments: [(12.0, 9.0), (6, 7), (7, 30), (200, 100)])
  func `rooms fill the flat, and doors join each to the hall`(width: Double, depth: Double) {
    var outline = Room()
    (outline.width, outline.depth) = (width, depth)
    let plan = FlatPlan(outline)
    let areas = plan.rooms.map { room in
      Polygon(name: room.name, corners: room.corners).area
    }
    #expect(isClose(areas.reduce(0, +), width * depth))
    #expect(
      plan.rooms.map(\.name) == [
        "living-room", "kitchen", "bedroom", "bathroom", "study", "hall",
      ])
    #expect(plan.doors.map(\.rooms) == [[0, 1], [0, 5], [1, 5], [2, 5], [3, 5], [4, 5], [5]])
    // Eight walls between two rooms each, and four around the flat.
    #expect(plan.walls.count == 12)
    #expect(plan.walls.map(\.count) == [2, 2, 2, 1, 2, 1, 2, 2, 1, 1, 1, 2])
    for door in plan.doors {
      let ends = plan.walls.joined().flatMap { [$0.from, $0.to] }
      #expect(ends.count { isClose($0.distance(to: door.place), 0.45, absolute: 1e-9) } == 2)
    }
    for piece in plan.walls.joined() { #expect(piece.from.distance(to: piece.to) > 0.05) }
  }

  /// Rooms are convex: a leg between two places of one room crosses no wall, and none is along one
  /// if its middle is inside.
  @Test(arguments: [(12.0, 9.0), (6, 7), (30, 8)])
  func `walks leave rooms only by doors`(width: Double, depth: Double) {
    var entered: Set<String> = []
    for seed in 1...20 {
      var scenario = flat(seed: UInt64(seed))
      (scenario.room.width, scenario.room.depth) = (width, depth)
      let plan = FlatPlan(scenario.room)
      for trace in 0..<3 {
        let corners = Array(Walk(scenario: scenario, trace: trace))
        for (a, b) in zip(corners, corners.dropFirst()) {
          let middle = a.position.interpolated(to: b.position, 0.5)
          let rooms = plan.rooms.filter { room in
            [a.position, b.position].allSatisfy { room.x.contains($0.x) && room.y.contains($0.y) }
          }
          let inside = rooms.filter { room in
            [room.x.lowerBound, room.x.upperBound].allSatisfy { abs($0 - middle.x) > 1e-9 }
              && [room.y.lowerBound, room.y.upperBound].allSatisfy { abs($0 - middle.y) > 1e-9 }
          }
          #expect(inside.count == 1, "\(a) to \(b)")
          entered.formUnion(inside.map(\.name))
        }
        for corner in corners.dropLast() {
          let isAtWall = !plan.rooms.contains { room in
            room.x.lowerBound < corner.position.x && corner.position.x < room.x.upperBound
              && room.y.lowerBound < corner.position.y && corner.position.y < room.y.upperBound
          }
          #expect(!isAtWall || plan.doors.contains { $0.place == corner.position })
        }
      }
    }
    #expect(entered.count == 6)
  }

  @Test func `people stop in rooms for the mean time, and walk at their speed`() {
    var scenario = flat()
    scenario.walks.duration = 100_000
    let corners = Array(Walk(scenario: scenario, trace: 0))
    #expect(corners.last?.time == Scenario.start + 100_000_000_000_000)
    let doors = FlatPlan(scenario.room).doors.map(\.place)
    var (stops, passages): ([Double], Int) = ([], 0)
    for (a, b) in zip(corners, corners.dropFirst()).dropLast() {
      let seconds = Double(b.time - a.time) / 1e9
      if a.position == b.position {
        stops.append(seconds)
        #expect(!doors.contains(a.position))
      } else {
        #expect(isClose(a.position.distance(to: b.position), seconds, absolute: 1e-8))
        if doors.contains(b.position) { passages += 1 }
      }
    }
    #expect(stops.allSatisfy { (0...40).contains($0) })
    #expect(Moments(stops).hasMean(20, deviation: 40 / 12.0.squareRoot()))
    // Two places for each change of rooms. Of the 30 ordered pairs of rooms, 10 with the hall and 2
    // of living-room and kitchen have a door, and 18 are two doors apart: 1.6 doors on average.
    let share = Double(passages) / Double(stops.count)
    #expect(isClose(share, 0.8, absolute: 0.05), "\(share)")
  }

  @Test(arguments: [(12.0, 9.0), (6, 7), (8, 300)])
  func `beacons are at the walls of all rooms in turn, and not in doors`(
    width: Double, depth: Double
  ) throws {
    var scenario = flat()
    scenario.room.beaconCount = 60
    (scenario.room.width, scenario.room.depth) = (width, depth)
    let beacons = try SimulatedRoom(scenario).beacons
    let plan = FlatPlan(scenario.room)
    for beacon in beacons {
      let (room, place) = (plan.rooms[beacon.index % 6], beacon.position)
      let gaps = [
        place.x - room.x.lowerBound, room.x.upperBound - place.x, place.y - room.y.lowerBound,
        room.y.upperBound - place.y,
      ]
      #expect(isClose(gaps.min() ?? 0, 0.1, absolute: 1e-9))
      #expect(plan.doors.allSatisfy { $0.place.distance(to: place) > 0.9 })
    }
    #expect(Set(beacons.map(\.position)).count == 60)
  }

  /// A flat of 12 m by 9 m has walls at x = 4.8, 7.8 below y = 3.6, at y = 3.6 and 4.95, and at
  /// x = 7.2 above, and the doors that the places lead through.
  @Test(arguments: [
    // Within the bedroom, to the bathroom, the study and the living-room, and to the kitchen through
    // the door of the bathroom.
    ((1.0, 1.0), (4.0, 3.0), 0), ((1, 1), (6, 1), 1), ((1, 1), (9, 1), 2), ((1, 1), (1, 8), 2),
    ((4, 1), (10.9, 8), 2),
    // Through the doors of the bedroom, the living-room, and between that and the kitchen.
    ((2.4, 3), (2.4, 4.5), 0), ((2.4, 3), (2.4, 6), 1), ((3.7, 4), (3.5, 6), 0),
    ((1, 7), (11, 7), 0), ((1, 6), (11, 8.5), 1),
    // 1 mm beside the frame of the door of the bedroom.
    ((1.949, 3), (1.949, 4.5), 1), ((1.951, 3), (1.951, 4.5), 0), ((2.851, 3), (2.851, 4.5), 1),
  ])
  func `a path through a door crosses no wall`(
    from: (Double, Double), to: (Double, Double), crossings: Int
  ) throws {
    var (flat, outline) = (Flat(), Room())
    (flat.wallLoss, flat.wallDeviation) = (3, 0)
    (outline.width, outline.depth) = (12, 9)
    let beacons = try SimulatedRoom(Scenario()).beacons
    let walls = FlatWalls(flat, FlatPlan(outline), among: beacons, seed: 1)
    let ends = [Point(x: from.0, y: from.1), Point(x: to.0, y: to.1)]
    for (from, to) in [(ends[0], ends[1]), (ends[1], ends[0])] {
      #expect(isClose(walls.loss(of: 2, from: from, to: to), 3 * Double(crossings)))
    }
  }

  @Test func `each wall on the straight path costs its loss`() throws {
    var scenario = flat()
    scenario.flat?.wallLoss = 7
    scenario.flat?.wallDeviation = 0
    let room = try SimulatedRoom(scenario)
    let pieces = Array(FlatPlan(scenario.room).walls.joined())
    let walks = room.walks.map(Array.init)
    var seen: Set<Int> = []
    room.forEachSighting { sighting in
      let corners = walks[sighting.trace]
      let next = max(1, corners.firstIndex { $0.time >= sighting.time }!)
      let (a, b) = (corners[next - 1], corners[next])
      let share = Double(sighting.time - a.time) / Double(b.time - a.time)
      let here = a.position.interpolated(to: b.position, share)
      let beacon = room.beacons[sighting.beacon]
      let there = beacon.position
      // All walls are along an axis.
      let crossings = pieces.count { piece in
        let isLevel = piece.from.y == piece.to.y
        let t =
          isLevel
          ? (piece.from.y - here.y) / (there.y - here.y)
          : (piece.from.x - here.x) / (there.x - here.x)
        let at = here.interpolated(to: there, t)
        let (start, end, place) =
          isLevel ? (piece.from.x, piece.to.x, at.x) : (piece.from.y, piece.to.y, at.y)
        return t > 0 && t < 1 && place > min(start, end) && place < max(start, end)
      }
      let across = here.distance(to: there)
      #expect(isClose(sighting.distance, (across * across + 1).squareRoot()))
      let expected =
        beacon.measuredPower - 20 * Double.log10(sighting.distance) - 7 * Double(crossings)
      #expect(isClose(sighting.meanRSSI, expected, absolute: 1e-9))
      seen.insert(crossings)
    }
    #expect(seen.isSuperset(of: [0, 1, 2, 3]))
  }

  /// 1,000 beacons have a loss by each of 12 walls, here by that between bedroom and bathroom.
  @Test func `losses have their distribution`() throws {
    var scenario = flat()
    scenario.room.beaconCount = 1_000
    let beacons = try SimulatedRoom(scenario).beacons
    let walls = FlatWalls(Flat(), FlatPlan(scenario.room), among: beacons, seed: 3)
    func loss(_ beacon: Int, _ x: Double) -> Double {
      walls.loss(of: beacon, from: Point(x: 4, y: 1), to: Point(x: x, y: 1))
    }
    let losses = Moments(beacons.map { loss($0.index, 6) })
    #expect(losses.hasMean(5, deviation: 2) && losses.hasGaussianVariance(4))
    // A second wall is independent of the first.
    let both = Moments(beacons.map { loss($0.index, 9) })
    #expect(both.hasMean(10, deviation: 8.0.squareRoot()) && both.hasGaussianVariance(8))
  }
}
