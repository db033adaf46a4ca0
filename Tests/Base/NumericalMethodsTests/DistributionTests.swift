import NumericalMethods
import TestSupport
import Testing

/// Against scipy.
struct DistributionTests {
  private let probabilities = [
    1e-12, 0.001, 0.005, 0.025, 0.3, 0.5, 0.6, 0.9, 0.975, 0.995, 0.9995,
  ]

  @Test func `quantiles of Student's t`() throws {
    let degrees: [Double] = [1.5, 2, 3, 4, 5, 7, 10, 18, 30, 100, 398, 1e3, 5e3, 1e4, 1e6]
    let script = """
      from scipy.stats import t
      for n in rows[0]: answer(*t.ppf(rows[1], n))
      """
    let expected = try reference(script, [degrees, probabilities])
    try #require(expected.count == degrees.count)
    for (n, line) in zip(degrees, expected) {
      for (p, value) in zip(probabilities, line) {
        let mine = StudentTDistribution(degreesOfFreedom: n).quantile(p)
        #expect(
          isClose(mine, value, absolute: 1e-12, relative: 1e-9), "\(p) of \(n): \(mine), \(value)")
      }
    }
  }

  @Test func `Student's t has Cauchy's and the normal distribution as its ends`() {
    // tan(π (p - 1/2)), and the normal quantile of 0.975.
    #expect(
      isClose(
        StudentTDistribution(degreesOfFreedom: 1).quantile(0.975), 12.706204736174694,
        relative: 1e-9))
    #expect(
      isClose(
        StudentTDistribution(degreesOfFreedom: 1e9).quantile(0.975), 1.959963984540054,
        relative: 1e-7))
  }

  @Test func `tails of chi-squared`() throws {
    let degrees: [Double] = [1, 2, 3, 8, 9, 10, 30, 100]
    let values = [0, 0.001, 0.5, 1, 3.84, 9, 18.3, 60, 200]
    let script = """
      from scipy.stats import chi2
      for n in rows[0]: answer(*chi2.sf(rows[1], n))
      """
    let expected = try reference(script, [degrees, values])
    try #require(expected.count == degrees.count)
    for (n, line) in zip(degrees, expected) {
      let distribution = ChiSquaredDistribution(degreesOfFreedom: n)
      for (x, tail) in zip(values, line) {
        #expect(isClose(distribution.above(x), tail, relative: 1e-9))
        #expect(isClose(distribution.below(x), 1 - tail, absolute: 1e-15, relative: 1e-9))
      }
    }
  }

  @Test func `quantiles of the normal distribution and of chi-squared`() throws {
    let expected = try reference(
      """
      from scipy import stats
      for p, in rows: answer(stats.norm.ppf(p), stats.chi2.ppf(p, 2), stats.chi2.ppf(p, 3))
      """, probabilities.map { [$0] })
    for (p, theirs) in zip(probabilities, expected) {
      #expect(
        isClose(NormalDistribution.quantile(p), theirs[0], absolute: 1e-14, relative: 1e-11))
      for (degrees, quantile) in zip([2.0, 3], theirs[1...]) {
        let mine = ChiSquaredDistribution(degreesOfFreedom: degrees).quantile(p)
        #expect(isClose(mine, quantile, relative: 1e-10), "\(p) of \(degrees)")
      }
    }
  }

  @Test func `tails and quantiles of F, also where GSL's quantile is NaN`() throws {
    let freedom: [[Double]] = [
      [1, 1], [1, 20], [1, 271], [1, 407], [1, 10_000], [2, 1.5], [2, 400], [9, 5], [400, 3],
    ]
    let expected = try reference(
      """
      from scipy.stats import f
      for a, b in rows: answer(*[v for p in (0.025, 0.5, 0.95) for v in (f.ppf(p, a, b), f.sf(p, a, b))])
      """, freedom)
    try #require(expected.count == freedom.count)
    for (numbers, theirs) in zip(freedom, expected) {
      let distribution = FDistribution(numerator: numbers[0], denominator: numbers[1])
      let mine = [0.025, 0.5, 0.95].flatMap {
        [distribution.quantile($0), distribution.above($0)]
      }
      for (value, their) in zip(mine, theirs) {
        #expect(isClose(value, their, relative: 1e-9), "\(numbers)")
      }
    }
  }

  @Test func `the probability above a quantile is the rest`() {
    for freedom in [1.5, 3, 20, 400] {
      let t = StudentTDistribution(degreesOfFreedom: freedom)
      #expect(isClose(t.above(t.quantile(0.975)), 0.025, relative: 1e-9))
      #expect(isClose(t.below(t.quantile(0.975)), 0.975, relative: 1e-9))
      let chiSquared = ChiSquaredDistribution(degreesOfFreedom: freedom)
      #expect(isClose(chiSquared.above(chiSquared.quantile(0.9)), 0.1, relative: 1e-9))
      let f = FDistribution(numerator: 2, denominator: freedom)
      #expect(isClose(f.above(f.quantile(0.95)), 0.05, relative: 1e-9))
      #expect(isClose(f.below(f.quantile(0.95)), 0.95, relative: 1e-9))
      let beta = BetaDistribution(a: 2, b: freedom)
      #expect(isClose(beta.above(beta.quantile(0.95)), 0.05, relative: 1e-9))
    }
  }

  @Test func `Clopper and Pearson's interval, also where GSL's quantile is NaN`() throws {
    let cases = [
      [0, 1], [1, 1], [0, 20], [20, 20], [3, 17], [2, 259], [258, 260], [475, 500],
      [94_900, 100_000],
    ]
    let expected = try reference(
      """
      from scipy.stats import binomtest
      for k, n in rows:
          c = binomtest(int(k), int(n)).proportion_ci(0.95, method="exact")
          answer(c.low, c.high)
      """, cases.map { $0.map(Double.init) })
    for (numbers, limits) in zip(cases, expected) {
      let mine = clopperPearsonInterval(
        successes: numbers[0], trials: numbers[1], confidence: 0.95)
      #expect(isClose(mine.lower, limits[0], relative: 1e-8), "\(numbers)")
      #expect(isClose(mine.upper, limits[1], relative: 1e-8), "\(numbers)")
    }
  }
}
