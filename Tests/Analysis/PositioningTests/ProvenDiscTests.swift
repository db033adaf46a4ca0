import Foundation
import Geometry
import TestSupport
import Testing

@testable import Positioning

struct ProvenDiscTests {
  @Test func `no place of the disc about a minimum has a lower cost`() {
    var generator = SeededGenerator(seed: 38)
    let box = SearchBox(minimum: Point(x: -20, y: -20), maximum: Point(x: 40, y: 40))
    var proven = 0
    for _ in 0..<100 {
      let scene = Scene.random(anchors: 5, noise: 3, height: 0.5, using: &generator)
      let cost = LevelCost(scene.observations)
      let end = Descent(cost: cost, box: box).run(
        from: scene.truth, tolerance: 1e-10, maximumSteps: 100)
      let radius = cost.provenRadius(about: end.place, box: box)
      if radius > 0.1 { proven += 1 }
      for _ in 0..<100 {
        let reach = radius * Double.random(in: 0...1, using: &generator)
        let turn = Double.random(in: 0..<2 * .pi, using: &generator)
        let p = Point(x: end.place.x + reach * cos(turn), y: end.place.y + reach * sin(turn))
        #expect(cost.value(at: p) >= end.cost - 1e-9)
      }
    }
    #expect(proven > 70)
  }
}
