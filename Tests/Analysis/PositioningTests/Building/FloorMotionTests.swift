import Geometry
import TestSupport
import Testing

@testable import Positioning

@Suite("Motion over floors")
struct FloorMotionTests {
  private static func map(_ building: Building) throws -> BuildingMap {
    let survey = (0..<2).flatMap { floor in
      (0..<10).map { number in
        var point = SurveyPoint(place: Point(x: 2 * Double(number), y: 5), levels: [])
        (point.floor, point.seconds) = (floor, 2)
        return point
      }
    }
    return try #require(BuildingMap(building, survey: survey, anchors: 0))
  }

  private static let plain = Building(floors: [.init(name: "1"), .init(name: "2")])
  private static let stairs = Building(
    floors: plain.floors,
    connections: [
      .init(ends: [
        .init(floor: 0, place: Point(x: 1, y: 5)), .init(floor: 1, place: Point(x: 17, y: 5)),
      ])
    ])

  private static func weights(_ seed: UInt64, on map: BuildingMap) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return (0..<FloorMotion.states).flatMap { _ in
      map.cells.isOpen.map { $0 * Float.random(in: 0...1, using: &generator) }
    }
  }

  @Test func `keeps the sum of the weights, on open cells`() throws {
    for building in [Self.plain, Self.stairs] {
      let map = try Self.map(building)
      let motion = FloorMotion(on: map)
      var weights = Self.weights(1, on: map)
      motion.advance(&weights)
      #expect(abs(weights.reduce(0, +) - 1) < 1e-4)
      #expect(
        zip(weights.summed(over: FloorMotion.states), map.cells.isOpen).allSatisfy {
          $0 == 0 || $1 > 0
        })
    }
  }

  /// The likelihood of what follows, moved back and weighted now, is the likelihood weighted later.
  @Test func `moves back as the transpose of forward`() throws {
    for (seed, building) in [(2, Self.plain), (3, Self.stairs)] as [(UInt64, Building)] {
      let map = try Self.map(building)
      let motion = FloorMotion(on: map)
      let (one, other) = (Self.weights(seed, on: map), Self.weights(seed + 10, on: map))
      func ratio(_ likelihoods: [Float]) -> Double {
        var (now, later, flatNow) = (one, one, [Float](repeating: 1, count: one.count))
        motion.advance(&later)
        var back = likelihoods
        motion.retreat(&back)
        motion.retreat(&flatNow)
        let ahead = zip(later, likelihoods).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
        for index in now.indices { now[index] *= back[index] }
        let total = zip(one, flatNow).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
        return now.reduce(0.0) { $0 + Double($1) } / total / ahead
      }
      // Forward weights are scaled to 1, so only ratios to a flat likelihood are comparable. Jumps
      // are mixed in after the scale.
      #expect(abs(ratio(other) - 1) < 2e-3)
    }
  }

  @Test func `changes floors at connections`() throws {
    let map = try Self.map(Self.stairs)
    let motion = FloorMotion(on: map)
    func upstairs(from place: Point) throws -> Float {
      var weights = [Float](repeating: 0, count: FloorMotion.states * map.cells.count)
      weights[8 * map.cells.count + (try #require(map.cells.cell(at: place, on: 0)))] = 1
      motion.advance(&weights)
      return map.cells.lattices[1].cells.reduce(0) {
        $0 + weights.summed(over: FloorMotion.states)[$1]
      }
    }
    #expect(try upstairs(from: Point(x: 1, y: 5)) > 0.1)
    #expect(try upstairs(from: Point(x: 15, y: 5)) < 1e-4)
  }
}
