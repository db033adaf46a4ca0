import Foundation
import Geometry
import Positioning
import Support
import TestSupport
import Testing

struct AttractionTests {
  private func drawn(
    _ x: Double, _ y: Double, to spots: [Point], power: Double = 0.1, deadZone: Double = 0.2
  ) throws -> Point {
    var surroundings = Surroundings()
    surroundings.spots = spots
    let algorithm = Attraction(
      of: FixedAnswer("fixed", at: x, y), power: power, deadZone: deadZone)
    return try #require(algorithm.answer(in: surroundings).position)
  }

  @Test func `moves an answer by power / d², as published, towards the nearest spot only`() throws {
    let spots = [Point(x: 0, y: 0), Point(x: 5, y: 0)]
    #expect(isClose(try drawn(2, 0, to: spots), Point(x: 2 - 0.1 / 4, y: 0), within: 1e-12))
    #expect(isClose(try drawn(0, -1, to: spots), Point(x: 0, y: -0.9), within: 1e-12))
    #expect(isClose(try drawn(4, 0, to: spots), Point(x: 4.1, y: 0), within: 1e-12))
  }

  @Test func `spots of a building attract on their own floors`() throws {
    var surroundings = Surroundings()
    surroundings.building = Building(floors: ["F1", "F2"].map { .init(name: $0) })
    surroundings.building?.floors[1].spots = [Point(x: 0, y: 0)]
    for (floor, x) in [(0, 2), (1, 2 - 0.1 / 4)] {
      var estimate = Estimate(
        position: Point(x: 2, y: 0), uncertainty: .unavailable(.noErrorModel))
      estimate.floor = floor
      let algorithm = Attraction(
        of: FixedAnswer("fixed", .located(estimate)), power: 0.1, deadZone: 0.2)
      let place = try #require(algorithm.answer(in: surroundings).position)
      #expect(isClose(place, Point(x: x, y: 0), within: 1e-12))
    }
  }

  @Test func `leaves answers in the dead zone, and draws none nearer than its edge`() throws {
    let spot = [Point(x: 3, y: 3)]
    #expect(try drawn(3.1, 3, to: spot) == Point(x: 3.1, y: 3))
    #expect(try drawn(3, 3, to: spot) == Point(x: 3, y: 3))
    #expect(isClose(try drawn(3.3, 3, to: spot), Point(x: 3.2, y: 3), within: 1e-12))
    #expect(isClose(try drawn(3, 3, to: spot, deadZone: 0), Point(x: 3, y: 3), within: 0))
    #expect(isClose(try drawn(3.3, 3, to: spot, deadZone: 0), Point(x: 3, y: 3), within: 1e-12))
  }

  @Test(arguments: [(0.1, 0.2), (0.1, 1.0), (5, 0.2), (0.1, 0)])
  func `never jumps as the distance grows`(power: Double, deadZone: Double) {
    let step = 1e-4
    var before = 0.0
    for distance in stride(from: step, through: 4, by: step) {
      let after = Attraction.distance(distance, power: power, deadZone: deadZone)
      // d - power / d² has the slope 1 + 2 power / d³, and rises above the dead zone past ∛power.
      let slope = 1 + 2 * power / max(distance * distance * distance, power)
      #expect(after >= before && after - before <= 1.01 * slope * step)
      #expect(after <= distance)
      before = after
    }
  }

  @Test func `adds the move to the covariance, as what may be wrong`() throws {
    var surroundings = Surroundings()
    surroundings.spots = [Point(x: 0, y: 0)]
    let algorithm = Attraction(
      of: FixedAnswer("fixed", at: 1, 0, Covariance(xx: 1, xy: 0.5, yy: 2)), power: 0.1,
      deadZone: 0.2)
    let outcome = algorithm.answer(in: surroundings)
    let covariance = try #require(outcome.covariance)
    #expect(isClose(covariance, Covariance(xx: 1.01, xy: 0.5, yy: 2), relative: 1e-12))
  }

  @Test func `passes on refusals, and answers where there are no spots`() throws {
    let answer = FixedAnswer("fixed", at: 1, 0, Covariance(xx: 1, xy: 0, yy: 1))
    #expect(Attraction(of: answer, power: 0.1, deadZone: 0.2).answer() == answer.outcome)
    var surroundings = Surroundings()
    surroundings.spots = [Point(x: 0, y: 0)]
    let refusal = FixedAnswer("fixed", .refused(.notConverged))
    let attraction = Attraction(of: refusal, power: 0.1, deadZone: 0.2)
    #expect(attraction.answer(in: surroundings).refusal == .notConverged)
  }

  @Test func `is named with its algorithm, which may have parameters of its own`() throws {
    var generator = SeededGenerator(seed: 64)
    let scene = Scene.random(anchors: 4, using: &generator).observations
    for (text, inner) in [
      ("attract:to=spots,of=weighted-centroid:degree=1", "weighted-centroid:degree=1"),
      ("attract:of=combination:centroid=1+min-max=2,power=2", "combination:centroid=1,min-max=2"),
      (
        "attract:of=inverse-covariance:of=power-center+linear-least-squares,dead-zone=1e+0",
        "inverse-covariance:of=power-center+linear-least-squares"
      ),
    ] {
      let algorithm = try Algorithms.named(text)
      #expect(algorithm.name == text)
      // Without spots it is what it attracts.
      let alone = try Algorithms.named(inner).locate(scene)
      #expect(algorithm.locate(scene) == alone && alone.position != nil)
    }
    for bad in [
      "attract", "attract:to=spots", "attract:of=nobody", "attract:to=walls,of=epta",
      "attract:of=epta,power=-1", "attract:of=epta,dead-zone=x", "attract:of=epta,x=1",
    ] {
      #expect(throws: RSSIError.self) { try Algorithms.named(bad) }
    }
  }
}
