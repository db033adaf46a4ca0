import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

struct LinearLeastSquaresTests {
  @Test(arguments: [3, 4, 6, 10])
  func `finds the target from exact ranges`(anchors: Int) {
    var generator = SeededGenerator(seed: 6)
    var answered = 0
    for _ in 0..<300 {
      let scene = Scene.random(anchors: anchors, height: 1, using: &generator)
      guard let p = LinearLeastSquares().locate(scene.observations).position else { continue }
      answered += 1
      #expect(isClose(p, scene.truth, within: 1e-6))
    }
    #expect(answered > 290)
  }

  @Test func `is the radical centre for three anchors, with its covariance`() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let scene = Scene.random(anchors: 3, noise: 4, using: &generator)
      let mine = LinearLeastSquares().locate(scene.observations)
      let other = PowerCenter().locate(scene.observations)
      guard let p = mine.position, let q = other.position else { continue }
      #expect(isClose(p, q, within: 1e-7 * max(1, p.distance(to: Point(x: 0, y: 0)))))
      #expect(isClose(mine.covariance!.xx, other.covariance!.xx, relative: 1e-6))
    }
  }

  @Test func `agrees with numpy.linalg.lstsq on the centred equations`() throws {
    var generator = SeededGenerator(seed: 8)
    let scenes = (0..<20).map { _ in Scene.random(anchors: 6, noise: 4, using: &generator) }
    let rows = scenes.map { scene in
      scene.observations.map { "\($0.anchor.x),\($0.anchor.y),\($0.range)" }.joined(separator: ";")
    }
    let script = """
      import sys, numpy as np
      for row in sys.argv[1:]:
          a = np.array([[float(v) for v in t.split(',')] for t in row.split(';')])
          A = 2 * a[:, :2]
          b = (a[:, :2] ** 2).sum(axis=1) - a[:, 2] ** 2
          p = np.linalg.lstsq(A - A.mean(axis=0), b - b.mean(), rcond=None)[0]
          print(repr(float(p[0])), repr(float(p[1])))
      """
    let result = try runPython(script, rows)
    try #require(result.exitCode == 0, "\(result.error)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == scenes.count)
    for (scene, line) in zip(scenes, lines) {
      let numbers = line.split(separator: " ").map { Double($0)! }
      let p = try #require(LinearLeastSquares().locate(scene.observations).position)
      #expect(isClose(p, Point(x: numbers[0], y: numbers[1]), within: 1e-8))
    }
  }
}
