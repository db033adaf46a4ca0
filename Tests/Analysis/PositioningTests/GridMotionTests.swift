import Foundation
import Geometry
import TestSupport
import Testing

@testable import Positioning

struct GridMotionTests {
  private let bounds = Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 12, y: 8))

  private func spike(_ grid: Grid, _ column: Int, _ row: Int) -> CellWeights {
    var weights = CellWeights(flatOn: grid)
    for cell in weights.values.indices { weights.values[cell] = 0 }
    weights.values[row * grid.columns + column] = 1
    return weights
  }

  private func sum(_ weights: CellWeights) -> Double {
    weights.values.reduce(0) { $0 + Double($1) }
  }

  @Test func `in the open a coordinate's variance grows by speed² leg / 2 a second`() throws {
    let grid = try #require(Grid(bounds))
    let motion = GridMotion(grid, speed: 0.5, walls: [])
    for parts in [[1.0], [0.3, 0.7], [Double](repeating: 0.1, count: 10)] {
      var weights = spike(grid, 24, 16)
      for part in parts { motion.spread(&weights, seconds: part) }
      let covariance = try #require([weights].estimate(on: grid)?.uncertainty.covariance)
      let expected = 0.25 * GridMotion.legDuration / 2
      #expect(isClose(covariance.xx - 0.0625 / 12, expected, absolute: 1e-3))
      #expect(isClose(covariance.yy - 0.0625 / 12, expected, absolute: 1e-3))
      #expect(isClose(sum(weights), 1, absolute: 1e-5))
    }
  }

  @Test func `a short time's kernel is that of a Gaussian`() throws {
    let grid = try #require(Grid(bounds))
    var weights = spike(grid, 24, 16)
    GridMotion(grid, speed: 1, walls: []).spread(&weights, seconds: 0.5)
    let variance = 0.5 * GridMotion.legDuration / 2
    for column in 16...32 {
      let x = Double(column - 24) * 0.25
      let expected = 0.0625 / (2 * .pi * variance) * exp(-x * x / (2 * variance))
      #expect(isClose(Double(weights.values[16 * 48 + column]), expected, absolute: 5e-4))
    }
  }

  @Test(arguments: [0.1, 3, 900])
  func `nothing goes through a wall of any slope, in a step, a gap or for ever`(seconds: Double)
    throws
  {
    let grid = try #require(Grid(bounds))
    // A closed box of slanted walls, two of them in pieces, about a place at (6, 4).
    let corners = [(3.0, 3.1), (5, 1.05), (6.5, 1.3), (9.3, 2.2), (8.875, 6.125), (4.4, 6.9)]
      .map { Point(x: $0.0, y: $0.1) }
    let walls = corners.indices.map {
      Segment(from: corners[$0], to: corners[($0 + 1) % corners.count])
    }
    let inside = Polygon(name: "box", corners: corners)
    let motion = GridMotion(grid, speed: 1, walls: walls)
    var weights = spike(grid, 24, 16)
    for _ in 0..<8 { motion.spread(&weights, seconds: seconds) }
    var (within, without) = (0.0, 0.0)
    for row in 0..<grid.rows {
      for column in 0..<grid.columns {
        let weight = Double(weights.values[row * grid.columns + column])
        let place = grid.place(column: column, row: row)
        #expect(weight >= 0)
        // The middle of one cell is just the corner of two walls: it may be on either side.
        let isInside = inside.outlineDistance(to: place) < 1e-9 || inside.contains(place)
        if isInside { within += weight } else { without += weight }
      }
    }
    #expect(isClose(within, 1, absolute: 1e-3))
    #expect(without == 0)
  }

  @Test
  func `a door lets through, and after a long time the target may be anywhere alike`() throws {
    let grid = try #require(Grid(bounds))
    let walls = [
      Segment(from: Point(x: 6, y: 0), to: Point(x: 6, y: 3)),
      Segment(from: Point(x: 6, y: 3.8), to: Point(x: 6, y: 8)),
    ]
    let motion = GridMotion(grid, speed: 1, walls: walls)
    var weights = spike(grid, 4, 14)
    func right() -> Double {
      (0..<grid.rows).reduce(0.0) { all, row in
        (24..<48).reduce(all) { $0 + Double(weights.values[row * 48 + $1]) }
      }
    }
    motion.spread(&weights, seconds: 3)
    let soon = right()
    #expect(soon > 0 && soon < 0.1)
    motion.spread(&weights, seconds: 10)
    #expect(right() > soon)
    for _ in 0..<60 { motion.spread(&weights, seconds: 600) }
    let even = 1 / Float(grid.count)
    #expect(weights.values.allSatisfy { abs($0 - even) < 0.05 * even })
    #expect(isClose(sum(weights), 1, absolute: 1e-2))
  }

  @Test func `the way back is the transpose of the way there, also beside walls`() throws {
    let grid = try #require(Grid(bounds))
    let walls = [Segment(from: Point(x: 6.1, y: 0), to: Point(x: 5.2, y: 6))]
    let motion = GridMotion(grid, speed: 1, walls: walls)
    for seconds in [0.2, 1, 30] {
      var there = spike(grid, 20, 20)
      var back = spike(grid, 26, 22)
      motion.spread(&there, seconds: seconds)
      motion.spread(&back, seconds: seconds, backwards: true)
      let (a, b) = (Double(there.values[22 * 48 + 26]), Double(back.values[20 * 48 + 20]))
      #expect(a > 0 || seconds < 1)
      #expect(isClose(a, b, absolute: 1e-5 * max(a, 1e-6)))
    }
  }
}
