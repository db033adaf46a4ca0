import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

struct WeightedOneCentreTests {
  @Test
  func `finds a target inside the anchors from exact ranges, and refuses one outside`() throws {
    var generator = SeededGenerator(seed: 41)
    var (inside, outside) = (0, 0)
    for _ in 0..<1000 {
      let scene = Scene.random(anchors: 3, using: &generator)
      let corners = scene.observations.map(\.anchor)
      let turns = (0..<3).map { index in
        let (a, b) = (corners[index], corners[(index + 1) % 3])
        return (b.x - a.x) * (scene.truth.y - a.y) - (b.y - a.y) * (scene.truth.x - a.x)
      }
      // Too near an edge to determine the side in spite of rounding.
      guard turns.allSatisfy({ abs($0) > 1e-3 }) else { continue }
      let outcome = WeightedOneCentre().locate(scene.observations)
      if turns.allSatisfy({ $0 > 0 }) || turns.allSatisfy({ $0 < 0 }) {
        inside += 1
        #expect(isClose(try #require(outcome.position), scene.truth, within: 1e-6))
      } else if outcome.refusal != .collinearAnchors {
        outside += 1
        #expect(outcome.refusal == .outsideDomain)
      }
    }
    #expect(inside > 50 && outside > 500)
  }

  @Test(arguments: [3, 5, 12])
  func `is the least of the greatest relative distances, as scipy finds it`(anchors: Int) throws {
    var generator = SeededGenerator(seed: 42)
    var rows: [[Double]] = []
    var places: [Point] = []
    while places.count < 30 {
      let scene = Scene.random(anchors: anchors, noise: 4, using: &generator).observations
      guard let p = WeightedOneCentre(anchors: .max).locate(scene).position else { continue }
      places.append(p)
      rows.append(scene.flatMap { [$0.anchor.x, $0.anchor.y, $0.range] })
    }
    let answers = try reference(
      """
      from scipy.optimize import minimize
      for row in rows:
          a = row.reshape(-1, 3)
          d = lambda p: np.hypot(*(a[:, :2] - p).T) / a[:, 2]
          start = a[:, :2].mean(axis=0)
          # The epigraph form: least s with every relative distance at most s.
          r = minimize(lambda v: v[2], [*start, d(start).max() * 1.01], method='SLSQP',
            constraints={'type': 'ineq', 'fun': lambda v: v[2] - d(v[:2])},
            options={'ftol': 1e-14, 'maxiter': 1000})
          answer(d(r.x[:2]).max())
      """, rows)
    try #require(answers.count == places.count)
    for (index, place) in places.enumerated() {
      let row = rows[index]
      let scale = stride(from: 0, to: row.count, by: 3).map {
        place.distance(to: Point(x: row[$0], y: row[$0 + 1])) / row[$0 + 2]
      }.max()!
      #expect(scale <= answers[index][0] * (1 + 1e-9), "\(row)")
    }
  }

  @Test func `does not change when all ranges are short by one factor`() throws {
    var generator = SeededGenerator(seed: 43)
    var answered = 0
    for _ in 0..<300 {
      var scene = Scene.random(anchors: 4, noise: 2, using: &generator).observations
      for index in scene.indices { scene[index].exponent = 2 }
      guard let p = WeightedOneCentre(anchors: 4).locate(scene).position else { continue }
      // Shorter ranges: longer ones would put some targets outside.
      for index in scene.indices { scene[index].measuredPower -= 7 }
      let q = try #require(WeightedOneCentre(anchors: 4).locate(scene).position)
      answered += 1
      #expect(isClose(p, q, within: 1e-9))
    }
    #expect(answered > 30)
  }

  @Test func `is on the line between two anchors, with an error given all levels`() throws {
    let scene = [(0.0, 4.0), (10, 4), (5, 8)].map { x, range in
      Observation(
        anchor: Point(x: x, y: x == 5 ? 6 : 0), rssi: -59 - 20 * log10(range), measuredPower: -59,
        exponent: 2, sigma: 4)
    }
    let answer = try WeightedOneCentre().estimate(scene)
    #expect(isClose(answer.position, Point(x: 5, y: 0), within: 1e-12))
    #expect(answer.uncertainty.covariance != nil)
  }

  @Test func `refuses what it cannot answer`() {
    func at(_ x: Double, _ y: Double, _ range: Double, height: Double = 0) -> Observation {
      Observation(
        anchor: Point(x: x, y: y), heightDifference: height, rssi: -59 - 20 * log10(range),
        measuredPower: -59, exponent: 2, sigma: 4)
    }
    // Two discs that overlap inside a third: the target is beyond the edge between the two.
    #expect(
      WeightedOneCentre().locate([at(0, 0, 6), at(10, 0, 6), at(5, 5, 20)]).refusal
        == .outsideDomain)
    // Right below an anchor.
    #expect(
      WeightedOneCentre().locate([at(0, 0, 2, height: 3), at(10, 0, 5), at(5, 5, 9)]).refusal
        == .outsideDomain)
    #expect(
      WeightedOneCentre().locate(
        [at(0, 0, 5), at(5, 5, 9), at(9, 0, 3)], in: SpaceScene.surroundings
      )
      .refusal == .wrongDimensions)
  }
}
