import Geometry
import TestSupport
import Testing

@testable import Positioning

struct GridTests {
  private func grid(
    _ width: Double, _ depth: Double, heights: ClosedRange<Double>? = nil, rooms: [Polygon] = [],
    margin: Double = 0, largestCell: Double = .infinity
  ) throws -> Grid {
    let bounds = Bounds(minimum: Point(x: -3, y: 2), maximum: Point(x: width - 3, y: depth + 2))
    return try #require(
      Grid(bounds, heights: heights, rooms: rooms, margin: margin, largestCell: largestCell))
  }

  @Test
  func `cells tile the bounds, of a quarter metre unless the site is small or large`() throws {
    for (width, depth, side) in [
      (20.0, 10.0, 0.25), (12, 8, 0.25), (2, 1, 0.05), (100, 100, 1), (200, 50, 1), (30, 0, 0.25),
    ] {
      let grid = try grid(width, depth)
      #expect(isClose(grid.width, side, absolute: 0.02 * side))
      #expect(isClose(grid.width * Double(grid.columns), width, absolute: 1e-9))
      #expect(isClose(grid.depth * Double(grid.rows), depth, absolute: 1e-9))
      #expect(grid.count <= 10_200 && grid.layers == 1)
      let first = grid.place(column: 0, row: 0)
      let last = grid.place(column: grid.columns - 1, row: grid.rows - 1)
      #expect(isClose(first.x + 3, width - 3 - last.x, absolute: 1e-9))
    }
    #expect(try grid(100, 100, largestCell: 0.4).count == 62_500)
    let space = try grid(20, 20, heights: 0...3)
    #expect(space.count < 42_000 && space.layers == 10)
    #expect(isClose(space.height(ofLayer: 9), 2.85, absolute: 1e-9))
    let odd = Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: .infinity, y: 1))
    #expect(Grid(odd) == nil)
  }

  @Test
  func `rooms open the cells whose middles they hold, and a tiny one the cell it is in`() throws {
    let room = Polygon(
      name: "a", corners: [(-3.0, 2.0), (1, 2), (1, 6), (-3, 6)].map { Point(x: $0.0, y: $0.1) })
    let speck = Polygon(
      name: "b",
      corners: [(5.01, 5.01), (5.02, 5.01), (5.02, 5.02)].map { Point(x: $0.0, y: $0.1) })
    let grid = try grid(12, 8, rooms: [room, speck])
    for row in 0..<grid.rows {
      for column in 0..<grid.columns {
        let place = grid.place(column: column, row: row)
        let isSpeck = abs(place.x - 5.015) <= 0.125 && abs(place.y - 5.015) <= 0.125
        #expect(
          grid.isOpen[row * grid.columns + column] == ((place.x < 1 && place.y < 6) || isSpeck))
      }
    }
    // With a margin, neighbouring cells within it are open too: 16 + 1 by 16 + 1 cells.
    let wider = try self.grid(12, 8, rooms: [room], margin: 0.2)
    #expect(wider.isOpen.count(where: { $0 }) == 17 * 17)
  }

  @Test(arguments: [
    (900_000.0, 900_000.0), (3000, 3000), (65_535, 8), (2e6, 0), (2e6, 1e-9), (1e300, 1e300),
    (0, 0),
    (401, 401),
  ])
  func `no grid has more than a million cells, whatever its bounds`(width: Double, depth: Double)
    throws
  {
    let bounds = Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: width, y: depth))
    for heights in [nil, 0...0, 0...3, 0...1e6] as [ClosedRange<Double>?] {
      for largestCell in [Grid.longestBesideWalls, .infinity] {
        let grid = try #require(
          GridShape(bounds, heights: heights, largestCell: largestCell))
        #expect(grid.columns * grid.rows * grid.layers <= 1_000_000)
        #expect(isClose(grid.width * Double(grid.columns), width, relative: 1e-9))
        let isFine = width <= 0 || heights == nil && grid.width <= 0.41 && grid.depth <= 0.41
        #expect(grid.isCoarse || largestCell == .infinity || isFine)
      }
    }
  }

  @Test func `the rooms' rectangle replaces bounds with too many cells`() throws {
    let room = Polygon(
      name: "a", corners: [(0.0, 0.0), (12, 0), (12, 8), (0, 8)].map { Point(x: $0.0, y: $0.1) })
    let bounds = Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 65_535, y: 8))
    let grid = try #require(
      Grid(bounds, rooms: [room], margin: 0.2, largestCell: Grid.longestBesideWalls))
    #expect(!grid.isCoarse && grid.count < 10_000 && grid.width < 0.41)
    #expect(grid.isOpen.allSatisfy { $0 })
  }

  @Test func `a large site with walls has a note with the size of its cells`() throws {
    var known = Surroundings()
    known.walls = [Segment(from: Point(x: 0, y: 0), to: Point(x: 100, y: 0))]
    known.bounds = Bounds(minimum: Point(x: 0, y: -50), maximum: Point(x: 100, y: 50))
    #expect(known.coarseCell == nil)
    known.bounds = Bounds(minimum: Point(x: 0, y: -500), maximum: Point(x: 1000, y: 500))
    #expect(isClose(try #require(known.coarseCell), 10, absolute: 0.1))
    let tracking = try GridTracking([], in: known, settings: GridSettings())
    #expect(tracking.grid.isCoarse)
    var weights = tracking.start[0]
    weights.values = weights.values.map { _ in 0 }
    let below = tracking.grid.columns * (tracking.grid.rows / 2 - 1) + 3
    weights.values[below] = 1
    tracking.motions[0].spread(&weights, seconds: 60)
    #expect(weights.values[below + tracking.grid.columns] > 0)
    known.walls = []
    #expect(known.coarseCell == nil)
  }
}
