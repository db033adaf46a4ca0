import Foundation
import NumericalMethods
import TestSupport
import Testing

struct SimplexMinimumTests {
  @Test func `finds the minima that scipy finds`() throws {
    let script = """
      from scipy.optimize import minimize
      rosenbrock = lambda x: (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
      bowl = lambda x: sum(np.cosh(k * (x[k - 1] - 0.3 * k)) for k in (1, 2, 3))
      gamma = lambda x: -(rows[0].size * (x[0] * np.log(x[1]) - lgamma(x[0]))
                          + ((x[0] - 1) * np.log(rows[0]) - x[1] * rows[0]).sum())
      from math import lgamma
      for f, start in [(rosenbrock, [-1.2, 1]), (bowl, [2, -1, 0]), (gamma, [1, 1])]:
          bounds = [(1e-9, None)] * 2 if f is gamma else None
          found = minimize(f, start, bounds=bounds, method="L-BFGS-B",
                           options=dict(ftol=1e-15, gtol=1e-9))
          answer(*found.x, found.fun)
      """
    let sample = [0.3, 1.9, 2.2, 0.7, 4.1, 1.5, 2.8]
    let expected = try reference(script, [sample])
    let found = [
      SimplexMinimum(from: [-1.2, 1], steps: [0.5, 0.5], tolerance: 1e-7) {
        pow(1 - $0[0], 2) + 100 * pow($0[1] - $0[0] * $0[0], 2)
      },
      SimplexMinimum(from: [2, -1, 0], steps: [1, 1, 1], tolerance: 1e-7) { x in
        cosh(x[0] - 0.3) + cosh(2 * (x[1] - 0.6)) + cosh(3 * (x[2] - 0.9))
      },
      // A likelihood that is not a number for negative parameters.
      SimplexMinimum(from: [1, 1], steps: [-0.9, 0.5], tolerance: 1e-7) { x in
        guard x[0] > 0, x[1] > 0 else { return .nan }
        let constant = x[0] * log(x[1]) - lgamma(x[0])
        return sample.reduce(0.0) { sum, one in
          sum - constant - (x[0] - 1) * log(one) + x[1] * one
        }
      },
    ]
    try #require(expected.count == found.count)
    for (mine, scipy) in zip(found, expected) {
      #expect(mine.hasConverged)
      try #require(mine.x.count == scipy.count - 1)
      for (a, b) in zip(mine.x, scipy) { #expect(isClose(a, b, absolute: 2e-5, relative: 2e-5)) }
      // Never above what a method with derivatives reaches.
      #expect(mine.value <= scipy[scipy.count - 1] + 1e-9)
    }
  }

  @Test func `a minimum along one coordinate is where Brent's method finds it`() {
    let found = SimplexMinimum(from: [4], steps: [1], tolerance: 1e-7) { cosh($0[0] - 1.3) }
    #expect(found.hasConverged)
    #expect(isClose(found.x[0], 1.3, absolute: 1e-7))
    #expect(found.value == cosh(found.x[0] - 1.3))
  }

  @Test func `gives up where the function is not finite at the start, or after its steps`() {
    let nowhere = SimplexMinimum(from: [1, 2], steps: [1, 1], tolerance: 1e-6) { _ in .nan }
    #expect(nowhere.x == [1, 2])
    #expect(nowhere.value.isNaN)
    #expect(!nowhere.hasConverged)
    let edge = SimplexMinimum(from: [1], steps: [1], tolerance: 1e-6) {
      $0[0] > 1 ? .infinity : $0[0] * $0[0]
    }
    #expect(edge.x == [1])
    #expect(edge.value == 1)
    #expect(!edge.hasConverged)
    var calls = 0
    let hasty = SimplexMinimum(from: [9, 9], steps: [1, 1], tolerance: 1e-7, maximumSteps: 5) {
      calls += 1
      return $0[0] * $0[0] + $0[1] * $0[1]
    }
    #expect(!hasty.hasConverged)
    #expect(hasty.value < 162)
    #expect(calls < 20)
  }

  @Test func `on a flat function it does not claim to have found anything`() {
    let flat = SimplexMinimum(from: [3, 4], steps: [1, 1], tolerance: 1e-6) { _ in 7 }
    #expect(flat.value == 7)
    #expect(!flat.hasConverged)
  }
}
