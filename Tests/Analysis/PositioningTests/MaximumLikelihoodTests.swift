import Foundation
import Geometry
import Positioning
import TestSupport
import Testing

struct MaximumLikelihoodTests {
  @Test(arguments: [3, 4, 6])
  func `finds the target from exact levels, whatever the minima beside it`(anchors: Int) {
    var generator = SeededGenerator(seed: 15)
    var (answered, wrong) = (0, 0)
    for _ in 0..<2000 {
      let scene = Scene.random(anchors: anchors, height: 0.5, using: &generator)
      let outcome = MaximumLikelihood().locate(scene.observations)
      guard let p = outcome.position else {
        #expect(outcome.refusal == .collinearAnchors)
        continue
      }
      answered += 1
      if !isClose(p, scene.truth, within: 1e-4) { wrong += 1 }
    }
    #expect(answered > 1980)
    #expect(wrong == 0)
  }

  @Test(arguments: [3, 5])
  func `no place of a dense grid explains noisy levels better`(anchors: Int) {
    var generator = SeededGenerator(seed: 16)
    for _ in 0..<20 {
      let scene = Scene.random(anchors: anchors, noise: 4, using: &generator)
      guard let p = MaximumLikelihood().locate(scene.observations).position else { continue }
      let best = misfit(of: scene.observations, at: p)
      for x in stride(from: 0.0, through: 20, by: 0.25) {
        for y in stride(from: 0.0, through: 20, by: 0.25) {
          #expect(misfit(of: scene.observations, at: Point(x: x, y: y)) >= best - 1e-9)
        }
      }
    }
  }

  @Test func `agrees with scipy's differential evolution`() throws {
    var generator = SeededGenerator(seed: 17)
    let scenes = (0..<8).map { _ in Scene.random(anchors: 5, noise: 4, height: 1, using: &generator)
    }
    let rows = scenes.map { scene in
      scene.observations.map {
        "\($0.anchor.x),\($0.anchor.y),\($0.rssi),\($0.measuredPower),\($0.exponent),\($0.sigma)"
      }.joined(separator: ";")
    }
    let script = """
      import sys, numpy as np
      from scipy.optimize import differential_evolution
      for row in sys.argv[1:]:
          x, y, z, P, n, s = np.array([[float(v) for v in t.split(',')] for t in row.split(';')]).T
          def cost(p):
              d = np.sqrt((p[0] - x) ** 2 + (p[1] - y) ** 2 + 1)
              return (((z - P + 10 * n * np.log10(d)) / s) ** 2).sum()
          best = differential_evolution(cost, [(-20, 40), (-20, 40)], seed=1, tol=1e-12, popsize=30)
          print(repr(float(best.x[0])), repr(float(best.x[1])), repr(float(best.fun)))
      """
    let result = try runPython(script, rows)
    try #require(result.exitCode == 0, "\(result.error)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == scenes.count)
    for (scene, line) in zip(scenes, lines) {
      let numbers = line.split(separator: " ").map { Double($0)! }
      let p = try #require(MaximumLikelihood().locate(scene.observations).position)
      #expect(misfit(of: scene.observations, at: p) <= numbers[2] + 1e-9)
    }
  }

  @Test func `its covariance is the Cramér–Rao bound where levels are nearly exact`() throws {
    var generator = SeededGenerator(seed: 18)
    for _ in 0..<50 {
      let scene = Scene.random(anchors: 5, height: 1, using: &generator)
      let o = scene.observations.map { observation in
        var exact = observation
        exact.sigma *= 1e-3
        return exact
      }
      guard let covariance = MaximumLikelihood().locate(o).covariance else { continue }
      let bound = try #require(cramerRaoBound(o, at: scene.truth))
      let scale = bound.xx + bound.yy
      #expect(isClose(covariance.xx, bound.xx, absolute: 0.01 * scale))
      #expect(isClose(covariance.xy, bound.xy, absolute: 0.01 * scale))
      #expect(isClose(covariance.yy, bound.yy, absolute: 0.01 * scale))
    }
  }

  @Test func `its claimed covariance is that of its errors`() throws {
    var generator = SeededGenerator(seed: 20)
    let anchors = [(0.0, 0.0), (20, 0), (0, 20), (20, 20), (10, 2)].map { Point(x: $0.0, y: $0.1) }
    let (trials, sigma) = (2000, 0.5)
    var total = 0.0
    for _ in 0..<trials {
      let truth = Point(
        x: Double.random(in: 5..<15, using: &generator),
        y: Double.random(in: 5..<15, using: &generator))
      let outcome = MaximumLikelihood().locate(
        anchors.map {
          let level = -59 - 20 * log10($0.distance(to: truth))
          return Observation(
            anchor: $0, rssi: level + sigma * Scene.normal(using: &generator), measuredPower: -59,
            exponent: 2, sigma: sigma)
        })
      let (p, c) = (try #require(outcome.position), try #require(outcome.covariance))
      let (dx, dy) = (p.x - truth.x, p.y - truth.y)
      total += (c.yy * dx * dx - 2 * c.xy * dx * dy + c.xx * dy * dy) / (c.xx * c.yy - c.xy * c.xy)
    }
    // Chi-square with 2 degrees of freedom: mean 2, and its mean over the trials has deviation
    // 0.045.
    #expect(isClose(total / Double(trials), 2, absolute: 0.2))
  }

  @Test
  func `levels too weak for the site give an answer on the edge, without a covariance`() throws {
    let o = [(0.0, 0.0, -79.0), (10, 0, -99), (0, 10, -99)].map {
      Observation(
        anchor: Point(x: $0.0, y: $0.1), rssi: $0.2, measuredPower: -59, exponent: 2, sigma: 4)
    }
    guard case .located(let estimate) = MaximumLikelihood().locate(o) else {
      Issue.record("no answer")
      return
    }
    // Ranges 10, 100 and 100 m: the box ends 20 m outside the anchors.
    #expect(abs(estimate.position.x) <= 30 && abs(estimate.position.y) <= 30)
    let far = o.map { v in
      var weak = v
      weak.rssi = -99
      weak.measuredPower = v.anchor.x == 0 && v.anchor.y == 0 ? -79 : -39
      return weak
    }
    guard case .located(let edge) = MaximumLikelihood().locate(far) else {
      Issue.record("no answer")
      return
    }
    #expect(edge.position.x == -20 || edge.position.y == -20)
    #expect(edge.uncertainty == .unavailable(.onTheEdge))
  }
}
