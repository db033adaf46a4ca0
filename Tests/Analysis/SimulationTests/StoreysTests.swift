import Geometry
import RealModule
import TestSupport
import Testing

@testable import Simulation

@Suite("Simulated floors")
struct StoreysTests {
  /// Five floors in a scenario of which only the slabs and the stairs are random.
  private func building(_ count: Int = 5, seed: UInt64 = 3) -> Scenario {
    var scenario = Scenario(seed: seed)
    scenario.storeys = Storeys(count: count)
    scenario.walks.duration = 600
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

  @Test func `the same seed gives the same building, and another floor changes no beacon`() throws {
    let scenario = building()
    #expect(try sightings(scenario) == sightings(scenario))
    #expect(try sightings(scenario) != sightings(building(seed: 4)))
    let (two, three) = (try SimulatedRoom(building(2)), try SimulatedRoom(building(3)))
    #expect(three.beacons.dropLast(8) == two.beacons[...])
    #expect(three.beacons.map(\.floor) == [0, 1, 2].flatMap { Array(repeating: $0, count: 8) })
    #expect(Set(three.beacons.map(\.position)).count == 24)
  }

  /// In a room of 12 m by 8 m: half a metre from the middles of the shorter walls.
  @Test func `floors change at stairwells, one by one, and walks stay in the room`() {
    var scenario = building()
    scenario.walks.count = 50
    let stairwells = [Point(x: 0.5, y: 4), Point(x: 11.5, y: 4)]
    #expect(scenario.room.stairwells == stairwells)
    var floors: Set<Int> = []
    var (climbs, further) = (0, 0)
    for trace in 0..<scenario.walks.count {
      let corners = Array(Walk(scenario: scenario, trace: trace))
      #expect(corners.allSatisfy { (0.5...11.5).contains($0.position.x) })
      #expect(corners.allSatisfy { (0.5...7.5).contains($0.position.y) })
      #expect(corners.last?.time == scenario.walks.start(ofTrace: trace) + 600_000_000_000)
      floors.formUnion(corners.map(\.floor))
      var hasClimbed = false
      for (a, b) in zip(corners, corners.dropFirst()) {
        #expect(a.time < b.time)
        if a.floor != b.floor {
          #expect(abs(a.floor - b.floor) == 1)
          #expect(stairwells.contains(a.position) && b.position == a.position)
          #expect(isClose(Double(b.time - a.time), 8e9, absolute: 1))
          climbs += 1
          if hasClimbed { further += 1 }
        } else {
          let seconds = Double(b.time - a.time) / 1e9
          #expect(isClose(a.position.distance(to: b.position), seconds, absolute: 1e-8))
        }
        hasClimbed = a.floor != b.floor
      }
    }
    #expect(floors == [0, 1, 2, 3, 4])
    // Between visits to stairs: 1 way of some 6 m from them, 3 of 5 m on average, 1 of 6 m to them,
    // and 1.17 climbs of 8 s. So 30,000 s have 820 visits and 960 climbs.
    #expect((850...1_070).contains(climbs))
    #expect((0.05...0.2).contains(Double(further) / Double(climbs)))
  }

  @Test func `all floors are entered at random, and no stairs are taken without a share`() {
    var scenario = building(4)
    scenario.storeys?.stairShare = 0
    scenario.walks.count = 4_000
    scenario.walks.duration = 10
    let floors = (0..<4_000).map { Set(Walk(scenario: scenario, trace: $0).map(\.floor)) }
    #expect(floors.allSatisfy { $0.count == 1 })
    for floor in 0..<4 { #expect(isShare(floors.count { $0 == [floor] }, of: 4_000, 0.25)) }
  }

  /// Distances by hand: floors are 4 m apart, beacons 1 m above the receiver.
  @Test func `a slab costs its loss, over distances in space`() throws {
    var scenario = building(3)
    scenario.storeys?.height = 4
    scenario.storeys?.slabLoss = 12
    scenario.storeys?.slabDeviation = 0
    scenario.storeys?.apparentShift = 0
    let room = try SimulatedRoom(scenario)
    let walks = room.walks.map(Array.init)
    var slabs: Set<Int> = []
    room.forEachSighting { sighting in
      let corners = walks[sighting.trace]
      let next = max(1, corners.firstIndex { $0.time >= sighting.time }!)
      let (a, b) = (corners[next - 1], corners[next])
      let share = Double(sighting.time - a.time) / Double(b.time - a.time)
      let beacon = room.beacons[sighting.beacon]
      let level = Double(a.floor) + share * Double(b.floor - a.floor) - Double(beacon.floor)
      let across = Point(
        x: a.position.x + share * (b.position.x - a.position.x),
        y: a.position.y + share * (b.position.y - a.position.y)
      ).distance(to: beacon.position)
      let rise = 1 - 4 * level
      #expect(isClose(sighting.distance, (across * across + rise * rise).squareRoot()))
      let expected = beacon.measuredPower - 20 * Double.log10(sighting.distance) - 12 * abs(level)
      #expect(isClose(sighting.meanRSSI, expected, absolute: 1e-9))
      if a.floor == b.floor { slabs.insert(Int(abs(level))) }
    }
    #expect(slabs == [0, 1, 2])
  }

  /// 2,000 beacons each have a loss on the other floor, and a shift whose median is the parameter.
  @Test func `losses and shifts have their distribution`() throws {
    var scenario = building(2)
    scenario.room.beaconCount = 1_000
    let beacons = try SimulatedRoom(scenario).beacons
    let storeys = try #require(scenario.storeys)
    let slabs = Slabs(storeys, among: beacons, seed: 3)
    let others = beacons.map { slabs.appearance(of: $0.index, at: Double(1 - $0.floor)) }
    let losses = Moments(others.map(\.loss))
    #expect(losses.hasMean(15, deviation: 8) && losses.hasGaussianVariance(64))
    let near = others.count { $0.shift.distance(to: Point(x: 0, y: 0)) < 10 }
    #expect(isShare(near, of: others.count, 0.5))
    for axis in [\Point.x, \Point.y] {
      #expect(Moments(others.map { $0.shift[keyPath: axis] }).hasMean(0, deviation: 8.493))
    }
    let own = beacons.map { slabs.appearance(of: $0.index, at: Double($0.floor)) }
    #expect(own.allSatisfy { $0.loss == 0 && $0.shift == Point(x: 0, y: 0) })
    // Halfway up the stairs it is in the middle between the two.
    let half = slabs.appearance(of: 0, at: 0.5)
    #expect(isClose(half.loss, others[0].loss / 2))
    #expect(isClose(half.shift.x, others[0].shift.x / 2))
  }

  /// A beacon at rest is shadowed on each floor by another map.
  @Test func `each floor has its own shadowing`() throws {
    var scenario = building(2)
    scenario.storeys?.slabDeviation = 0
    scenario.storeys?.slabLoss = 0
    scenario.storeys?.apparentShift = 0
    scenario.propagation.shadowingDeviation = 4
    scenario.propagation.shadowingPersistence = 1
    scenario.walks.speed = 0
    scenario.walks.duration = 5
    scenario.walks.count = 400
    let room = try SimulatedRoom(scenario)
    let walks = room.walks.map { $0.map(\.self)[0] }
    var excess: [[Int]: Double] = [:]
    room.forEachSighting { sighting in
      let beacon = room.beacons[sighting.beacon]
      excess[[sighting.trace, sighting.beacon]] =
        sighting.meanRSSI - beacon.measuredPower + 20 * Double.log10(sighting.distance)
    }
    // Beacons 0 and 8 are on two floors; the products of independent levels have a mean of zero.
    let products = (0..<400).compactMap { trace in
      excess[[trace, 0]].flatMap { first in excess[[trace, 8]].map { first * $0 } }
    }
    #expect(products.count > 390)
    #expect(abs(products.reduce(0, +) / Double(products.count)) < 8)
    #expect(Set(walks.map(\.floor)) == [0, 1])
    #expect(Moments(Array(excess.values)).deviation > 3)
  }
}
