import Geometry
import Sites
import Support
import TestSupport
import Testing

@Suite struct RoomTests {
  private let corner = Site.Room(
    name: "L",
    polygon: [(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (0, 3)].map { Point(x: $0, y: $1) })

  @Test(arguments: [
    (0.5, 0.5, true), (2, 2, false), (0.5, 2.9, true), (-1, 1, false), (5, 1, false),
    (2, -1, false),
    // On the outline, at a corner, and level with corners beside the room.
    (2, 1, true), (1, 1, true), (0, 3, true), (2, 3, false), (-1, 3, false), (-1, 0, false),
    (0.3, 0, true), (0.3, -1e-6, false), (0.3, 1e-6, true),
  ])
  func `places of an L`(_ x: Double, _ y: Double, _ isInside: Bool) throws {
    #expect(try corner.contains(Point(x: x, y: y)) == isInside)
    let turned = Site.Room(name: "L", polygon: corner.polygon.reversed())
    #expect(try turned.contains(Point(x: x, y: y)) == isInside)
  }

  @Test func `the middle of a star is outside by the even odd rule`() throws {
    let star = Site.Room(
      name: "star", polygon: [(0, 0), (4, 8), (8, 0), (0, 5), (8, 5)].map { Point(x: $0, y: $1) })
    #expect(try !star.contains(Point(x: 4, y: 4)))
    #expect(try star.contains(Point(x: 4, y: 7)))
  }

  @Test func `a place that is none`() {
    let place = Point(x: .nan, y: 0)
    let error = #expect(throws: RSSIError.self) { try corner.contains(place) }
    #expect(error?.kind == .badInput)
    #expect(error?.description.contains("(nan, 0.0)") == true)
  }

  /// Random outlines and places on a coarse grid, where every degenerate case happens, as shapely
  /// has it.
  @Test func `as shapely`() throws {
    var generator = SeededGenerator(seed: 4)
    func coordinate() -> Double { Double(Int.random(in: 0...8, using: &generator)) / 10 }
    var rows: [[Double]] = []
    for _ in 0..<4000 {
      let corners = Int.random(in: 3...5, using: &generator)
      rows.append((0..<(2 + 2 * corners)).map { _ in coordinate() })
    }
    let answers = try reference(
      """
      import shapely
      # The outline in whole tenths, so that doubles hold it exactly.
      for row in rows:
          row = np.rint(row * 10)
          polygon = shapely.Polygon(row[2:].reshape(-1, 2))
          if polygon.is_valid: answer(polygon.covers(shapely.Point(row[:2])))
          else: answer(-1)
      """, rows)
    var compared = [0, 0]
    for (row, answer) in zip(rows, answers) where answer[0] >= 0 {
      let points = stride(from: 0, to: row.count, by: 2).map { Point(x: row[$0], y: row[$0 + 1]) }
      let room = Site.Room(name: "random", polygon: Array(points[1...]))
      let isInside = try room.contains(points[0])
      #expect(isInside == (answer[0] == 1), "\(row)")
      compared[isInside ? 1 : 0] += 1
    }
    #expect(compared[0] > 200 && compared[1] > 200)
  }
}
