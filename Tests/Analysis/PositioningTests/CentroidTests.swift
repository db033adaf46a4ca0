import Geometry
import Positioning
import TestSupport
import Testing

struct CentroidTests {
  @Test func `is the mean of the anchors, whatever their levels`() throws {
    var generator = SeededGenerator(seed: 32)
    for count in 1...6 {
      let scene = Scene.random(anchors: count, noise: 10, using: &generator)
      let p = try Centroid().estimate(scene.observations).position
      let x = scene.observations.map(\.anchor.x).reduce(0, +) / Double(count)
      let y = scene.observations.map(\.anchor.y).reduce(0, +) / Double(count)
      #expect(isClose(p, Point(x: x, y: y), within: 1e-12))
      // Nearness to the power of 0 gives equal weights.
      let unweighted = try WeightedCentroid(degree: 0).estimate(scene.observations).position
      #expect(isClose(p, unweighted, within: 1e-12))
    }
  }

  @Test func `has a height in space`() throws {
    var generator = SeededGenerator(seed: 33)
    let scene = SpaceScene.random(anchors: 5, using: &generator)
    let p = try Centroid().estimate(scene.observations, in: SpaceScene.surroundings)
    let z = scene.observations.map(\.heightDifference).reduce(0, +) / 5
    #expect(isClose(try #require(p.height), z, absolute: 1e-12))
  }
}
