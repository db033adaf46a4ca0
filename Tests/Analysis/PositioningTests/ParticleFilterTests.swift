import Foundation
import Geometry
import NumericalMethods
import TestSupport
import Testing

@testable import Positioning

struct ParticleFilterTests {
  private static let box = Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 10, y: 6))

  private static var filter: ParticleFilter {
    var filter = ParticleFilter()
    filter.particles = 500
    return filter
  }

  private static func surroundings(walls: [Segment] = [], rooms: [Polygon] = []) -> Surroundings {
    var surroundings = Surroundings()
    surroundings.bounds = box
    surroundings.walls = walls
    surroundings.rooms = rooms
    surroundings.anchors = [Point(x: 1, y: 1), Point(x: 1, y: 5), Point(x: 9, y: 3)].map {
      Anchor(
        place: $0, measuredPower: -59, exponent: 2, sigma: 2,
        reception: .init(rate: 5, sensitivity: -95))
    }
    return surroundings
  }

  /// Levels at a place for some seconds, of some anchors, then questions without any.
  private static func scans(
    at place: Point, seconds: Int, then silent: Int, anchors: [Int] = [0, 1, 2],
    in surroundings: Surroundings
  ) -> [Scan] {
    (1...(seconds + silent)).map { (second: Int) -> Scan in
      let instant = Int64(second) * 1_000_000_000
      let heard = second > seconds ? [] : anchors
      let readings = heard.map { (anchor: Int) -> Reading in
        let level = surroundings.anchors[anchor].expectedLevel(at: place)
        return Reading(time: instant, anchor: anchor, rssi: level, packets: 4)
      }
      return Scan(
        instant: instant, start: instant - 1_000_000_000, observations: [], readings: readings)
    }
  }

  @Test func `equal seeds give equal answers, other seeds nearly the same`() throws {
    let trace = try SimulatedTrace.walks(1, seed: 2, duration: 12)[0]
    func places(_ text: String) throws -> [Outcome] {
      try Algorithms.named("particle-filter:particles=1000," + text)
        .locate(trace.scans, in: trace.surroundings)
    }
    #expect(try places("seed=4") == places("seed=4"))
    let other = try places("seed=5")
    #expect(try places("seed=4") != other)
    for (a, b) in zip(try places("seed=4"), other) {
      #expect(isClose(try #require(a.position), try #require(b.position), within: 1))
    }
  }

  /// A velocity lasts until a stop or a turn and decays meanwhile, so its correlation is
  /// exponential, and the mean square of the way has the closed form of Taylor (1922).
  @Test(arguments: [2.0, 8, 30])
  func `particles move as far as walks with stops and turns do`(seconds: Double) {
    let bounds = Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 5000, y: 5000))
    var cloud = ParticleCloud(
      4000, columns: 0, in: WalkableArea(Surroundings(), bounds: bounds, anchors: []),
      motion: ParticleMotion(speed: 1.2), offsetVariance: 1, curveError: nil,
      numbers: VectorStream(seed: 3), time: 0)
    let before = cloud.blocks
    cloud.advance(to: Int64(seconds * 1e9))
    let squares = zip(before, cloud.blocks).map { old, new in
      let (x, y) = (new.place.x - old.place.x, new.place.y - old.place.y)
      return (x * x + y * y).sum()
    }
    let mean = Double(squares.reduce(0, +)) / Double(8 * squares.count)
    let (walk, stop) = (ParticleMotion.meanWalk, ParticleMotion.meanStop)
    let rate = 1 / walk + 1 / ParticleMotion.meanLeg + 1 / ParticleMotion.persistence
    let expected =
      2 * 1.2 * 1.2 * walk / (walk + stop)
      * (seconds / rate - (1 - exp(-rate * seconds)) / (rate * rate))
    // Five standard errors of the mean square, and the discretisation.
    #expect(abs(mean / expected - 1) < 0.12)
  }

  @Test func `a track goes through a door, not through a wall`() throws {
    func farPlace(_ walls: [Segment]) throws -> (x: Double, variance: Double) {
      let surroundings = Self.surroundings(walls: walls)
      let scans = Self.scans(at: Point(x: 2, y: 3), seconds: 4, then: 26, in: surroundings)
      let last = try #require(Self.filter.locate(scans, in: surroundings).last)
      return (try #require(last.position).x, try #require(last.covariance).xx)
    }
    let whole = [Segment(from: Point(x: 5, y: 0), to: Point(x: 5, y: 6))]
    let withDoor = [
      Segment(from: Point(x: 5, y: 0), to: Point(x: 5, y: 2)),
      Segment(from: Point(x: 5, y: 4), to: Point(x: 5, y: 6)),
    ]
    let (closed, door, open) = try (farPlace(whole), farPlace(withDoor), farPlace([]))
    // Spread evenly over the left half: mean 2.5, variance 25/12.
    #expect(closed.x < 2.9 && closed.variance < 2.5)
    #expect(door.x > closed.x + 0.2 && door.x < open.x)
    #expect(open.variance > 3.5)
  }

  @Test func `a track stays inside the rooms`() throws {
    let room = Polygon(
      name: "left",
      corners: [Point(x: 0, y: 0), Point(x: 4, y: 0), Point(x: 4, y: 6), Point(x: 0, y: 6)])
    let surroundings = Self.surroundings(rooms: [room])
    // Levels of a place outside: the answer is the room's nearest part.
    let scans = Self.scans(at: Point(x: 6, y: 3), seconds: 5, then: 20, in: surroundings)
    for outcome in Self.filter.locate(scans, in: surroundings) {
      #expect(try #require(outcome.position).x < 4)
    }
  }

  @Test func `the silence of an anchor that is well received nearby keeps a target away`() throws {
    var surroundings = Self.surroundings()
    for index in surroundings.anchors.indices {
      surroundings.anchors[index].reception?.sensitivity = -72
    }
    // Two anchors at the left distinguish the left half from the right only by the third's silence.
    surroundings.anchors[0].place = Point(x: 5, y: 0)
    surroundings.anchors[1].place = Point(x: 5, y: 6)
    let scans = Self.scans(
      at: Point(x: 2, y: 3), seconds: 8, then: 0, anchors: [0, 1], in: surroundings)
    func x(_ text: String) throws -> Double {
      try #require(
        try Algorithms.named("particle-filter:particles=500,silence=" + text).locate(
          scans, in: surroundings
        ).last?.position
      ).x
    }
    let (heeded, ignored) = (try x("yes"), try x("no"))
    #expect(heeded < ignored - 1, "\(heeded) and \(ignored)")
  }

  @Test func `a wall is crossed where the way meets it, and not beside it`() {
    let wall = Segment(from: Point(x: 0, y: 0), to: Point(x: 4, y: 2))
    #expect(wall.isCrossed(from: Point(x: 1, y: 2), to: Point(x: 3, y: 0)))
    #expect(wall.isCrossed(from: Point(x: 2, y: 1), to: Point(x: 3, y: 3)))
    #expect(!wall.isCrossed(from: Point(x: 0, y: 1), to: Point(x: 3, y: 3)))
    #expect(!wall.isCrossed(from: Point(x: 5, y: 2), to: Point(x: 5, y: 4)))
    #expect(!wall.isCrossed(from: Point(x: 3, y: 1), to: Point(x: 3, y: 1.2)))
  }
}
