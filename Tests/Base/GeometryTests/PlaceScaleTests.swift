import Geometry
import TestSupport
import Testing

@Suite("Coordinates and distances that are not in metres")
struct PlaceScaleTests {
  private let second: Int64 = 1_000_000_000

  /// Anchors of a flat of 12 m by 8 m, and a walk at 1 m/s, scaled and moved.
  private func flat(_ scale: Double, at x: Double = 0, _ y: Double = 0) -> [Point] {
    [(0, 0), (4, 0), (8, 0), (12, 0), (0, 8), (4, 8), (8, 8), (12, 8)].map {
      Point(x: x + scale * $0.0, y: y + scale * $0.1)
    }
  }

  private func walk(_ scale: Double, at x: Double = 0, _ y: Double = 0) -> [[PlaceScale.Mark]] {
    [
      [(1, 1), (11, 1), (11, 7), (1, 7), (1, 1), (11, 1)].enumerated().map { index, place in
        (Int64(index) * 8 * second, Point(x: x + scale * place.0, y: y + scale * place.1))
      }
    ]
  }

  private func isRefused(_ anchors: [Point], _ tracks: [[PlaceScale.Mark]] = []) -> Bool {
    PlaceScale.doubt(anchors: anchors, tracks: tracks)?.isCertain == true
  }

  @Test func `degrees, kilometres, centimetres, millimetres and pixels are refused`() {
    for scale in [1e-5, 9e-6, 0.001] {
      #expect(isRefused(flat(scale, at: 16.37, 48.2)), "\(scale)")
      #expect(isRefused(flat(1), walk(min(scale, 1e-5), at: 16.37, 48.2)), "\(scale)")
      #expect(isRefused(flat(scale, at: 16.37, 48.2), walk(1)), "\(scale)")
    }
    for scale in [50.0, 100, 1000] {
      #expect(isRefused(flat(scale), walk(scale)), "\(scale)")
      #expect(isRefused(flat(scale, at: -3000, 500), walk(scale, at: -3000, 500)), "\(scale)")
    }
    #expect(isRefused(flat(100), walk(1)))
    #expect(isRefused(flat(1), walk(100)))
    // One of the two is projected, the other has an origin of its own.
    #expect(isRefused(flat(1, at: 500_000, 5_340_000), walk(1)))
  }

  @Test func `anchors far apart without a walk are a warning`() throws {
    for scale in [50.0, 100, 1000] {
      let doubt = try #require(PlaceScale.doubt(anchors: flat(scale)))
      #expect(!doubt.isCertain)
      #expect(
        doubt.words.contains("(median) from the next: centimetres or pixels? convert to metres"))
    }
  }

  @Test func `metres are fine: projected, negative, at a bench, in halls, in a yard`() {
    for (x, y) in [(0.0, 0.0), (500_000, 5_340_000), (-70, -40), (1e7, -1e7)] {
      #expect(PlaceScale.doubt(anchors: flat(1, at: x, y), tracks: walk(1, at: x, y)) == nil)
    }
    // Feet, a bench, a hall and a yard.
    for scale in [3.28, 0.02, 10, 20] {
      #expect(PlaceScale.doubt(anchors: flat(scale), tracks: walk(scale)) == nil, "\(scale)")
    }
    #expect(PlaceScale.doubt(anchors: []) == nil)
    #expect(PlaceScale.doubt(anchors: [Point(x: 16.4, y: 48.2)]) == nil)
    // Two radios at one place.
    #expect(PlaceScale.doubt(anchors: [Point(x: 1, y: 2), Point(x: 1, y: 2)]) == nil)
    // A node at rest, whose place is measured to a millimetre, among its anchors.
    let rest: [PlaceScale.Mark] = (0..<100).map {
      (Int64($0) * second, Point(x: 5 + Double($0 % 7) / 1000, y: 3))
    }
    #expect(PlaceScale.doubt(anchors: flat(1), tracks: [rest]) == nil)
    // A survey of a building of 400 m, place by place.
    let survey: [PlaceScale.Mark] = (0..<80).flatMap { place in
      [0, 20].map { (Int64(place * 60 + $0) * second, Point(x: Double(place) * 5, y: 0)) }
    }
    let anchors = (0..<20).map { Point(x: Double($0) * 20, y: 10) }
    #expect(PlaceScale.doubt(anchors: anchors, tracks: [survey]) == nil)
  }

  @Test(arguments: 1...100)
  func `sites of all sizes, walked at all speeds of people, are never refused`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let size = Double.random(in: 1...250, using: &generator)
    let offset = Double.random(in: -1e6...1e6, using: &generator)
    func place() -> Point {
      Point(
        x: offset + .random(in: 0...size, using: &generator),
        y: offset + .random(in: 0...size, using: &generator))
    }
    let anchors = (0..<Int.random(in: 1...12, using: &generator)).map { _ in place() }
    var (time, last) = (Int64(0), place())
    let track: [PlaceScale.Mark] = (0..<50).map { _ in
      let next = place()
      let speed = Double.random(in: 0.3...3, using: &generator)
      time += Int64(last.distance(to: next) / speed * 1e9)
      last = next
      return (time, next)
    }
    #expect(!isRefused(anchors, [track]))
  }

  @Test(
    arguments: [
      ([100, 200, 500, 1000, 2000], false), ([1000, 2000, 5000], true), ([1, 2, 5, 10, 20], nil),
      ([5, 10, 20, 50, 100, 200, 500], nil), ([], nil), ([0.3, 0.5], nil), ([0, 0, 0], nil),
    ] as [([Double], Bool?)])
  func `distances beyond the reach of a radio`(_ distances: [Double], isCertain: Bool?) {
    #expect(PlaceScale.doubt(distances: distances)?.isCertain == isCertain)
  }
}
