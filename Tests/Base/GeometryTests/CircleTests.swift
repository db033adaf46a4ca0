import Geometry
import TestSupport
import Testing

struct CircleTests {
  @Test func `intersections lie on both circles`() {
    var generator = SeededGenerator(seed: 11)
    func number() -> Double { Double.random(in: 0.1..<10, using: &generator) }
    var met = 0
    for _ in 0..<2000 {
      let a = Circle(centre: Point(x: number(), y: number()), radius: number())
      let b = Circle(centre: Point(x: number(), y: number()), radius: number())
      let d = a.centre.distance(to: b.centre)
      let meets = d <= a.radius + b.radius && a.radius <= d + b.radius && b.radius <= d + a.radius
      let pair = a.intersections(with: b)
      #expect((pair != nil) == meets)
      guard let pair else { continue }
      met += 1
      for p in [pair.0, pair.1] {
        #expect(isClose(p.distance(to: a.centre), a.radius, absolute: 1e-6))
        #expect(isClose(p.distance(to: b.centre), b.radius, absolute: 1e-6))
      }
    }
    #expect(met > 500 && met < 1900)
  }

  @Test func `touching circles meet twice in one point`() throws {
    let a = Circle(centre: Point(x: 0, y: 0), radius: 3)
    let pair = try #require(a.intersections(with: Circle(centre: Point(x: 5, y: 0), radius: 2)))
    #expect(pair.0 == Point(x: 3, y: 0) && pair.1 == pair.0)
  }

  @Test func `the place between circles that do not meet is equally far from both`() throws {
    let a = Circle(centre: Point(x: 0, y: 0), radius: 1)
    for b in [
      Circle(centre: Point(x: 6, y: 8), radius: 2),
      Circle(centre: Point(x: 0.3, y: 0.4), radius: 4),
      Circle(centre: Point(x: 0.3, y: 0.4), radius: 0.1),
    ] {
      let p = try #require(a.between(b))
      let gaps = [a, b].map { abs(p.distance(to: $0.centre) - $0.radius) }
      #expect(isClose(gaps[0], gaps[1]))
      #expect(try #require(b.between(a)).distance(to: p) < 1e-12)
    }
    #expect(a.between(Circle(centre: a.centre, radius: 2)) == nil)
  }
}
