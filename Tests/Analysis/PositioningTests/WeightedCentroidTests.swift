import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

struct WeightedCentroidTests {
  @Test(arguments: [0.5, 1, 2, 3])
  func `is Σ r^-g a / Σ r^-g`(degree: Double) throws {
    var generator = SeededGenerator(seed: 10)
    for _ in 0..<200 {
      let scene = Scene.random(anchors: 5, noise: 4, using: &generator)
      let w = scene.observations.map { pow($0.slantRange, -degree) }
      let x = zip(w, scene.observations).map { $0 * $1.anchor.x }.reduce(0, +) / w.reduce(0, +)
      let y = zip(w, scene.observations).map { $0 * $1.anchor.y }.reduce(0, +) / w.reduce(0, +)
      let p = try #require(WeightedCentroid(degree: degree).locate(scene.observations).position)
      #expect(isClose(p, Point(x: x, y: y), within: 1e-9))
    }
  }

  @Test func `weighs by nearness in space: a high anchor overhead does not take all`() throws {
    // All three at the same level, so at the same slant range: their plain centroid.
    let o = [0.0, 4, 8].map {
      Observation(
        anchor: Point(x: $0, y: 1), heightDifference: $0 == 8 ? 3 : 0, rssi: -65,
        measuredPower: -59, exponent: 2, sigma: 4)
    }
    let p = try #require(WeightedCentroid().locate(o).position)
    #expect(isClose(p, Point(x: 4, y: 1), within: 1e-12))
  }

  @Test func `answers with one anchor and refuses none`() {
    let one = Observation(
      anchor: Point(x: 3, y: 4), rssi: -70, measuredPower: -59, exponent: 2, sigma: 4)
    #expect(WeightedCentroid().locate([one]).position == Point(x: 3, y: 4))
    #expect(WeightedCentroid().locate([]).refusal == .tooFewAnchors)
  }
}
