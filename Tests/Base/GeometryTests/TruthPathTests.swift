import Geometry
import TestSupport
import Testing

struct TruthPathTests {
  let path = TruthPath([
    .init(time: 2000, position: Point(x: 10, y: 4)),
    .init(time: 1000, position: Point(x: 0, y: 4), z: 1.2),
    .init(time: 3000, position: Point(x: 10, y: 0)),
  ])

  @Test func `is linear between marks, which may come in any order`() {
    #expect(path.marks.map(\.time) == [1000, 2000, 3000])
    #expect(path.marks[0].z == 1.2)
    #expect(path.position(at: 1000) == Point(x: 0, y: 4))
    #expect(path.position(at: 1250) == Point(x: 2.5, y: 4))
    #expect(path.position(at: 2000) == Point(x: 10, y: 4))
    #expect(path.position(at: 2750) == Point(x: 10, y: 1))
  }

  @Test func `is as long as its legs between two times`() {
    #expect(path.length(from: 1000, to: 3000) == 14)
    #expect(path.length(from: 1250, to: 1750) == 5)
    #expect(path.length(from: 1500, to: 2500) == 7)
    #expect(path.length(from: 2000, to: 2000) == 0)
    #expect(path.length(from: 999, to: 2000) == nil && path.length(from: 1000, to: 3001) == nil)
  }

  @Test func `moves as fast as its leg, and at the last mark as just before it`() {
    let path = TruthPath([
      .init(time: 0, position: Point(x: 0, y: 0)),
      .init(time: 2_000_000_000, position: Point(x: 3, y: -4)),
      .init(time: 4_000_000_000, position: Point(x: 3, y: -4)),
      .init(time: 4_000_000_000, position: Point(x: 5, y: 5)),
      .init(time: 5_000_000_000, position: Point(x: 5, y: 6)),
      .init(time: 5_000_000_000, position: Point(x: 8, y: 6)),
    ])
    #expect(path.velocity(at: 0) == Velocity(x: 1.5, y: -2))
    #expect(path.velocity(at: 1)?.speed == 2.5)
    #expect(path.velocity(at: 2_000_000_000) == Velocity(x: 0, y: 0))
    #expect(path.velocity(at: 4_000_000_000) == Velocity(x: 0, y: 1))
    #expect(path.velocity(at: 5_000_000_000) == Velocity(x: 0, y: 1))
    #expect(path.velocity(at: -1) == nil && path.velocity(at: 5_000_000_001) == nil)
    #expect(TruthPath([.init(time: 1, position: Point(x: 0, y: 0))]).velocity(at: 1) == nil)
  }

  @Test func `is of the same walk as one with the same legs at irregular times`() {
    let times = [0.0, 2.303, 4.055, 5.677, 7.1, 9.081, 10.77]
    let places = [
      (1.8, 4.3), (3.9, 3.4), (5.75, 3.4), (7.5, 4.3), (8.8, 4.8), (10.8, 4.8), (10.8, 3),
    ]
    func path(_ times: [Double], mirrored: Bool = false, start: Double = 1.6e9) -> TruthPath {
      TruthPath(
        zip(times, places).map {
          TruthPath.Mark(
            time: Int64((start + $0) * 1e6) * 1000,
            position: Point(x: mirrored ? -$1.0 : $1.0, y: $1.1))
        })
    }
    let walk = path(times)
    #expect(walk.isSameWalk(as: walk))
    #expect(walk.isSameWalk(as: path(times, mirrored: true, start: 1.7e9)))
    #expect(walk.isSameWalk(as: path(times.map { 1.01 * $0 })))
    #expect(!walk.isSameWalk(as: path(times.map { $0 == 4.055 ? 4.15 : $0 })))
    #expect(!walk.isSameWalk(as: path(Array(times.dropLast()))))
    // Regular times are those of a survey, not of one walk.
    let regular = path((0..<7).map(Double.init))
    #expect(!regular.isSameWalk(as: regular))
    #expect(!path([]).isSameWalk(as: path([])))
  }

  @Test func `ends at its marks, both included`() {
    #expect(path.position(at: 999) == nil)
    #expect(path.position(at: 3000) == Point(x: 10, y: 0))
    #expect(path.position(at: 3001) == nil)
    #expect(path.span == 1000...3000)
    #expect(TruthPath([]).position(at: 0) == nil)
    #expect(TruthPath([]).span == nil)
  }

  @Test func `the later of two rows with one time holds from that time on`() {
    let jump = TruthPath([
      .init(time: 0, position: Point(x: 0, y: 0)), .init(time: 10, position: Point(x: 1, y: 0)),
      .init(time: 10, position: Point(x: 5, y: 0)), .init(time: 20, position: Point(x: 6, y: 0)),
      .init(time: 20, position: Point(x: 9, y: 0)),
    ])
    #expect(isClose(jump.position(at: 9)!.x, 0.9))
    #expect(jump.position(at: 10)!.x == 5)
    #expect(isClose(jump.position(at: 11)!.x, 5.1))
    #expect(jump.position(at: 20)!.x == 9)
  }

  @Test func `keeps nanoseconds at today's times`() {
    let start: Int64 = 1_700_000_000_000_000_000
    let path = TruthPath([
      .init(time: start, position: Point(x: 0, y: 0)),
      .init(time: start + 1000, position: Point(x: 1000, y: 0)),
    ])
    for nanoseconds in stride(from: Int64(0), through: 1000, by: 37) {
      #expect(isClose(path.position(at: start + nanoseconds)!.x, Double(nanoseconds)))
    }
  }

  @Test func `spans of more than 292 years, which an Int64 of nanoseconds does not count`() throws {
    let end: Int64 = 9_223_372_000_000_000_000
    let path = TruthPath([
      .init(time: -end, position: Point(x: 0, y: 0), z: 1),
      .init(time: end, position: Point(x: 8, y: -4), z: 3),
    ])
    #expect(path.position(at: 0) == Point(x: 4, y: -2))
    #expect(path.position(at: end / 2) == Point(x: 6, y: -3))
    #expect(path.height(at: 0) == 2)
    let velocity = try #require(path.velocity(at: 1))
    #expect(velocity.x > 0 && velocity.y < 0)
  }

  @Test func `agrees with numpy.interp`() throws {
    var generator = SeededGenerator(seed: 1)
    let times = (0..<20).map { _ in Int64.random(in: 0..<1000, using: &generator) }
    let marks = Set(times).sorted().map { time in
      TruthPath.Mark(
        time: time,
        position: Point(
          x: Double.random(in: 0..<9, using: &generator),
          y: Double.random(in: 0..<9, using: &generator)))
    }
    let path = TruthPath(marks.shuffled(using: &generator))
    let asked = Array(path.span!)
    let script = """
      import sys, numpy as np
      t, x, y = [[float(v) for v in a.split(',')] for a in sys.argv[1:4]]
      q = np.arange(t[0], t[-1] + 1)
      for a, b in zip(np.interp(q, t, x), np.interp(q, t, y)): print(repr(float(a)), repr(float(b)))
      """
    let result = try runPython(
      script,
      [
        marks.map { "\($0.time)" }, marks.map { "\($0.position.x)" },
        marks.map { "\($0.position.y)" },
      ].map { $0.joined(separator: ",") })
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == asked.count, "\(result.error)")
    for (time, line) in zip(asked, lines) {
      let expected = line.split(separator: " ").map { Double($0)! }
      let p = try #require(path.position(at: time))
      #expect(isClose(p.x, expected[0], absolute: 1e-12))
      #expect(isClose(p.y, expected[1], absolute: 1e-12))
    }
  }

  @Test func `between two floors is on the nearer in time`() {
    let path = TruthPath([
      .init(time: 0, position: Point(x: 0, y: 0), floor: 0),
      .init(time: 10, position: Point(x: 10, y: 0), z: 1, floor: 0),
      .init(time: 20, position: Point(x: 90, y: 90), z: 2, floor: 1),
      .init(time: 30, position: Point(x: 95, y: 90), floor: 1),
    ])
    #expect(path.floor(at: 5) == 0 && path.floor(at: 14) == 0 && path.floor(at: 15) == 1)
    #expect(path.floor(at: 30) == 1 && path.floor(at: 31) == nil)
    #expect(path.position(at: 14) == Point(x: 10, y: 0))
    #expect(path.position(at: 16) == Point(x: 90, y: 90))
    // Heights count from the own floor.
    #expect(path.height(at: 14) == 1 && path.height(at: 15) == 2)
    #expect(path.velocity(at: 15) == nil && path.velocity(at: 25) != nil)
    // Planes of floors have no distance between them.
    #expect(path.length(from: 0, to: 30) == 15)
  }
}
