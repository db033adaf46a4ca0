import Geometry
import TestSupport
import Testing

@testable import Positioning

struct AnchorLayoutTests {
  @Test func `breadth is 1 for a square and an equilateral triangle, 0 on a line`() {
    let square = [(0, 0), (1, 0), (0, 1), (1, 1)].map { Point(x: $0.0, y: $0.1) }
    let triangle = [(0, 0), (2, 0), (1, 3.0.squareRoot())].map { Point(x: $0.0, y: $0.1) }
    let line = [(0, 0), (1, 2), (3, 6)].map { Point(x: $0.0, y: $0.1) }
    #expect(isClose(AnchorLayout(square).breadth, 1))
    #expect(isClose(AnchorLayout(triangle).breadth, 1))
    #expect(AnchorLayout(line).breadth < 1e-7)
    #expect(AnchorLayout([Point(x: 1, y: 1)]).breadth == 0)
  }

  @Test(arguments: [1e-4, 1, 1e4])
  func `breadth does not depend on scale, place or direction`(scale: Double) {
    var generator = SeededGenerator(seed: 12)
    for _ in 0..<200 {
      let points = (0..<4).map { _ in
        Point(
          x: Double.random(in: 0..<1, using: &generator),
          y: Double.random(in: 0..<1, using: &generator))
      }
      let moved = points.map { Point(x: 70 * scale - scale * $0.y, y: scale * $0.x - 40 * scale) }
      #expect(isClose(AnchorLayout(points).breadth, AnchorLayout(moved).breadth, relative: 1e-6))
    }
  }

  @Test func `the determinant of a triangle is its squared doubled area over three`() {
    let triangle = [(1, 1), (5, 2), (2, 7)].map { Point(x: $0.0, y: $0.1) }
    let doubledArea = 4.0 * 6 - 1 * 1
    #expect(isClose(AnchorLayout(triangle).determinant, doubledArea * doubledArea / 3))
  }
}
