import Foundation
import NumericalMethods
import TestSupport
import Testing

struct LineMinimumTests {
  typealias Sample = LineMinimum.Sample

  private func minimum(
    _ low: Double, _ middle: Double, _ high: Double, maximumSteps: Int = 100,
    _ f: (Double) -> Double
  ) -> LineMinimum {
    LineMinimum(
      between: Sample(x: low, value: f(low)), Sample(x: middle, value: f(middle)),
      and: Sample(x: high, value: f(high)), tolerance: 1e-7, maximumSteps: maximumSteps, of: f)
  }

  @Test func `finds the minimum that scipy finds`() throws {
    let script = """
      from scipy.optimize import minimize_scalar
      for f, low, high in [(lambda x: np.cosh(x - 1.3), -4, 6), (lambda x: -x * np.exp(-x), 0, 8),
                           (lambda x: x ** 4 - 3 * x, -2, 5), (lambda x: abs(x - 0.7), -1, 9)]:
          found = minimize_scalar(f, bounds=(low, high), method="bounded",
                                  options=dict(xatol=1e-11))
          answer(found.x, found.fun)
      """
    let expected = try reference(script, [])
    let found = [
      minimum(-4, 0, 6) { cosh($0 - 1.3) }, minimum(0, 2, 8) { -$0 * exp(-$0) },
      minimum(-2, 1, 5) { $0 * $0 * $0 * $0 - 3 * $0 }, minimum(-1, 1, 9) { abs($0 - 0.7) },
    ]
    try #require(expected.count == found.count)
    for (mine, scipy) in zip(found, expected) {
      #expect(mine.hasConverged)
      #expect(isClose(mine.x, scipy[0], absolute: 1e-6))
      #expect(isClose(mine.value, scipy[1], absolute: 2e-7))
    }
  }

  @Test func `takes far fewer steps than halving a smooth function's bracket would`() {
    var calls = 0
    let found = minimum(0, 0.4, 1) {
      calls += 1
      return cosh($0 - 0.3)
    }
    #expect(found.hasConverged)
    // Golden sections alone need log(1e-7) / log(0.618) = 34.
    #expect(calls < 25)
  }

  @Test func `without a bracket it is the least of the samples`() {
    let falling = minimum(0, 1, 2) { -$0 }
    #expect(falling == minimum(0, 1, 2) { -$0 })
    #expect((falling.x, falling.value) == (2, -2))
    #expect(!falling.hasConverged)
    #expect(minimum(0, 1, 2) { $0 }.x == 0)
    let flat = minimum(0, 1, 2) { _ in 3 }
    #expect((flat.x, flat.value) == (1, 3))
    #expect(minimum(1, 1, 1) { $0 }.x == 1)
    #expect(!minimum(0, 1, 2) { _ in .nan }.hasConverged)
  }

  @Test func `gives up where the function is not finite, or after its steps`() {
    let hole = minimum(0, 1, 4) { [0, 1, 4].contains($0) ? abs($0 - 1) : .nan }
    #expect((hole.x, hole.value) == (1, 0))
    #expect(!hole.hasConverged)
    let hasty = minimum(0, 1, 4, maximumSteps: 2) { cosh($0 - 2) }
    #expect(!hasty.hasConverged)
    #expect(hasty.value <= cosh(-1.0))
  }
}
