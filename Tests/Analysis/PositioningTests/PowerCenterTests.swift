import Geometry
import Positioning
import Support
import TestSupport
import Testing

struct PowerCenterTests {
  @Test(.needs(data: "reference-algorithms"), arguments: ReferenceGeometry.general)
  func `agrees with the published closed form`(file: String) throws {
    for geometry in try ReferenceGeometry.read(file) {
      let expected = try #require(geometry.answers["power_center_shipped"])
      let c = geometry.circles
      let answer = try PowerCenter.radicalCentre(c[0], c[1], c[2])
      let scale = max(1, expected.distance(to: Point(x: 0, y: 0)))
      #expect(isClose(answer, expected, within: 1e-9 * scale), "\(geometry.name)")
    }
  }

  @Test func `has the same power to all three circles, whatever their order`() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<1000 {
      let scene = Scene.random(anchors: 3, noise: 3, using: &generator)
      let c = scene.observations.map { Circle($0) }
      let p = try PowerCenter.radicalCentre(c[0], c[1], c[2])
      let q = try PowerCenter.radicalCentre(c[2], c[0], c[1])
      let powers = c.map { circle in
        let d = p.distance(to: circle.centre)
        return d * d - circle.radius * circle.radius
      }
      let scale = c.map { p.distance(to: $0.centre) + $0.radius }.max()!
      #expect(isClose(powers[0], powers[1], absolute: 1e-9 * scale * scale))
      #expect(isClose(powers[1], powers[2], absolute: 1e-9 * scale * scale))
      #expect(isClose(p, q, within: 1e-7 * scale))
    }
  }

  @Test(arguments: [1e-6, 1e-3, 1, 1e3, 1e6])
  func `works at every scale`(metres: Double) throws {
    let p = try PowerCenter.radicalCentre(
      Circle(centre: Point(x: 0, y: 0), radius: metres * 5),
      Circle(centre: Point(x: metres * 10, y: 0), radius: metres * 65.0.squareRoot()),
      Circle(centre: Point(x: 0, y: metres * 10), radius: metres * 45.0.squareRoot()))
    #expect(isClose(p, Point(x: metres * 3, y: metres * 4), within: 1e-12 * metres))
    #expect(throws: Refusal.collinearAnchors) {
      try PowerCenter.radicalCentre(
        Circle(centre: Point(x: 0, y: 0), radius: metres),
        Circle(centre: Point(x: metres, y: metres), radius: metres),
        Circle(centre: Point(x: 2 * metres, y: 2 * metres), radius: metres))
    }
  }

  @Test func `takes the three nearest anchors and ignores the rest`() {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<200 {
      var scene = Scene.random(anchors: 3, using: &generator)
      let alone = PowerCenter().locate(scene.observations).position
      for _ in 0..<3 {
        var far = scene.observations[0]
        far.anchor = Point(x: Double.random(in: 0..<20, using: &generator), y: 40)
        far.rssi = far.measuredPower - 10 * far.exponent * 3
        scene.observations.insert(far, at: Int.random(in: 0...3, using: &generator))
      }
      #expect(PowerCenter().locate(scene.observations).position == alone)
    }
  }

  @Test func `takes known heights out of the range`() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let scene = Scene.random(anchors: 3, height: 2.5, using: &generator)
      guard let position = PowerCenter().locate(scene.observations).position else { continue }
      #expect(isClose(position, scene.truth, within: 1e-6))
    }
  }

  @Test func `is linear least squares of all anchors, or of the nearest`() throws {
    var generator = SeededGenerator(seed: 45)
    for _ in 0..<100 {
      let scene = Scene.random(anchors: 7, noise: 3, using: &generator).observations
      let all = try #require(PowerCenter(anchors: .max).locate(scene).position)
      let other = try #require(LinearLeastSquares().locate(scene).position)
      #expect(isClose(all, other, within: 1e-9))
      let five = scene.sorted { $0.range < $1.range }.prefix(5)
      let nearest = PowerCenter(anchors: 5).locate(scene)
      guard let p = LinearLeastSquares().locate(Array(five)).position else { continue }
      #expect(isClose(try #require(nearest.position), p, within: 1e-9))
    }
  }

  @Test func `the number of anchors is a whole number from 3, or all`() throws {
    func anchors(_ text: String) throws -> Int {
      try #require(try Algorithms.named(text) as? PowerCenter).anchors
    }
    #expect(try anchors("power-center") == 3)
    #expect(try anchors("power-center:anchors=5") == 5)
    #expect(try anchors("power-center:anchors=all") == .max)
    for bad in ["2", "3.5", "-1", "", "many"] {
      #expect(throws: RSSIError.self) { try Algorithms.named("power-center:anchors=\(bad)") }
    }
  }
}
