import Filtering
import NumericalMethods
import TestSupport
import Testing

struct NoiseEstimateUncertaintyTests {
  /// Intervals of the profile likelihood by nested searches and roots, and standard errors from
  /// second differences of the two-dimensional likelihood.
  private let script =
    likelihoodScript + """
      next(sets())
      from scipy.stats import t
      value, q, r = best()
      cut = value + 0.5 * t.ppf(0.975, count - 2) ** 2
      def over_r(q):
          return least_over(lambda x: loss(q, max(least, np.exp(x))), np.log(least), 8).fun
      def over_q(r): return min(loss(0, r), least_over(lambda x: loss(np.exp(x), r), -14, 8).fun)
      def ends(f, x, low, high):
          down = low if f(low) <= cut else brentq(lambda y: f(y) - cut, low, x, xtol=1e-9)
          return down, brentq(lambda y: f(y) - cut, max(x, low), high, xtol=1e-9)
      e = 1e-3
      def at(a, b): return loss(q * np.exp(a), r * np.exp(b))
      def curvature(i):
          a, b = np.eye(2)[i] * 2 * e
          return (at(a, b) - 2 * at(0, 0) + at(-a, -b)) / (4 * e * e)
      cross = (at(e, e) - at(e, -e) - at(-e, e) + at(-e, -e)) / (4 * e * e)
      covariance = np.linalg.pinv([[curvature(0), cross], [cross, curvature(1)]])
      answer(*ends(over_r, q, 0.0, 50 * q + 50), *ends(over_q, r, least, 50 * r),
             q * np.sqrt(covariance[0, 0]), r * np.sqrt(covariance[1, 1]),
             q / np.sqrt(curvature(0)))
      """

  private func check(
    _ link: NoiseEstimate.Link
  ) throws -> (estimate: NoiseEstimate, uncertainty: NoiseUncertainty, expected: [Double]) {
    let expected = try reference(script, likelihoodRows([link], leastR: 1.0 / 12))[0]
    let estimate = try #require(NoiseEstimate([link]))
    let uncertainty = estimate.uncertainty(from: [link])
    #expect(isClose(uncertainty.q.lower, expected[0], relative: 1e-4))
    #expect(isClose(uncertainty.q.upper, expected[1], relative: 1e-4))
    #expect(isClose(uncertainty.r.lower, expected[2], relative: 1e-4))
    #expect(isClose(uncertainty.r.upper, expected[3], relative: 1e-4))
    return (estimate, uncertainty, expected)
  }

  @Test(arguments: Reception.allCases)
  func `agrees with nested searches and second differences`(reception: Reception) throws {
    var generator = SeededGenerator(seed: 40)
    let link = levels(at: reception.times(150, &generator), q: 6, r: 12, &generator).rounded()
    let (_, uncertainty, expected) = try check(link)
    #expect(isClose(uncertainty.qStandardError, expected[4], relative: 1e-3))
    #expect(isClose(uncertainty.rStandardError, expected[5], relative: 1e-3))
  }

  @Test func `at rest the interval of q starts at 0, and its standard error is none`() throws {
    let times = (0..<60).map { Int64($0) * 1_000_000_000 }
    var generator = SeededGenerator(seed: 41)
    let levels = (0..<60).map {
      Float((-60 - Double($0 % 2) * 4 + 2 * generator.gaussian()).rounded())
    }
    let (estimate, uncertainty, _) = try check(NoiseEstimate.Link(times: times, levels: levels))
    #expect(estimate.q == 0)
    #expect(uncertainty.q.lower == 0 && uncertainty.q.upper > 0)
    #expect(uncertainty.qStandardError.isNaN)
    // That of a variance with 59 degrees of freedom.
    #expect(isClose(uncertainty.rStandardError, estimate.r * (2.0 / 59).squareRoot()))
  }

  @Test func `the interval of a minimal r starts at it`() throws {
    var generator = SeededGenerator(seed: 9)
    let link = levels(at: Reception.dense.times(200, &generator), q: 8, r: 0, &generator)
      .smoothed().rounded()
    let (estimate, uncertainty, expected) = try check(link)
    #expect(estimate.r == 1.0 / 12)
    #expect(uncertainty.r.lower == 1.0 / 12)
    #expect(uncertainty.rStandardError.isNaN)
    #expect(isClose(uncertainty.qStandardError, expected[6], relative: 1e-3))
  }

  @Test func `more confidence makes wider intervals`() throws {
    var generator = SeededGenerator(seed: 42)
    let link = levels(at: Reception.dense.times(200, &generator), q: 6, r: 12, &generator).rounded()
    let estimate = try #require(NoiseEstimate([link]))
    let all = [0.5, 0.9, 0.95, 0.99].map { estimate.uncertainty(from: [link], confidence: $0) }
    for (narrow, wide) in zip(all, all.dropFirst()) {
      #expect(wide.q.lower < narrow.q.lower && narrow.q.upper < wide.q.upper)
      #expect(wide.r.lower < narrow.r.lower && narrow.r.upper < wide.r.upper)
    }
  }

  @Test(.systemRun, arguments: Reception.allCases)
  func `the intervals contain the truth as often as claimed`(reception: Reception) throws {
    var generator = SeededGenerator(seed: 43)
    let runs = 200
    var (q, r) = (0, 0)
    for _ in 0..<runs {
      let link = levels(at: reception.times(100, &generator), q: 6, r: 12, &generator).rounded()
      let uncertainty = try #require(NoiseEstimate([link])).uncertainty(from: [link])
      if uncertainty.q.contains(6) { q += 1 }
      if uncertainty.r.contains(12 + 1.0 / 12) { r += 1 }
    }
    // 190 of 200, within 3 standard deviations of √(200 × 0.95 × 0.05) = 3.1.
    #expect((181...199).contains(q), "\(q) of \(runs)")
    #expect((181...199).contains(r), "\(r) of \(runs)")
  }
}
