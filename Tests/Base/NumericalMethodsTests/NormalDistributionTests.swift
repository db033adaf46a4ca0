import NumericalMethods
import TestSupport
import Testing

struct NormalDistributionTests {
  @Test func `agrees with scipy, far into the tails`() throws {
    let places = stride(from: -38.0, through: 38, by: 0.37).map { $0 }
    let script = """
      from scipy.stats import norm
      from scipy.special import log_ndtr
      for x in rows[0]:
          answer(norm.pdf(x), norm.cdf(x), norm.sf(x), norm.logsf(x), np.exp(norm.logpdf(x) - norm.logsf(x)))
      """
    for (x, answer) in zip(places, try reference(script, [places])) {
      let mine = [
        NormalDistribution.density(x), NormalDistribution.below(x), NormalDistribution.above(x),
        NormalDistribution.logAbove(x), NormalDistribution.hazard(x),
      ]
      for (index, pair) in zip(mine, answer).enumerated() {
        // The logarithm of nearly 1 is 0 to the precision of 1.
        let absolute = index == 3 ? 1e-15 : 1e-300
        #expect(isClose(pair.0, pair.1, absolute: absolute, relative: 1e-8), "\(index) of \(x)")
      }
    }
    #expect(isClose(NormalDistribution.quantile(0.975), 1.959963984540054))
  }
}
