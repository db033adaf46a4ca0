import Foundation
import Geometry
import Positioning
import Support
import TestSupport
import Testing

struct InverseCovarianceTests {
  @Test
  func `is the covariance intersection with the least determinant, as scipy finds it`() throws {
    var generator = SeededGenerator(seed: 62)
    var rows: [[Double]] = []
    var answers: [Estimate] = []
    for _ in 0..<30 {
      let members = (0..<3).map { index in
        let (a, b, c) = (
          Double.random(in: 0.3..<3, using: &generator),
          Double.random(in: -2..<2, using: &generator),
          Double.random(in: 0.3..<3, using: &generator)
        )
        return FixedAnswer(
          "\(index)", at: Double.random(in: 0..<9, using: &generator),
          Double.random(in: 0..<9, using: &generator),
          Covariance(xx: a * a, xy: a * b, yy: b * b + c * c))
      }
      answers.append(try #require(InverseCovariance(members).answer().estimate))
      rows.append(
        members.flatMap { member -> [Double] in
          let (p, c) = (member.outcome.position!, member.outcome.covariance!)
          return [p.x, p.y, c.xx, c.xy, c.yy]
        })
    }
    let expected = try reference(
      """
      from scipy.optimize import minimize
      for row in rows:
          m = row.reshape(3, 5)
          I = [np.linalg.inv([[c[2], c[3]], [c[3], c[4]]]) for c in m]
          joined = lambda w: sum(x * i for x, i in zip(w, I))
          starts = [np.ones(3) / 3, *(0.9 * np.eye(3) + 0.1 / 3)]
          best = min((minimize(lambda w: -np.log(np.linalg.det(joined(w))), s, method='SLSQP',
            bounds=[(0, 1)] * 3, constraints={'type': 'eq', 'fun': lambda w: w.sum() - 1},
            options={'ftol': 1e-15, 'maxiter': 500}) for s in starts), key=lambda r: r.fun)
          C = np.linalg.inv(joined(best.x))
          p = C @ sum(x * i @ c[:2] for x, i, c in zip(best.x, I, m))
          answer(np.linalg.det(C), *p)
      """, rows)
    for (answer, row) in zip(answers, expected) {
      let c = try #require(answer.uncertainty.covariance)
      #expect(isClose(c.xx * c.yy - c.xy * c.xy, row[0], relative: 1e-5))
      #expect(isClose(answer.position, Point(x: row[1], y: row[2]), within: 0.02))
    }
  }

  @Test func `does not grow surer by asking the same twice`() throws {
    let covariance = Covariance(xx: 4, xy: 1, yy: 2)
    let members = ["a", "b", "c"].map { FixedAnswer($0, at: 3, 5, covariance) }
    let answer = try #require(InverseCovariance(members).answer().estimate)
    #expect(isClose(answer.position, Point(x: 3, y: 5), within: 1e-12))
    let joined = try #require(answer.uncertainty.covariance)
    #expect(isClose(joined, covariance, relative: 1e-12))
  }

  @Test func `takes from each member the direction that it knows`() throws {
    // One knows x to 0.1 m, the other y.
    let members = [
      FixedAnswer("x", at: 1, 50, Covariance(xx: 0.01, xy: 0, yy: 100)),
      FixedAnswer("y", at: 50, 2, Covariance(xx: 100, xy: 0, yy: 0.01)),
    ]
    let answer = try #require(InverseCovariance(members).answer().estimate)
    #expect(isClose(answer.position, Point(x: 1, y: 2), within: 0.02))
  }

  @Test func `leaves out members without a position or covariance, with the reason`() throws {
    let members = [
      FixedAnswer("sure", at: 1, 2, Covariance(xx: 1, xy: 0, yy: 1)),
      FixedAnswer("silent", .refused(.tooFewAnchors)), FixedAnswer("vague", at: 9, 9),
    ]
    let answer = try #require(InverseCovariance(members).answer().estimate)
    #expect(isClose(answer.position, Point(x: 1, y: 2), within: 1e-12))
    #expect(
      answer.leftOut == [
        "silent": .refused(.tooFewAnchors), "vague": .withoutCovariance(.noErrorModel),
      ])
    let vague = InverseCovariance([FixedAnswer("vague", at: 9, 9)])
    #expect(vague.answer().refusal == .noMemberAnswered)
  }

  @Test func `is named by its members, and answers in space`() throws {
    let algorithm = try Algorithms.named(
      "inverse-covariance:of=linear-least-squares+sphere-intersection")
    var generator = SeededGenerator(seed: 63)
    let scene = SpaceScene.random(anchors: 6, using: &generator)
    let outcome = algorithm.locate(scene.observations, in: SpaceScene.surroundings)
    let place = try #require(outcome.estimate?.spacePosition)
    #expect(distance(place, scene.truth) < 1e-4)
    #expect(outcome.covariance?.vertical != nil)
    for bad in ["", ":of=", ":of=nobody", ":of=epta+epta", ":epta=1"] {
      #expect(throws: RSSIError.self) { try Algorithms.named("inverse-covariance" + bad) }
    }
  }
}
