import NumericalMethods
import TestSupport
import Testing

struct LogisticNormalTests {
  @Test func `agrees with scipy's integral of the logistic curve over the error`() throws {
    let places = [-30.0, -8, -3, -0.5, 0, 1, 4, 12]
    let expected = try reference(
      """
      from scipy.integrate import quad
      from scipy.special import expit
      from scipy.stats import norm
      for x in rows[0]:
          for scale, deviation in ((1.5, 4.5), (3, 1), (0.3, 6)):
              low, high = -10 * deviation, 10 * deviation
              kink = sorted({min(max(-x, low), high)})
              def mean(f): return quad(lambda e: f((x + e) / scale) * norm.pdf(e, 0, deviation), low, high,
                                       points=kink, epsabs=1e-13, epsrel=1e-12, limit=400)[0]
              slope = mean(lambda v: expit(v) * expit(-v)) / scale
              bend = mean(lambda v: expit(v) * expit(-v) * (expit(-v) - expit(v))) / scale ** 2
              scaled = mean(lambda v: -v * expit(v) * expit(-v))
              answer(mean(expit), mean(lambda v: expit(-v)), slope, bend, scaled)
      """, [places])
    var index = 0
    for x in places {
      for (scale, deviation) in [(1.5, 4.5), (3, 1), (0.3, 6)] as [(Double, Double)] {
        let value = LogisticNormal(variance: deviation * deviation, scale: scale).value(at: x)
        let found = [
          value.probability, value.complement, value.slope, value.curvature, value.byLogScale,
        ]
        let tolerances = [5e-9, 5e-9, 1e-8, 5e-7, 1e-7]
        for (number, answer) in found.indices.map({ ($0, expected[index][$0]) }) {
          #expect(
            isClose(found[number], answer, absolute: tolerances[number]),
            "\(number) at \(x), \(scale), \(deviation)")
        }
        index += 1
      }
    }
  }

  @Test func `is the normal distribution for a step`() {
    let step = LogisticNormal(variance: 4, scale: 0)
    for x in [-30.0, -1, 0, 2, 9] {
      #expect(
        isClose(step.value(at: x).probability, NormalDistribution.below(x / 2), relative: 1e-12))
      #expect(
        isClose(step.value(at: x).complement, NormalDistribution.above(x / 2), relative: 1e-12))
      #expect(
        isClose(step.value(at: x).slope, NormalDistribution.density(x / 2) / 2, relative: 1e-12))
    }
  }

  @Test func `one logistic curve is nearly the same`() {
    let (scale, variance) = (2.0, 9.0)
    let exact = LogisticNormal(variance: variance, scale: scale)
    let near = LogisticNormal(
      variance: 0, scale: LogisticNormal.nearScale(of: scale, variance: variance))
    for x in stride(from: -15.0, through: 15, by: 0.5) {
      let difference = exact.value(at: x).probability - near.value(at: x).probability
      #expect(abs(difference) < 0.02)
    }
  }
}

struct GaussHermiteRuleTests {
  @Test func `has numpy's nodes and weights`() throws {
    let expected = try reference(
      """
      for n in (1, 2, 9, 20):
          nodes, weights = np.polynomial.hermite_e.hermegauss(n)
          answer(*nodes); answer(*weights / weights.sum())
      """, [])
    for (index, count) in [1, 2, 9, 20].enumerated() {
      let rule = GaussHermiteRule(count: count)
      for (found, answer) in zip(rule.nodes, expected[2 * index]) {
        #expect(isClose(found, answer, absolute: 1e-12))
      }
      for (found, answer) in zip(rule.weights, expected[2 * index + 1]) {
        #expect(isClose(found, answer, absolute: 1e-13))
      }
    }
  }

  @Test func `integrates a narrow peak far from 0`() {
    // A Gaussian of width 0.1 at 3, times a factor: log ∫ = log(0.1) + 2.
    let (value, shares) = GaussHermiteRule(count: 5).logIntegral(peak: 3, width: 0.1) { x in
      2 - 50 * (x - 3) * (x - 3)
    }
    #expect(isClose(value, 2 - 2.302_585_092_994_046, absolute: 1e-12))
    #expect(isClose(shares.reduce(0, +), 1, absolute: 1e-12))
  }
}
