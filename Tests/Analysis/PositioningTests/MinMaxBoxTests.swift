import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

struct MinMaxBoxTests {
  private func at(_ x: Double, _ y: Double, height: Double = 0, range: Double) -> Observation {
    Observation(
      anchor: Point(x: x, y: y), heightDifference: height, rssi: -59 - 20 * log10(range),
      measuredPower: -59, exponent: 2, sigma: 4)
  }

  @Test func `is the centre of the boxes' intersection`() throws {
    // Along x the boxes share 4 to 5, along y -2 to 3.
    let p = try MinMaxBox().estimate([at(0, 0, range: 5), at(10, 1, range: 6), at(4, 0, range: 3)])
    #expect(isClose(p.position, Point(x: 4.5, y: 0), within: 1e-12))
  }

  @Test func `is midway between the edges where the boxes do not meet`() throws {
    // Along x a gap from 2 to 7, along y the smaller box.
    let p = try MinMaxBox().estimate([at(0, 0, range: 2), at(10, 1, range: 3)])
    #expect(isClose(p.position, Point(x: 4.5, y: 0), within: 1e-12))
  }

  @Test func `takes slant ranges in space and the ranges below them in the plane`() throws {
    let scene = [at(0, 0, height: 3, range: 5), at(6, 0, height: 0, range: 4)]
    let plane = try MinMaxBox().estimate(scene)
    #expect(isClose(plane.position, Point(x: 3, y: 0), within: 1e-12))
    let space = try #require(
      try MinMaxBox().estimate(scene, in: SpaceScene.surroundings).spacePosition)
    // Along x 2 to 5, along z -2 to 4.
    #expect(distance(space, SpacePoint(x: 3.5, y: 0, z: 1)) < 1e-12)
  }

  @Test func `holds the target where the ranges are exact`() throws {
    var generator = SeededGenerator(seed: 31)
    for _ in 0..<200 {
      let scene = Scene.random(anchors: 4, using: &generator)
      let p = try MinMaxBox().estimate(scene.observations).position
      let reach = scene.observations.map(\.range).min()!
      #expect(abs(p.x - scene.truth.x) <= reach + 1e-9)
      #expect(abs(p.y - scene.truth.y) <= reach + 1e-9)
    }
  }
}
