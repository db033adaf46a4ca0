import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

struct CramerRaoBoundTests {
  @Test
  func `agrees with numpy's inverse of the information, with offset, prior and height`() throws {
    var generator = SeededGenerator(seed: 39)
    let scene = Scene.random(anchors: 7, height: 1, using: &generator)
    var o = scene.observations
    for index in o.indices { o[index].heightDifference = Double(index) / 2 }
    let p = scene.truth
    let script = """
      import sys, numpy as np
      rows = np.array([[float(v) for v in r.split(',')] for r in sys.argv[2:]])
      p = np.array([float(v) for v in sys.argv[1].split(',')])
      step = p - rows[:, :3]
      slope = 10 * rows[:, 3:4] / np.log(10) * step / (step ** 2).sum(1)[:, None] / rows[:, 4:5]
      for offset in (False, True):
          for prior in (False, True):
              for n in (2, 3):
                  j = slope[:, :n]
                  if offset:
                      j = np.c_[j, -1 / rows[:, 4]]
                  f = j.T @ j
                  if prior:
                      f[:2, :2] += np.linalg.inv([[4, 1], [1, 2]])
                  c = np.linalg.inv(f)
                  print(*map(repr, map(float, [c[0, 0], c[0, 1], c[1, 1]] + ([c[0, 2], c[1, 2], c[2, 2]] if n == 3 else []))))
      """
    let result = try runPython(
      script,
      ["\(p.x),\(p.y),0"]
        + o.map {
          "\($0.anchor.x),\($0.anchor.y),\($0.heightDifference),\($0.exponent),\($0.sigma)"
        })
    try #require(result.exitCode == 0, "\(result.error)")
    var lines = result.output.split(separator: "\n").map {
      $0.split(separator: " ").map { Double($0)! }
    }
    try #require(lines.count == 8)
    for offset in [false, true] {
      for prior in [nil, Covariance(xx: 4, xy: 1, yy: 2)] {
        for height in [nil, 0.0] {
          let c = try #require(
            cramerRaoBound(o, at: p, height: height, offset: offset, prior: prior))
          var ours = [c.xx, c.xy, c.yy]
          if let v = c.vertical { ours += [v.xz, v.yz, v.zz] }
          let theirs = lines.removeFirst()
          #expect(ours.count == theirs.count)
          for (a, b) in zip(ours, theirs) { #expect(isClose(a, b, absolute: 1e-9, relative: 1e-8)) }
        }
      }
    }
  }

  @Test func `is not there where levels leave a direction undetermined`() {
    let o = [0.0, 5, 10].map {
      Observation(anchor: Point(x: $0, y: 0), rssi: -70, measuredPower: -59, exponent: 2, sigma: 4)
    }
    #expect(cramerRaoBound(o, at: Point(x: 3, y: 0)) == nil)
    #expect(cramerRaoBound(o, at: Point(x: 5, y: 0)) == nil)
    #expect(cramerRaoBound(o, at: Point(x: 3, y: 4)) != nil)
  }
}

/// Ten anchors along the walls of 20 m × 20 m, 2 m up, and targets at least 3 m inside, at 2 dB.
struct LikelihoodEfficiencyTests {
  @Test(.systemRun)
  func `maximum likelihood is within a tenth of the bound`() throws {
    var generator = SeededGenerator(seed: 42)
    let anchors = [
      (0.0, 0.0), (8, 0), (16, 0), (20, 4), (20, 12), (20, 20), (12, 20), (4, 20), (0, 16), (0, 8),
    ]
    // A site knows its walls: without them one target in a hundred has its likeliest place beyond.
    var site = Surroundings()
    site.bounds = Bounds(minimum: Point(x: 0, y: 0), maximum: Point(x: 20, y: 20))
    let trials = 2000
    var (held, squares, bounds) = (0, 0.0, 0.0)
    for _ in 0..<trials {
      let truth = Point(
        x: Double.random(in: 3..<17, using: &generator),
        y: Double.random(in: 3..<17, using: &generator))
      let o = anchors.map { a in
        let distance = hypot(hypot(a.0 - truth.x, a.1 - truth.y), 2)
        return Observation(
          anchor: Point(x: a.0, y: a.1), heightDifference: 2,
          rssi: -59 - 20 * log10(distance) + 2 * Scene.normal(using: &generator),
          measuredPower: -59,
          exponent: 2, sigma: 2)
      }
      let outcome = MaximumLikelihood().locate(o, in: site)
      let p = try #require(outcome.position)
      let bound = try #require(cramerRaoBound(o, at: truth))
      // An answer on a wall has no ellipse, and counts as a miss.
      if let c = outcome.covariance,
        c.squaredScore(p.x - truth.x, p.y - truth.y) <= 5.991464547107979
      {
        held += 1
      }
      squares += pow(p.distance(to: truth), 2)
      bounds += bound.xx + bound.yy
    }
    #expect((0.93...0.97).contains(Double(held) / Double(trials)), "\(held) of \(trials)")
    #expect(
      (0.9...1.1).contains((squares / bounds).squareRoot()), "\((squares / bounds).squareRoot())")
  }
}
