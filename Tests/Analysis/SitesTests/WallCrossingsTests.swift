import Geometry
import Sites
import Support
import TestSupport
import Testing

/// Walls as lists of coordinates x, y, x, y, …
private func wall(
  _ numbers: [Double], kind: String = "wall", attenuation: Double? = nil
) -> Site.Wall {
  let points = stride(from: 0, to: numbers.count, by: 2).map {
    Point(x: numbers[$0], y: numbers[$0 + 1])
  }
  return Site.Wall(points, kind: kind, attenuation: attenuation)
}

@Suite struct WallCrossingsTests {
  private let corner = wall([0, 0, 2, 0, 2, 2])

  private func count(_ walls: [Site.Wall], _ path: [Double]) throws -> Int {
    let crossings = try WallCrossings(walls)
    let (a, b) = (Point(x: path[0], y: path[1]), Point(x: path[2], y: path[3]))
    let there = try crossings.count(from: a, to: b)
    let back = try crossings.count(from: b, to: a)
    #expect(there == back)
    return there["wall"]!
  }

  @Test(
    arguments: [
      ([1, -1, 1, 1], 1), ([1, -1, 3, -1], 0), ([1, -1, 3, 1], 1), ([1, 1, 1, 2], 0),
      // Through the corner, past it on its outside, and both pieces.
      ([1, 1, 3, -1], 1), ([1, -1, 3, 1], 1), ([1, -0.5, 2.5, 1], 2),
      // The free end, and along a piece: to its end, beyond it, and on past the corner.
      ([-1, -1, 1, 1], 1), ([0, -1, 0, 1], 1), ([0.5, 0, 1, 0], 0), ([-1, 0, 5, 0], 0),
      ([2, -3, 2, 1], 0),
      // From a wall, to a wall, from one piece to the other, and between two places on one piece.
      ([1, 0, 1, 5], 0), ([1, 5, 1, 0], 0), ([1, 0, 2, 1], 0), ([1, 0, 5, 4], 1),
      ([0, 0, 0, 2], 0),
      ([1, 1, 1, 1], 0), ([1, 0, 1, 0], 0),
    ] as [([Double], Int)])
  func `a corner`(_ path: [Double], _ expected: Int) throws {
    #expect(try count([corner], path) == expected)
    // The same wall drawn in two pieces, and twice.
    #expect(try count([wall([0, 0, 2, 0]), wall([2, 2, 2, 0])], path) == expected)
    #expect(try count([corner, corner], path) == expected)
  }

  @Test func `places where walls meet count once a kind`() throws {
    let cross = [wall([-2, 0, 2, 0]), wall([0, -2, 0, 2])]
    #expect(try count(cross, [-1, -1, 1, 1]) == 1)
    let junction = [wall([-2, 0, 2, 0]), wall([0, 0, 0, 2])]
    #expect(try count(junction, [-1, -1, 1, 1]) == 1)
    #expect(try count(junction, [-1, 1, 1, -1]) == 1)
    let kinds = try WallCrossings([
      wall([-2, 0, 2, 0]), wall([0, -2, 0, 2], kind: "glass"), wall([9, 9, 9, 8], kind: "far"),
    ])
    #expect(kinds.kinds == ["far", "glass", "wall"])
    #expect(
      try kinds.count(from: Point(x: -1, y: -1), to: Point(x: 1, y: 1))
        == ["wall": 1, "glass": 1, "far": 0])
  }

  @Test func `decimal coordinates are exact`() throws {
    // In binary fractions (0.9, 0.3) is beside the line from (0, 0) to (3, 1).
    #expect(try count([wall([0.9, 0.3, 0.9, 1]), wall([0.9, 0.3, 0.2, 1])], [0, 0, 3, 1]) == 1)
    #expect(
      try count([wall([0.1 + 0.2, 0, 1, 0]), wall([0.3, 0, 0.3, 1])], [0, -0.3, 0.6, 0.3]) == 1)
  }

  @Test func `losses that are known`() throws {
    let crossings = try WallCrossings([
      wall([0, 0, 4, 0], kind: "brick", attenuation: 8), wall([2, 0, 2, 3], kind: "brick"),
      wall([0, 1, 4, 1], kind: "brick"), wall([0, 2, 4, 2], kind: "glass", attenuation: 2.5),
    ])
    let (from, to) = (Point(x: 1, y: -1), Point(x: 1, y: 3))
    #expect(try crossings.count(from: from, to: to) == ["brick": 2, "glass": 1])
    #expect(try crossings.countOfUnknownLoss(from: from, to: to) == ["brick": 1, "glass": 0])
    #expect(try crossings.knownAttenuation(from: from, to: to) == 10.5)
    // Where the walls of 8 dB and of an unknown loss meet, it is known.
    let (left, right) = (Point(x: 1, y: -1), Point(x: 2.5, y: 0.5))
    let tally = try crossings.tally(from: left, to: right)
    #expect(tally.counts == [1, 0] && tally.unknownLoss == [0, 0] && tally.knownAttenuation == 8)
  }

  @Test func `a site without walls`() throws {
    let none = try WallCrossings([])
    #expect(try none.count(from: Point(x: 0, y: 0), to: Point(x: 1, y: 1)).isEmpty)
    #expect(try none.knownAttenuation(from: Point(x: 0, y: 0), to: Point(x: 1, y: 1)) == 0)
  }

  @Test func `places that are none`() throws {
    let far = Point(x: 0, y: 1e6 + 1)
    let crossings = try WallCrossings([corner])
    #expect(throws: RSSIError.badPosition(far)) { try crossings.count(from: far, to: far) }
    #expect(throws: RSSIError.badPosition(far)) { try WallCrossings([wall([0, 0, 0, 1e6 + 1])]) }
    let edge = try WallCrossings([wall([-1e6, -1e6, 1e6, 1e6])])
    #expect(
      try edge.count(from: Point(x: -1e6, y: 1e6), to: Point(x: 1e6, y: -1e6 + 1e-6))
        == ["wall": 1])
  }
}
