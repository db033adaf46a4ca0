import Geometry
import Positioning
import TestSupport
import Testing

struct SphereIntersectionTests {
  @Test(.needs(data: "reference-algorithms"), arguments: ReferenceGeometry.general)
  func `agrees with the repaired published function`(file: String) throws {
    for geometry in try ReferenceGeometry.read(file) {
      let expected = try #require(geometry.answers["sphere_both_fixed"])
      let c = geometry.circles
      let answer = try SphereIntersection.intersection(c[0], c[1], c[2])
      let scale = max(1, expected.distance(to: Point(x: 0, y: 0)))
      #expect(isClose(answer, expected, within: 1e-9 * scale), "\(geometry.name)")
    }
  }

  @Test func `is the radical centre by another route`() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<1000 {
      let scene = Scene.random(anchors: 5, noise: 4, using: &generator)
      let mine = SphereIntersection().locate(scene.observations)
      let other = PowerCenter().locate(scene.observations)
      #expect(mine.refusal == other.refusal)
      guard let p = mine.position, let q = other.position else { continue }
      #expect(isClose(p, q, within: 1e-7 * max(1, p.distance(to: Point(x: 0, y: 0)))))
    }
  }
}
