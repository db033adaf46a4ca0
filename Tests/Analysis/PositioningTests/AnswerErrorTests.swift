import Foundation
import Geometry
import NumericalMethods
import Positioning
import TestSupport
import Testing

/// The covariance of closed forms and least squares: the error of an answer given the levels.
struct AnswerErrorTests {
  /// A hall of 20 m by 12 m with some anchors, and the surroundings that say so.
  private static func hall(_ anchors: Int) -> (places: [Point], surroundings: Surroundings) {
    let places = [(1, 1), (10, 0.5), (19, 1), (19.5, 6), (19, 11), (10, 11.5), (1, 11), (0.5, 6)]
    var surroundings = Surroundings()
    surroundings.bounds = Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 20, y: 12))
    return (places.prefix(anchors).map { Point(x: $0.0, y: $0.1) }, surroundings)
  }

  private static func levels(
    at truth: Point, of places: [Point], sigma: Double, offset: Double = 0,
    using generator: inout SeededGenerator
  ) -> [Observation] {
    places.map { anchor in
      let distance = hypot(anchor.distance(to: truth), 1.3)
      let noise = sigma * Scene.normal(using: &generator)
      return Observation(
        anchor: anchor, heightDifference: 1.3, rssi: -59 - 22 * log10(distance) + offset + noise,
        measuredPower: -59, exponent: 2.2, sigma: sigma)
    }
  }

  private static func somewhere(using generator: inout SeededGenerator) -> Point {
    Point(
      x: Double.random(in: 0..<20, using: &generator),
      y: Double.random(in: 0..<12, using: &generator))
  }

  @Test(arguments: [0.05, 1, 4])
  func `is the mean over a dense grid of places, weighted by their likelihood`(
    sigma: Double
  ) throws {
    var generator = SeededGenerator(seed: 90)
    let (places, surroundings) = Self.hall(5)
    for _ in 0..<4 {
      let truth = Self.somewhere(using: &generator)
      let o = Self.levels(at: truth, of: places, sigma: sigma, using: &generator)
      for algorithm: any PositioningAlgorithm in [PowerCenter(), LinearLeastSquares()] {
        let outcome = algorithm.locate(o, in: surroundings)
        let (p, mine) = (try #require(outcome.position), try #require(outcome.covariance))
        let least = misfit(of: o, at: truth)
        var (total, xx, xy, yy) = (0.0, 0.0, 0.0, 0.0)
        // Precise levels leave places near the truth only.
        let step = sigma < 0.1 ? 0.002 : 0.04
        let reach = sigma < 0.1 ? 0.4 : 20
        for x in stride(from: max(0, truth.x - reach), to: min(20, truth.x + reach), by: step) {
          for y in stride(from: max(0, truth.y - reach), to: min(12, truth.y + reach), by: step) {
            let q = Point(x: x + step / 2, y: y + step / 2)
            let weight = exp(-0.5 * (misfit(of: o, at: q) - least))
            let (dx, dy) = (q.x - p.x, q.y - p.y)
            total += weight
            xx += weight * dx * dx
            xy += weight * dx * dy
            yy += weight * dy * dy
          }
        }
        let scale = (xx + yy) / total
        #expect(isClose(mine.xx, xx / total, absolute: 0.03 * scale))
        #expect(isClose(mine.xy, xy / total, absolute: 0.03 * scale))
        #expect(isClose(mine.yy, yy / total, absolute: 0.03 * scale))
      }
    }
  }

  /// At 4 dB ranges are off by 40 %, so that the first order fails.
  ///
  /// If C is E(e eᵀ) given the levels, E(eᵀ C⁻¹ e) is the number of coordinates, 2, whatever the
  /// distribution of e.
  @Test(arguments: [
    "power-center", "sphere-intersection", "linear-least-squares", "range-least-squares",
    "epta-one-centre", "maximum-likelihood",
    "inverse-covariance:of=maximum-likelihood+range-least-squares",
  ])
  func `its ellipses hold the target as often as they claim`(name: String) throws {
    let algorithm = try Algorithms.named(name)
    for anchors in [8, 4] {
      var generator = SeededGenerator(seed: 91)
      let (places, surroundings) = Self.hall(anchors)
      var (held, claimed, answered, scores) = (0, 0, 0, 0.0)
      for _ in 0..<300 {
        let truth = Self.somewhere(using: &generator)
        let o = Self.levels(at: truth, of: places, sigma: 4, using: &generator)
        let outcome = algorithm.locate(o, in: surroundings)
        guard let p = outcome.position else { continue }
        answered += 1
        guard let c = outcome.covariance else { continue }
        claimed += 1
        let (dx, dy) = (truth.x - p.x, truth.y - p.y)
        let score =
          (c.yy * dx * dx - 2 * c.xy * dx * dy + c.xx * dy * dy) / (c.xx * c.yy - c.xy * c.xy)
        scores += score
        if score <= 5.991 { held += 1 }
      }
      #expect(Double(claimed) >= 0.8 * Double(answered), "\(anchors) anchors")
      let (share, mean) = (Double(held) / Double(claimed), scores / Double(claimed))
      #expect(share > 0.9, "\(anchors) anchors: \(share)")
      #expect(mean > 1.5 && mean < 2.5, "\(anchors) anchors: \(mean)")
    }
  }

  @Test func `contains the distance to the likely places, so a wrong calibration shows`() {
    var generator = SeededGenerator(seed: 92)
    let (places, surroundings) = Self.hall(8)
    var held = 0
    for _ in 0..<300 {
      let truth = Self.somewhere(using: &generator)
      let o = Self.levels(at: truth, of: places, sigma: 4, offset: 5, using: &generator)
      let outcome = PowerCenter().locate(o, in: surroundings)
      guard let p = outcome.position, let c = outcome.covariance else { continue }
      let (dx, dy) = (truth.x - p.x, truth.y - p.y)
      let score = (c.yy * dx * dx - 2 * c.xy * dx * dy + c.xx * dy * dy)
      if score <= 5.991 * (c.xx * c.yy - c.xy * c.xy) { held += 1 }
    }
    #expect(held > 270)
  }

  @Test func `an answer on the edge of known bounds has an error, which looks inwards`() throws {
    let (places, surroundings) = Self.hall(4)
    var generator = SeededGenerator(seed: 93)
    var edges = 0
    for _ in 0..<200 {
      let truth = Self.somewhere(using: &generator)
      let o = Self.levels(at: truth, of: places, sigma: 5, using: &generator)
      let outcome = MaximumLikelihood().locate(o, in: surroundings)
      let p = try #require(outcome.position)
      guard p.x == 0 || p.x == 20 || p.y == 0 || p.y == 12 else { continue }
      edges += 1
      #expect(outcome.covariance != nil)
    }
    #expect(edges > 10)
  }

  @Test func `bounds without an area give an answer without an error`() throws {
    var (places, surroundings) = Self.hall(4)
    surroundings.bounds = Bounds(minimum: Point(x: 0, y: 3), maximum: Point(x: 20, y: 3))
    places[0].y = 4
    var generator = SeededGenerator(seed: 94)
    let o = Self.levels(at: Point(x: 5, y: 3), of: places, sigma: 2, using: &generator)
    let answer = try #require(PowerCenter().locate(o, in: surroundings).estimate)
    #expect(answer.uncertainty == .unavailable(.outsideDomain))
  }
}
