import Geometry
import NumericalMethods
import Positioning
import TestSupport
import Testing

@testable import Evaluation

struct ProperScoresTests {
  @Test func `log and energy score: scipy's density, and numerical integrals`() throws {
    // xx, xy, yy, and the error.
    let cases: [[Double]] = [
      [1, 0, 1, 0, 0], [1, 0, 1, 3, -1], [4, 1, 1.25, 0.5, 2], [4, -1.9, 1, 2, -1],
      [1, 0, 0.0004, 0.3, 0.01], [0.01, 0, 0.01, 5, 5],
    ]
    // E|v| = ∫ (1 - E exp(-t |v|²)) t^(-3/2) dt / (2 √π), here with t = s².
    let expected = try reference(
      """
      from scipy.integrate import quad
      from scipy.stats import multivariate_normal
      def length(mean, values):
          def term(s):
              t = s * s
              q = 1 + 2 * t * values
              return (1 - np.prod(q ** -0.5 * np.exp(-t * mean ** 2 / q))) / t
          cuts = [0, 1e-2, 1, 30, 1e3, 1e5]
          total = sum(quad(term, a, b, limit=400)[0] for a, b in zip(cuts[:-1], cuts[1:])) + 1 / cuts[-1]
          return total / np.sqrt(np.pi)
      for xx, xy, yy, dx, dy in rows:
          C = np.array([[xx, xy], [xy, yy]])
          values, axes = np.linalg.eigh(C)
          e = axes.T @ np.array([dx, dy])
          answer(-multivariate_normal([0, 0], C).logpdf([dx, dy]),
                 length(e, values) - length(0 * e, 2 * values) / 2)
      """, cases)
    for (row, scores) in zip(cases, expected) {
      let covariance = Covariance(xx: row[0], xy: row[1], yy: row[2])
      #expect(isClose(try #require(covariance.logScore(row[3], row[4])), scores[0]))
      #expect(isClose(covariance.energyScore(row[3], row[4]), scores[1], relative: 2e-3), "\(row)")
    }
  }

  @Test func `both scores are least for the covariance that errors have`() throws {
    func scores(_ factor: Double) throws -> ProperScores {
      var generator = SeededGenerator(seed: 4)
      let outcomes = (0..<8).map { _ in
        (0..<200).map { _ in
          located(
            1 + 2 * generator.gaussian(), 2 + 0.7 * generator.gaussian(),
            Covariance(xx: 4 * factor, xy: 0, yy: 0.49 * factor))
        }
      }
      return try #require(
        Score(
          AlgorithmAnswers(name: "a", outcomes: outcomes),
          traces: questions(Array(repeating: 200, count: 8)),
          bootstrap: TraceBootstrap(resamples: 200)
        ).proper)
    }
    let (small, right, large) = (try scores(0.4), try scores(1), try scores(2.5))
    #expect(right.count == 1600 && right.log < small.log && right.log < large.log)
    #expect(right.energy < small.energy && right.energy < large.energy)
    // The entropy of the Gaussian: 1 + ln 2π + ln (2 · 0.7).
    #expect(isClose(right.log, 3.1743, absolute: 0.06))
    for (value, outcome) in [(right.log, right.logInterval), (right.energy, right.energyInterval)] {
      let interval = try #require(outcome.interval)
      #expect(interval.lower < value && value < interval.upper)
    }
  }

  @Test func `the interval of a mean is numpy's bootstrap-t, longer on the side of the tail`()
    throws
  {
    let sums = [22.0, 31, 18, 95, 27, 40, 24, 61]
    let counts = [20, 25, 18, 30, 24, 28, 22, 26]
    let expected = try reference(
      """
      from scipy.stats import norm
      sums, counts = rows
      n = len(sums)
      def mean(s, c):
          value = s.sum(-1) / c.sum(-1)
          rest = s - np.expand_dims(value, -1) * c
          return value, (n / (n - 1) * (rest ** 2).sum(-1)) ** 0.5 / c.sum(-1)
      value, error = mean(sums, counts)
      drawn = np.random.default_rng(1).integers(0, n, (200_000, n))
      values, errors = mean(sums[drawn], counts[drawn])
      tail = norm.cdf(-norm.ppf(0.975) * (n / (n - 1)) ** 0.5)
      low, high = np.quantile((values - value) / errors, [tail, 1 - tail])
      answer(value - high * error, value - low * error, value)
      """, [sums, counts.map(Double.init)])[0]
    let bootstrap = TraceBootstrap(resamples: 50_000)
    let found = try #require(bootstrap.meanInterval(sums, of: counts).interval)
    #expect(isClose(found.lower, expected[0], relative: 0.02))
    #expect(isClose(found.upper, expected[1], relative: 0.04))
    #expect(found.upper - expected[2] > 1.5 * (expected[2] - found.lower))
    let equal = bootstrap.meanInterval([4, 8, 2, 6, 10], of: [2, 4, 1, 3, 5]).interval
    #expect(equal == Interval(lower: 2, upper: 2))
  }

  @Test func `answers without a regular covariance have no proper scores`() {
    let said = AlgorithmAnswers(
      name: "a", outcomes: [[located(1, 2), located(1, 2, Covariance(xx: 1, xy: 1, yy: 1))]])
    #expect(Score(said, traces: questions([2])).proper == nil)
  }
}
