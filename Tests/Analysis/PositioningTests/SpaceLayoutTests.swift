import Geometry
import TestSupport
import Testing

@testable import Positioning

struct SpaceLayoutTests {
  private static let cube = [0.0, 1].flatMap { x in
    [0.0, 1].flatMap { y in [0.0, 1].map { SpacePoint(x: x, y: y, z: $0) } }
  }

  @Test func `breadth and depth are 1 for a cube, 0 on a line and a plane`() {
    let cube = SpaceLayout(Self.cube)
    #expect(isClose(cube.breadth, 1, absolute: 1e-12))
    #expect(isClose(cube.depth, 1, absolute: 1e-12))
    let plane = SpaceLayout(Self.cube.map { SpacePoint(x: $0.x, y: $0.y, z: $0.x + 2 * $0.y) })
    #expect(plane.depth < 1e-6 && plane.breadth > 0.5)
    let line = SpaceLayout(Self.cube.map { SpacePoint(x: $0.x, y: 2 * $0.x, z: -$0.x) })
    #expect(line.breadth < 1e-6)
  }

  @Test(arguments: [1e-3, 1, 1e4])
  func `neither depends on scale or place`(metres: Double) {
    var generator = SeededGenerator(seed: 81)
    let places = (0..<5).map { _ in
      SpacePoint(
        x: Double.random(in: 0..<9, using: &generator),
        y: Double.random(in: 0..<9, using: &generator),
        z: Double.random(in: 0..<3, using: &generator))
    }
    let here = SpaceLayout(places)
    let there = SpaceLayout(places.map { metres * $0 + SpacePoint(x: 70 * metres, y: -9, z: 3) })
    #expect(isClose(here.breadth, there.breadth, relative: 1e-9))
    #expect(isClose(here.depth, there.depth, relative: 1e-9))
  }

  @Test func `the inverse of a scatter matrix is numpy's, and a singular one has none`() throws {
    var generator = SeededGenerator(seed: 82)
    var matrices: [SymmetricMatrix3] = []
    for _ in 0..<10 {
      var matrix = SymmetricMatrix3()
      for _ in 0..<4 {
        matrix.add(
          SpacePoint(x: generator.gaussian(), y: generator.gaussian(), z: generator.gaussian()))
      }
      matrices.append(matrix)
    }
    let expected = try reference(
      """
      for a, b, c, d, e, f in rows:
          i = np.linalg.inv([[a, b, c], [b, d, e], [c, e, f]])
          answer(i[0, 0], i[0, 1], i[0, 2], i[1, 1], i[1, 2], i[2, 2])
      """, matrices.map { [$0.xx, $0.xy, $0.xz, $0.yy, $0.yz, $0.zz] })
    for (matrix, row) in zip(matrices, expected) {
      let i = try #require(matrix.inverse)
      let scale = row.map(abs).max()!
      for (a, b) in zip([i.xx, i.xy, i.xz, i.yy, i.yz, i.zz], row) {
        #expect(isClose(a, b, absolute: 1e-9 * scale))
      }
    }
    var flat = SymmetricMatrix3()
    flat.add(SpacePoint(x: 1, y: 2, z: 3))
    flat.add(SpacePoint(x: 1, y: 0, z: 1))
    #expect(flat.inverse == nil)
  }
}
