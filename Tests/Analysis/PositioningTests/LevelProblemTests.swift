import Foundation
import Geometry
import TestSupport
import Testing

@testable import Positioning

struct LevelProblemTests {
  /// A problem with a height and an offset about a scene's target, for one loss.
  private func problem(_ loss: LossFunction, using generator: inout SeededGenerator) -> LevelProblem
  {
    let scene = Scene.random(anchors: 6, noise: 4, height: 1, using: &generator)
    return LevelProblem(
      terms: scene.observations.map {
        LevelProblem.Term(
          place: SIMD4($0.anchor.x, $0.anchor.y, $0.heightDifference, 0),
          logSquaredRange: $0.logSquaredRange, steepness: 0.5 / $0.relativeRangeDeviation,
          inverseSigma: 1 / $0.sigma)
      }, loss: loss, axes: [0, 1, 2, 3], low: SIMD4(-10, -10, -3, -20), high: SIMD4(30, 30, 4, 20),
      leastSquared: 1e-20)
  }

  private func random(_ problem: LevelProblem, _ generator: inout SeededGenerator) -> SIMD4<Double>
  {
    SIMD4.random(in: 0..<1, using: &generator) * (problem.high - problem.low) + problem.low
  }

  @Test(arguments: LossFunction.allCases)
  func `half its gradient and Hessian are those of finite differences`(loss: LossFunction) {
    var generator = SeededGenerator(seed: 31)
    for _ in 0..<30 {
      let problem = problem(loss, using: &generator)
      let q = random(problem, &generator)
      let e = problem.expansion(at: q)
      for axis in 0..<4 {
        var step = SIMD4<Double>()
        step[axis] = 1e-5
        let (up, down) = (problem.expansion(at: q + step), problem.expansion(at: q - step))
        let size = (0..<4).reduce(1) { $0 + abs(e.curvature[$1, $1]) }
        #expect(isClose(e.gradient[axis], (up.cost - down.cost) / 4e-5, absolute: 1e-4 * size))
        // Huber's second derivative jumps: a difference across the jump is between both.
        guard loss != .huber else { continue }
        for other in 0..<4 {
          let slope = (up.gradient[other] - down.gradient[other]) / 2e-5
          #expect(isClose(e.curvature[axis, other], slope, absolute: 1e-3 * size))
        }
      }
    }
  }

  @Test(arguments: LossFunction.allCases)
  func `no unknowns in a box cost less than its bound`(loss: LossFunction) {
    var generator = SeededGenerator(seed: 32)
    var useful = 0
    for _ in 0..<200 {
      let problem = problem(loss, using: &generator)
      let middle = random(problem, &generator)
      let half =
        SIMD4.random(in: 0..<1, using: &generator)
        * pow(10, Double.random(in: -3..<1, using: &generator))
      let bound = problem.bound(middle: middle, half: half)
      var least = bound.middle
      for _ in 0..<60 {
        let inside = middle + half * SIMD4.random(in: -1...1, using: &generator)
        least = min(least, problem.expansion(at: inside).cost)
      }
      #expect(bound.least <= least + 1e-9)
      if bound.least > 0.5 * least { useful += 1 }
    }
    #expect(useful > 60)
  }

  @Test(arguments: LossFunction.allCases)
  func `the least ψ′ of an interval is that of its many places`(loss: LossFunction) {
    var generator = SeededGenerator(seed: 33)
    for _ in 0..<300 {
      let low = Double.random(in: -8..<8, using: &generator)
      let high = low + Double.random(in: 0..<5, using: &generator)
      let sampled = (0...400).map { loss.curvature(low + (high - low) * Double($0) / 400) }.min()!
      let least = loss.leastCurvature(low...high)
      #expect(least <= sampled + 1e-12)
      #expect(least >= sampled - 0.02)
    }
  }
}
