import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

struct RangeLeastSquaresTests {
  private func misfit(_ o: [Observation], _ p: Point) -> Double {
    o.reduce(0) { sum, o in
      let distance = hypot(o.anchor.distance(to: p), o.heightDifference)
      // The mean square error of a log-normal range, relative to it.
      let variance = o.relativeRangeDeviation * o.relativeRangeDeviation
      let error = (exp(2 * variance) - 2 * exp(variance / 2) + 1).squareRoot()
      let score = (distance - o.slantRange) / (o.slantRange * error)
      return sum + score * score
    }
  }

  @Test func `finds the target from exact levels`() {
    var generator = SeededGenerator(seed: 40)
    var wrong = 0
    for _ in 0..<200 {
      let scene = Scene.random(anchors: 5, height: 0.5, using: &generator)
      guard let p = RangeLeastSquares().locate(scene.observations).position else { continue }
      if !isClose(p, scene.truth, within: 1e-5) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test func `no place of a grid fits noisy ranges better`() throws {
    var generator = SeededGenerator(seed: 41)
    for _ in 0..<20 {
      let scene = Scene.random(anchors: 5, noise: 4, height: 0.5, using: &generator)
      let outcome = RangeLeastSquares().locate(scene.observations)
      let p = try #require(outcome.position)
      #expect(outcome.covariance != nil)
      let best = misfit(scene.observations, p)
      for x in stride(from: 0.0, through: 20, by: 1) {
        for y in stride(from: 0.0, through: 20, by: 1) {
          #expect(misfit(scene.observations, Point(x: x, y: y)) >= best - 1e-9)
        }
      }
    }
  }

  @Test func `finds place and height, and refuses what does not fix them`() throws {
    var surroundings = Surroundings()
    surroundings.dimensions = .space
    let truth = SpacePoint(x: 4, y: 3, z: 1)
    let o = [(0.0, 0.0, 2.5), (10, 0, 0.5), (0, 10, 3), (10, 10, 1), (5, 2, 2.8)].map { a in
      Observation(
        anchor: Point(x: a.0, y: a.1), heightDifference: a.2,
        rssi: -59 - 20 * log10(hypot(hypot(a.0 - truth.x, a.1 - truth.y), a.2 - truth.z)),
        measuredPower: -59,
        exponent: 2, sigma: 4)
    }
    guard case .located(let estimate) = RangeLeastSquares().locate(o, in: surroundings) else {
      Issue.record("no answer")
      return
    }
    #expect(isClose(estimate.position, truth.planar, within: 1e-6))
    #expect(isClose(try #require(estimate.height), 1, absolute: 1e-6))
    #expect(
      RangeLeastSquares().locate(Array(o.prefix(3)), in: surroundings).refusal == .tooFewAnchors)
  }
}
