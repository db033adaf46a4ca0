import Geometry
import Positioning
import TestSupport
import Testing

struct NearestAnchorTests {
  /// An anchor heard at a slant range in metres: exponent 2, -59 dBm at 1 m.
  private func heard(_ x: Double, _ y: Double, height: Double = 0, level: Double) -> Observation {
    Observation(
      anchor: Point(x: x, y: y), heightDifference: height, rssi: level, measuredPower: -59,
      exponent: 2, sigma: 4)
  }

  @Test func `is the anchor with the strongest level where all are alike`() throws {
    let answer = try NearestAnchor().estimate([
      heard(0, 0, level: -70), heard(7, 1, level: -60), heard(3, 3, level: -80),
    ])
    #expect(answer.position == Point(x: 7, y: 1))
    #expect(answer.height == nil)
    #expect(answer.uncertainty == .unavailable(.noErrorModel))
  }

  @Test func `is the middle of anchors with the same level`() throws {
    let answer = try NearestAnchor().estimate([
      heard(0, 0, level: -60), heard(4, 2, level: -60), heard(3, 3, level: -80),
    ])
    #expect(answer.position == Point(x: 2, y: 1))
  }

  @Test func `goes by the distance in the plane, and in space by the slant range`() throws {
    // 7.9 m away and 7.5 m up: right below. 4 m away on the level.
    let scene = [heard(0, 0, height: 7.5, level: -77), heard(9, 0, level: -71)]
    #expect(try NearestAnchor().estimate(scene).position == Point(x: 0, y: 0))
    let inSpace = try NearestAnchor().estimate(scene, in: SpaceScene.surroundings)
    #expect(inSpace.spacePosition == SpacePoint(x: 9, y: 0, z: 0))
  }
}
