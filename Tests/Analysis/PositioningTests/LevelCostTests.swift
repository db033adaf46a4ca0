import Foundation
import Geometry
import TestSupport
import Testing

@testable import Positioning

struct LevelCostTests {
  @Test func `is the sum of squared standard scores`() {
    var generator = SeededGenerator(seed: 13)
    for _ in 0..<100 {
      let scene = Scene.random(anchors: 5, noise: 4, height: 1.5, using: &generator)
      let expected = misfit(of: scene.observations, at: scene.truth)
      #expect(
        isClose(
          LevelCost(scene.observations).expansion(at: scene.truth).cost, expected, relative: 1e-9))
    }
  }

  @Test func `its derivatives are those of finite differences`() {
    var generator = SeededGenerator(seed: 14)
    for _ in 0..<100 {
      let scene = Scene.random(anchors: 5, noise: 4, height: 1, using: &generator)
      let cost = LevelCost(scene.observations)
      let p = scene.truth
      let h = 1e-5
      let e = cost.expansion(at: p)
      let (east, west) = (
        cost.expansion(at: Point(x: p.x + h, y: p.y)), cost.expansion(at: Point(x: p.x - h, y: p.y))
      )
      let (north, south) = (
        cost.expansion(at: Point(x: p.x, y: p.y + h)), cost.expansion(at: Point(x: p.x, y: p.y - h))
      )
      // The gradient and the Hessian are stored halved.
      let slope = 1e-4 * max(1, e.xx + e.yy)
      #expect(isClose(e.gx, (east.cost - west.cost) / (4 * h), absolute: slope))
      #expect(isClose(e.gy, (north.cost - south.cost) / (4 * h), absolute: slope))
      #expect(isClose(e.xx + e.bentXX, (east.gx - west.gx) / (2 * h), absolute: slope))
      #expect(isClose(e.xy + e.bentXY, (east.gy - west.gy) / (2 * h), absolute: slope))
      #expect(isClose(e.yy + e.bentYY, (north.gy - south.gy) / (2 * h), absolute: slope))
    }
  }
}
