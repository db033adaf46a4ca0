import Geometry
import TestSupport
import Testing

@testable import Positioning

struct CubicBoundTests {
  @Test
  func `no place of a rectangle has a lower cost than its bound, in either precision`() throws {
    var generator = SeededGenerator(seed: 40)
    var close = 0
    for trial in 0..<100 {
      let scene = Scene.random(
        anchors: 5, noise: 4, height: trial % 2 == 0 ? 0 : 1, using: &generator)
      let tree = PlaneTree(
        anchors: scene.observations.map { PlaneTree.Place($0.anchor, height: $0.heightDifference) },
        halfWidth: 40, halfDepth: 40)
      let cost = LevelCost(scene.observations, leastSquaredDistance: tree.leastSquared)
      let half =
        8 * Double.random(in: 0...1, using: &generator)
        * Double.random(in: 0...1, using: &generator)
      let block = PlaneBlock(
        dividing: Double.random(in: 0..<20, using: &generator),
        Double.random(in: 0..<20, using: &generator),
        halfWidth: half, halfDepth: half * Double.random(in: 0.5...3, using: &generator))
      var (fine, coarse) = (PlaneTree.Fine(), PlaneTree.Coarse())
      for (anchor, o) in scene.observations.enumerated() {
        let part = tree.part(of: tree.anchors[anchor], over: block)
        let weight = 0.25 / (o.relativeRangeDeviation * o.relativeRangeDeviation)
        fine.add(.init(anchor: anchor, logSquaredRange: o.logSquaredRange, weight: weight), part)
        coarse.add(
          .init(anchor: anchor, logSquaredRange: o.logSquaredRange, weight: weight), .init(part))
      }
      let exact = fine.least(block.halfWidth, block.halfDepth)
      let rounded = coarse.least(Float(block.halfWidth), Float(block.halfDepth))
      for lane in 0..<4 {
        var least = Double.infinity
        for x in stride(from: -1.0, through: 1, by: 0.125) {
          for y in stride(from: -1.0, through: 1, by: 0.125) {
            let p = Point(
              x: block.x[lane] + x * block.halfWidth, y: block.y[lane] + y * block.halfDepth)
            least = min(least, cost.value(at: p))
          }
        }
        #expect(exact[lane] <= least)
        #expect(Double(rounded[lane]) <= least)
        if Double(rounded[lane]) > 0.9 * least { close += 1 }
      }
    }
    // A bound that is far too low would prove nothing.
    #expect(close > 100)
  }
}
