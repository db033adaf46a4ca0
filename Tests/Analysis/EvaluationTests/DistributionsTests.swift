import TestSupport
import Testing

@testable import Evaluation

/// Against scipy.
struct DistributionsTests {
  @Test("Clopper and Pearson's interval")
  func clopperPearson() throws {
    let cases = [[0, 1], [1, 1], [0, 20], [20, 20], [3, 17], [475, 500], [94_900, 100_000]]
    let expected = try reference(
      """
      from scipy.stats import binomtest
      for k, n in rows:
          c = binomtest(int(k), int(n)).proportion_ci(0.95, method="exact")
          answer(c.low, c.high)
      """, cases.map { $0.map(Double.init) })
    for (numbers, limits) in zip(cases, expected) {
      let mine = ClopperPearson.interval(
        successes: numbers[0], trials: numbers[1], confidence: 0.95)
      #expect(isClose(mine.lower, limits[0], relative: 1e-8), "\(numbers)")
      #expect(isClose(mine.upper, limits[1], relative: 1e-8), "\(numbers)")
    }
  }

  @Test("quantiles of Student's t, Gauss and chi-squared")
  func quantiles() throws {
    var cases: [[Double]] = []
    for degrees in [1.0, 2, 4, 7, 19, 100, 5000] {
      for confidence in [0.5, 0.95, 0.99] { cases.append([degrees, confidence]) }
    }
    let students = try reference(
      """
      from scipy import stats
      for n, p in rows: answer(stats.t.ppf((1 + p) / 2, n))
      """, cases)
    for (numbers, theirs) in zip(cases, students) {
      let mine = StudentT.twoSided(confidence: numbers[1], degrees: Int(numbers[0]))
      #expect(isClose(mine, theirs[0], relative: 1e-9), "\(numbers)")
    }
    let shares = [1e-12, 0.001, 0.025, 0.3, 0.5, 0.9, 0.975]
    let others = try reference(
      """
      from scipy import stats
      for p, in rows: answer(stats.norm.ppf(p), stats.chi2.ppf(p, 2), stats.chi2.ppf(p, 3))
      """, shares.map { [$0] })
    for (p, theirs) in zip(shares, others) {
      #expect(isClose(Gaussian.quantile(p), theirs[0], absolute: 1e-14, relative: 1e-11))
      #expect(isClose(ChiSquared.quantile(p, degrees: 2), theirs[1], relative: 1e-10))
      #expect(isClose(ChiSquared.quantile(p, degrees: 3), theirs[2], relative: 1e-6), "\(p)")
    }
  }

  @Test("signed ranks: exact for few, Gaussian for many")
  func signedRanks() throws {
    // R's qsignrank(0.025, n) for n = 6, 10, 20 and 50: tables of Wilcoxon's test.
    #expect([6, 10, 20, 50].map { SignedRanks.quantile(0.025, count: $0) } == [1, 9, 53, 435])
    // The exact distribution and its Gaussian limit meet: the next quantile is 50.5 - 1.96 · 4.4
    // further.
    let (exact, limit) = (
      SignedRanks.quantile(0.025, count: 100), SignedRanks.quantile(0.025, count: 101)
    )
    #expect((40...44).contains(limit - exact))
  }
}
