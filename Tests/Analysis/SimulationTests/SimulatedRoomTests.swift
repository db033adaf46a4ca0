import Geometry
import RealModule
import TestSupport
import Testing

@testable import Simulation

struct SimulatedRoomTests {
  private func sightings(_ scenario: Scenario) throws -> [SimulatedSighting] {
    var all: [SimulatedSighting] = []
    try SimulatedRoom(scenario).forEachSighting { all.append($0) }
    return all
  }

  @Test(arguments: RadioModel.allCases)
  func `is the same for the same seed`(_ model: RadioModel) throws {
    let first = try sightings(Scenario(seed: 9, model: model))
    #expect(try sightings(Scenario(seed: 9, model: model)) == first)
    #expect(try sightings(Scenario(seed: 10, model: model)) != first)
  }

  /// 8 beacons at 105 ms in 3 walks of 60 s; 30 % of the packets lost and few too weak.
  @Test func `hears about as many as it should`() throws {
    var scenario = Scenario()
    scenario.reception.sensitivity = -200
    let heard = try sightings(scenario).count
    // An event at most lies off at either end of each of the 24 links.
    let events = Int((24 * 60 / 0.105).rounded())
    #expect(isShare(heard, of: events, 0.7))
  }

  @Test(arguments: RadioModel.allCases)
  func `comes in time order within its walks`(_ model: RadioModel) throws {
    let all = try sightings(Scenario(seed: 2, model: model))
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.time <= $1.time })
    for trace in 0..<3 {
      let times = all.filter { $0.trace == trace }.map(\.time)
      let start = Scenario.start + Int64(trace) * 70_000_000_000
      #expect(times.allSatisfy { (start...start + 60_000_000_000).contains($0) })
      #expect(times.last! > start + 59_000_000_000)
    }
    #expect(Set(all.map(\.trace)) == [0, 1, 2])
    #expect(Set(all.map(\.beacon)) == Set(0..<8))
  }

  @Test(arguments: RadioModel.allCases)
  func `one more beacon changes no other`(_ model: RadioModel) throws {
    var larger = Scenario(seed: 5, model: model)
    larger.room.beaconCount = 9
    let (few, many) = (
      try SimulatedRoom(Scenario(seed: 5, model: model)), try SimulatedRoom(larger)
    )
    #expect(many.beacons.dropLast() == few.beacons[...])
    #expect(
      try sightings(larger).filter { $0.beacon < 8 } == sightings(Scenario(seed: 5, model: model)))
  }

  @Test(arguments: RadioModel.allCases)
  func `one more walk changes no other`(_ model: RadioModel) throws {
    var longer = Scenario(seed: 5, model: model)
    longer.walks.count = 4
    #expect(
      try sightings(longer).filter { $0.trace < 3 } == sightings(Scenario(seed: 5, model: model)))
  }

  @Test(arguments: RadioModel.allCases)
  func `more loss thins the same recording`(_ model: RadioModel) throws {
    var poorer = Scenario(seed: 5, model: model)
    poorer.reception.lossProbability = 0.6
    #expect(
      Set(try sightings(poorer)).isStrictSubset(of: try sightings(Scenario(seed: 5, model: model))))
  }

  /// Rotation and random delay leave no channel preferred; shares vary less than independent ones.
  @Test func `channels share the packets`() throws {
    var scenario = Scenario()
    scenario.walks.duration = 1_000
    let channels = try sightings(scenario).map(\.channel)
    for channel in UInt8(37)...39 {
      #expect(isShare(channels.filter { $0 == channel }.count, of: channels.count, 1.0 / 3))
    }
  }

  /// Truth interpolated by hand, and the heights of 2 m and 1 m, give each sighting's distance.
  @Test func `distances are those of the truth`() throws {
    let room = try SimulatedRoom(Scenario(seed: 6))
    let walks = room.walks.map(Array.init)
    room.forEachSighting { sighting in
      let corners = walks[sighting.trace]
      let next = max(1, corners.firstIndex { $0.time >= sighting.time }!)
      let (a, b) = (corners[next - 1], corners[next])
      let share = Double(sighting.time - a.time) / Double(b.time - a.time)
      let place = Point(
        x: a.position.x + share * (b.position.x - a.position.x),
        y: a.position.y + share * (b.position.y - a.position.y))
      let across = place.distance(to: room.beacons[sighting.beacon].position)
      #expect(isClose(sighting.distance, (across * across + 1).squareRoot()))
    }
  }

  @Test func `beacons differ in power`() throws {
    var scenario = Scenario(seed: 7, model: .simple)
    scenario.room.beaconCount = 5_000
    let powers = Moments(try SimulatedRoom(scenario).beacons.map(\.measuredPower))
    #expect(powers.hasMean(-59, deviation: 1))
    #expect(powers.hasGaussianVariance(1))
  }

  /// What the mean level has beyond path loss is shadowing: E[x(s) x(s + Δ)] = σ² exp(-Δ / d), one
  /// pair a link and walk, so that pairs are independent.
  @Test func `shadowing is correlated along the walk`() throws {
    var scenario = Scenario(seed: 8, model: .simple)
    scenario.walks.count = 400
    scenario.walks.duration = 6
    scenario.reception.sensitivity = -200
    let room = try SimulatedRoom(scenario)
    var first: [[Int]: (time: Int64, level: Double)] = [:]
    var paired: Set<[Int]> = []
    var (excess, levels): ([Double], [Double]) = ([], [])
    room.forEachSighting { sighting in
      let key = [sighting.trace, sighting.beacon]
      let level =
        sighting.meanRSSI
        - scenario.propagation.level(
          of: room.beacons[sighting.beacon].measuredPower, at: sighting.distance)
      guard let start = first[key] else {
        first[key] = (sighting.time, level)
        return
      }
      let walked = Double(sighting.time - start.time) / 1e9
      guard walked >= 2, paired.insert(key).inserted else { return }
      excess.append(start.level * level - 16 * Double.exp(-walked / 2))
      levels.append(level)
    }
    #expect(levels.count == 3_200)
    #expect(Moments(levels).hasMean(0, deviation: 4))
    #expect(Moments(levels).hasGaussianVariance(16))
    let rho = Double.exp(-1)
    #expect(Moments(excess).hasMean(0, deviation: 16 * (1 + rho * rho).squareRoot()))
  }

  @Test func `stops where the caller throws`() throws {
    struct Full: Error {}
    let room = try SimulatedRoom(Scenario())
    var taken = 0
    #expect(throws: Full.self) {
      try room.forEachSighting { (_: SimulatedSighting) throws(Full) in
        taken += 1
        if taken == 10 { throw Full() }
      }
    }
    #expect(taken == 10)
  }
}
