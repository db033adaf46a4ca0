import Geometry
import RealModule
import TestSupport
import Testing

@testable import Simulation

struct RestTests {
  private func scenario(
    _ model: RadioModel = .rician, seed: UInt64 = 3, levelChange: Double? = nil, dropOut: Double = 0
  ) -> Scenario {
    var scenario = Scenario(seed: seed, model: model)
    var plan = RestPlan(duration: 30)
    (plan.levelChange, plan.dropOut) = (levelChange, dropOut)
    scenario.rests = plan
    scenario.walks.count = 2
    scenario.walks.duration = 200
    scenario.reception.sensitivity = -200
    return scenario
  }

  private func sightings(_ scenario: Scenario) throws -> [SimulatedSighting] {
    var all: [SimulatedSighting] = []
    try SimulatedRoom(scenario).forEachSighting { all.append($0) }
    return all
  }

  private func rests(_ room: SimulatedRoom, _ beacon: Int, _ trace: Int = 0) throws -> [BeaconRest]
  {
    Array(try #require(room.rests(ofBeacon: beacon, inTrace: trace)))
  }

  @Test func `rests follow one another until the trace ends`() throws {
    let room = try SimulatedRoom(scenario())
    #expect(room.walks.isEmpty)
    #expect(room.receiverPosition == Point(x: 6, y: 4))
    for beacon in 0..<8 {
      for trace in 0..<2 {
        let rests = try rests(room, beacon, trace)
        let start = Scenario.start + Int64(trace) * 210_000_000_000
        #expect(rests.first?.start == start)
        #expect(rests.map(\.index) == Array(rests.indices))
        #expect(rests.last.map { $0.end >= start + 200_000_000_000 } == true)
        for rest in rests.dropLast(2) {
          #expect((30...33).contains(Double(rest.end - rest.start) / 1e9))
        }
        for (rest, next) in zip(rests, rests.dropFirst()) {
          // One metre per second, at least one metre.
          let way = rest.position.distance(to: next.position)
          #expect(isClose(Double(next.start - rest.end) / 1e9, way, absolute: 1e-8))
          #expect(way >= 1)
          #expect((0.5...11.5).contains(next.position.x) && (0.5...7.5).contains(next.position.y))
        }
      }
    }
  }

  @Test(arguments: RadioModel.allCases)
  func `distances are those of the truth`(_ model: RadioModel) throws {
    let scenario = scenario(model)
    let room = try SimulatedRoom(scenario)
    let all = try (0..<2).map { trace in try (0..<8).map { try rests(room, $0, trace) } }
    var moving = 0
    for sighting in try sightings(scenario) {
      let rests = all[sighting.trace][sighting.beacon]
      let index = try #require(rests.lastIndex { $0.start <= sighting.time })
      var place = rests[index].position
      if sighting.time > rests[index].end {
        moving += 1
        let (next, end) = (rests[index + 1], rests[index].end)
        let share = Double(sighting.time - end) / Double(next.start - end)
        place = Point(
          x: place.x + share * (next.position.x - place.x),
          y: place.y + share * (next.position.y - place.y))
      }
      let across = place.distance(to: Point(x: 6, y: 4))
      #expect(isClose(sighting.distance, (across * across + 1).squareRoot()))
    }
    #expect(moving > 100)
  }

  /// A beacon at rest keeps its mean level, about which its levels lie.
  @Test func `levels of a rest lie about its mean`() throws {
    var scenario = scenario(seed: 8)
    scenario.room.beaconCount = 60
    scenario.propagation.fadingTime = 0.1...0.1
    let room = try SimulatedRoom(scenario)
    let ends = try (0..<60).map { try rests(room, $0).map { ($0.start, $0.end) } }
    var levels: [[Int]: [SimulatedSighting]] = [:]
    for sighting in try sightings(scenario) where sighting.trace == 0 {
      let rest = ends[sighting.beacon].lastIndex { $0.0 <= sighting.time } ?? 0
      guard sighting.time <= ends[sighting.beacon][rest].1 else { continue }
      levels[[sighting.beacon, rest], default: []].append(sighting)
    }
    #expect(levels.count > 300)
    #expect(levels.values.allSatisfy { Set($0.map(\.meanRSSI)).count == 1 })
    let errors = levels.values.filter { $0.count > 50 }.map { rest in
      // Channels count alike, as their offsets add up to 0.
      (37...39).reduce(0.0) { sum, channel in
        sum
          + Moments(rest.filter { $0.channel == channel }.map { Double($0.rssi) - $0.meanRSSI })
          .mean
      } / 3
    }
    let moments = Moments(errors)
    #expect(moments.hasMean(0, deviation: moments.deviation))
    #expect(moments.deviation < 1)
  }

  /// A move by a level changes the mean level by it and nothing else, down and up in turn.
  @Test(arguments: [(RadioModel.rician, 8.0), (.rician, 20), (.simple, 8)])
  func `moves change the mean level`(_ model: RadioModel, _ change: Double) throws {
    let scenario = scenario(model, levelChange: change)
    let room = try SimulatedRoom(scenario)
    let all = try sightings(scenario)
    for beacon in 0..<8 {
      let means = try rests(room, beacon).compactMap { rest in
        all.first { $0.beacon == beacon && (rest.start...rest.end).contains($0.time) }?.meanRSSI
      }
      #expect(means.count >= 3)
      for (index, mean) in means.enumerated() {
        #expect(isClose(mean, means[0] - (index.isMultiple(of: 2) ? 0 : change), absolute: 1e-9))
      }
    }
  }

  /// A drop-out takes away what would have been heard in it, and nothing else.
  @Test(arguments: RadioModel.allCases)
  func `drop outs thin the same recording`(_ model: RadioModel) throws {
    let silent = scenario(model, dropOut: 10)
    let room = try SimulatedRoom(silent)
    let silences = try (0..<2).map { trace in
      try (0..<8).map { try rests(room, $0, trace).compactMap(\.silence) }
    }
    #expect(silences[0][0].count >= 4)
    #expect(
      silences.joined().joined().allSatisfy { $0.upperBound - $0.lowerBound <= 10_000_000_000 })
    let expected = try sightings(scenario(model)).filter { sighting in
      !silences[sighting.trace][sighting.beacon].contains { $0.contains(sighting.time) }
    }
    #expect(try sightings(silent) == expected)
  }

  @Test(arguments: RadioModel.allCases)
  func `one more beacon or trace changes no other`(_ model: RadioModel) throws {
    let few = try sightings(scenario(model))
    var larger = scenario(model)
    larger.room.beaconCount = 9
    larger.walks.count = 3
    #expect(try sightings(larger).filter { $0.beacon < 8 && $0.trace < 2 } == few)
  }

  /// Links draw other scattered waves after a move.
  @Test func `moves change the fading`() throws {
    var scenario = scenario(levelChange: 1)
    scenario.propagation.fadingDeviation = 0
    scenario.propagation.noiseDeviation = 0
    let room = try SimulatedRoom(scenario)
    let all = try sightings(scenario)
    let deviations = try rests(room, 0).prefix(5).map { rest in
      Moments(
        all.filter { $0.beacon == 0 && (rest.start...rest.end).contains($0.time) }
          .map { Double($0.rssi) }
      ).deviation
    }
    #expect(deviations.max()! > 1.5 * deviations.min()!)
  }
}
