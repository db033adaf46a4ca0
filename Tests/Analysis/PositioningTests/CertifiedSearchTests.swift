import Foundation
import Geometry
import TestSupport
import Testing

@testable import Positioning

struct CertifiedSearchTests {
  @Test func `the search for any loss and that of a batch agree on the squared loss`() throws {
    var generator = SeededGenerator(seed: 34)
    for _ in 0..<30 {
      let scene = Scene.random(anchors: 5, noise: 4, height: 1, using: &generator)
      let likelihood = MaximumLikelihood()
      let general = try likelihood.general(scene.observations, LikelihoodSite(Surroundings()))
      let shared = try #require(likelihood.locate(scene.observations).position)
      #expect(isClose(general.position, shared, within: 1e-4))
    }
  }

  @Test func `a batch answers as each scan alone, whichever anchors are heard`() {
    var generator = SeededGenerator(seed: 35)
    let scene = Scene.random(anchors: 6, height: 1, using: &generator)
    var surroundings = Surroundings()
    surroundings.anchors = scene.observations.map {
      Anchor(
        place: $0.anchor, heightDifference: $0.heightDifference, measuredPower: $0.measuredPower,
        exponent: $0.exponent, sigma: $0.sigma)
    }
    let scans = (0..<40).map { k in
      var heard = scene.observations.enumerated().map { number, observation in
        var heard = observation
        heard.number = number
        heard.rssi += 4 * Scene.normal(using: &generator)
        return heard
      }
      heard.remove(at: k % 6)
      return Scan(instant: Int64(k), start: Int64(k) - 1, observations: heard)
    }
    let together = MaximumLikelihood().locate(scans, in: surroundings)
    for (scan, answer) in zip(scans, together) {
      let alone = MaximumLikelihood().locate([scan], in: surroundings)[0]
      #expect(alone == answer)
      #expect(answer.position != nil)
    }
  }

  @Test(arguments: [
    "loss=huber", "loss=cauchy", "loss=tukey", "offset=estimate", "loss=cauchy,offset=estimate",
  ])
  func `no place of a grid explains the levels better under a robust loss`(settings: String) throws
  {
    let likelihood = try #require(
      try Algorithms.named("maximum-likelihood:" + settings) as? MaximumLikelihood)
    #expect(likelihood.name == "maximum-likelihood:" + settings)
    var generator = SeededGenerator(seed: 36)
    var scene = Scene.random(anchors: 6, noise: 3, height: 1, using: &generator)
    scene.observations[0].rssi -= 25
    func cost(_ p: Point) -> Double {
      let offsets =
        likelihood.offset == .none ? [0] : Array(stride(from: -40.0, through: 40, by: 0.25))
      return offsets.map { b in
        scene.observations.reduce(0) { sum, o in
          let expected =
            o.measuredPower + b - 10 * o.exponent * log10(hypot(o.anchor.distance(to: p), 1))
          return sum + likelihood.loss.value((o.rssi - expected) / o.sigma)
        }
      }.min()!
    }
    let p = try #require(likelihood.locate(scene.observations).position)
    // The offsets of the grid are up to 1/8 dB off the best.
    let best = cost(p) - (likelihood.offset == .none ? 1e-7 : 0.02)
    for x in stride(from: -9.0, through: 29, by: 2) {
      for y in stride(from: -9.0, through: 29, by: 2) { #expect(cost(Point(x: x, y: y)) >= best) }
    }
  }

  @Test func `finds the place, the height and the offset from exact levels`() throws {
    var generator = SeededGenerator(seed: 37)
    var surroundings = Surroundings()
    surroundings.dimensions = .space
    let anchors = [
      (0.0, 0.0, 2.5), (10, 0, 0.5), (0, 10, 3), (10, 10, 1), (5, 2, 2.8), (3, 8, 0.3),
    ]
    for isOffset in [false, true] {
      var likelihood = MaximumLikelihood()
      likelihood.offset = isOffset ? .estimate : .none
      for _ in 0..<3 {
        let truth = SpacePoint(
          x: Double.random(in: 1..<9, using: &generator),
          y: Double.random(in: 1..<9, using: &generator),
          z: Double.random(in: 0..<2, using: &generator))
        let o = anchors.map { a in
          let distance = hypot(hypot(a.0 - truth.x, a.1 - truth.y), a.2 - truth.z)
          return Observation(
            anchor: Point(x: a.0, y: a.1), heightDifference: a.2,
            rssi: -59 - 20 * log10(distance) + (isOffset ? 7 : 0), measuredPower: -59, exponent: 2,
            sigma: 4)
        }
        let outcome = likelihood.locate(o, in: surroundings)
        guard case .located(let estimate) = outcome else {
          Issue.record("\(outcome)")
          continue
        }
        #expect(isClose(estimate.position, truth.planar, within: 1e-3))
        #expect(isClose(try #require(estimate.height), truth.z, absolute: 1e-3))
        #expect(estimate.uncertainty.covariance?.vertical != nil)
      }
    }
  }

  @Test func `anchors on a ceiling leave a mirrored place, with a note`() throws {
    var surroundings = Surroundings()
    surroundings.dimensions = .space
    let truth = SpacePoint(x: 4, y: 3, z: 1)
    let o = [(0.0, 0.0), (10, 0), (0, 10), (10, 10)].map { a in
      Observation(
        anchor: Point(x: a.0, y: a.1), heightDifference: 3,
        rssi: -59 - 20 * log10(hypot(hypot(a.0 - truth.x, a.1 - truth.y), 2)), measuredPower: -59,
        exponent: 2,
        sigma: 4)
    }
    guard case .located(let estimate) = MaximumLikelihood().locate(o, in: surroundings) else {
      Issue.record("no answer")
      return
    }
    #expect(isClose(try #require(estimate.height), 1, absolute: 1e-3))
    #expect(isClose(try #require(estimate.alternative).z, 5, absolute: 1e-3))
    let line = o.prefix(2) + o.prefix(2)
    #expect(MaximumLikelihood().locate(Array(line), in: surroundings).refusal == .coincidentAnchors)
    #expect(
      MaximumLikelihood().locate(Array(o.prefix(3)), in: surroundings).refusal == .tooFewAnchors)
  }
}
