import Geometry
import TestSupport
import Testing

struct ConvexHullTests {
  @Test func `has the corners and not what is between or within them`() {
    let square = [(0.0, 0.0), (4, 0), (4, 4), (0, 4), (2, 0), (2, 2), (4, 4)].map {
      Point(x: $0.0, y: $0.1)
    }
    #expect(
      ConvexHull(square).corners == [
        Point(x: 0, y: 0), Point(x: 4, y: 0), Point(x: 4, y: 4), Point(x: 0, y: 4),
      ])
  }

  @Test func `has inside what weights of the corners make, and no value beyond an edge`() {
    var generator = SeededGenerator(seed: 80)
    for _ in 0..<200 {
      let places = (0..<6).map { _ in
        Point(
          x: Double.random(in: 0..<10, using: &generator),
          y: Double.random(in: 0..<10, using: &generator))
      }
      let hull = ConvexHull(places)
      let weights = places.map { _ in Double.random(in: 0.1..<1, using: &generator) }
      let total = weights.reduce(0, +)
      let mixed = Point(
        x: zip(weights, places).map { $0 * $1.x }.reduce(0, +) / total,
        y: zip(weights, places).map { $0 * $1.y }.reduce(0, +) / total)
      #expect(hull.hasInside(mixed))
      let (a, b) = (hull.corners[0], hull.corners[1])
      let middle = Point(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
      #expect(!hull.hasInside(middle))
      // Corners go counterclockwise: to the right of an edge is outside.
      #expect(
        !hull.hasInside(Point(x: middle.x + 1e-6 * (b.y - a.y), y: middle.y - 1e-6 * (b.x - a.x))))
      #expect(!hull.hasInside(Point(x: -1, y: 5)))
    }
  }

  @Test func `has no inside on a line`() {
    let hull = ConvexHull((0..<4).map { Point(x: Double($0), y: 2 * Double($0)) })
    #expect(hull.corners.count == 2)
    #expect(!hull.hasInside(Point(x: 1, y: 2)))
    #expect(!ConvexHull([]).hasInside(Point(x: 0, y: 0)))
  }
}
