import Filtering
import TestSupport
import Testing

struct NoiseEstimateTests {
  /// The same likelihood by other means: a link's levels less its first one are Gaussian with a
  /// tridiagonal covariance of their increments, and scipy searches both logarithms.
  private let script = """
    from scipy.linalg import cholesky_banded, cho_solve_banded
    from scipy.optimize import minimize
    links = [(np.diff(t), np.diff(z)) for t, z in zip(rows[1::2], rows[2::2])]
    least = rows[0][0]
    def loss(p):
        q, r, total = np.exp(p[0]), np.exp(p[1]), 0.0
        for h, d in links:
            band = np.zeros((2, len(d)))
            band[0, 1:] = -r
            band[1] = q * h + 2 * r
            factor = cholesky_banded(band)
            total += 0.5 * (len(d) * np.log(2 * np.pi) + 2 * np.log(factor[1]).sum()
                            + d @ cho_solve_banded((factor, False), d))
        return total
    options = dict(xatol=1e-7, fatol=1e-9, maxiter=4000)
    found = minimize(loss, [1.0, 2.0], method="Nelder-Mead", options=options)
    p = found.x
    if np.exp(p[1]) < least:
        found = minimize(lambda x: loss([x[0], np.log(least)]), [p[0]], method="Nelder-Mead", options=options)
        p = np.array([found.x[0], np.log(least)])
    e = 1e-3
    def second(i, j):
        u, v = np.eye(2)[i] * e, np.eye(2)[j] * e
        return (loss(p + u + v) - loss(p + u - v) - loss(p - u + v) + loss(p - u - v)) / (4 * e * e)
    information = np.array([[second(0, 0), second(0, 1)], [second(1, 0), second(1, 1)]])
    errors = np.sqrt(np.diag(np.linalg.pinv(information)))
    answer(*np.exp(p), -found.fun, *errors)
    """

  private func rows(_ links: [NoiseEstimate.Link]) -> [[Double]] {
    [[1.0 / 12]]
      + links.flatMap { link in
        [link.times.map { Double($0 - link.times[0]) * 1e-9 }, link.levels.map(Double.init)]
      }
  }

  @Test(
    "finds the noise of simulated links, where the likelihood is largest",
    arguments: Reception.allCases, [(6.0, 12.0), (0.2, 4.0)])
  func recovers(reception: Reception, truth: (q: Double, r: Double)) throws {
    var generator = SeededGenerator(seed: 7)
    let link = levels(
      at: reception.times(2000, &generator), q: truth.q, r: truth.r, &generator)
    let scipy = try reference(script, rows([link]))[0]
    let estimate = try #require(NoiseEstimate([link]))
    #expect(isClose(estimate.q, scipy[0], relative: 1e-3))
    #expect(isClose(estimate.r, scipy[1], relative: 1e-3))
    #expect(isClose(estimate.logLikelihood, scipy[2], absolute: 1e-4))
    // Within 5 standard errors of the truth, from the curvature of the likelihood.
    #expect(isClose(estimate.q, truth.q, relative: 5 * scipy[3]))
    #expect(isClose(estimate.r, truth.r, relative: 5 * scipy[4]))
  }

  @Test("pools links of different lengths, each with a start of its own")
  func pooled() throws {
    var generator = SeededGenerator(seed: 8)
    let links = [5, 40, 1, 300, 900].enumerated().map { index, count in
      var link = levels(
        at: Reception.allCases[index % 3].times(count, &generator), q: 6, r: 12, &generator)
      // Levels of different links are not comparable; only their changes count.
      for k in link.levels.indices { link.levels[k] -= Float(20 * index) }
      return link
    }
    let scipy = try reference(script, rows(links.filter { $0.times.count > 1 }))[0]
    let estimate = try #require(NoiseEstimate(links + [NoiseEstimate.Link()]))
    #expect(isClose(estimate.q, scipy[0], relative: 1e-3))
    #expect(isClose(estimate.r, scipy[1], relative: 1e-3))
    #expect(isClose(estimate.logLikelihood, scipy[2], absolute: 1e-4))
  }

  @Test("is never below the variance of rounding to 1 dB, and best under that condition")
  func floor() throws {
    var generator = SeededGenerator(seed: 9)
    let link = levels(at: Reception.dense.times(500, &generator), q: 1, r: 0.001, &generator)
    let scipy = try reference(script, rows([link]))[0]
    let estimate = try #require(NoiseEstimate([link]))
    #expect(estimate.r == 1.0 / 12)
    #expect(isClose(estimate.q, scipy[0], relative: 1e-3))
    #expect(isClose(estimate.logLikelihood, scipy[2], absolute: 1e-4))
  }

  @Test("its likelihood is that of the filter with its parameters", arguments: [false, true])
  func filterAgrees(late: Bool) throws {
    var generator = SeededGenerator(seed: 10)
    var link = levels(at: Reception.dense.times(400, &generator), q: 6, r: 12, &generator)
    if late {
      for k in stride(from: 5, to: 400, by: 9) { link.times[k] -= 700_000_000 }
    }
    let estimate = try #require(NoiseEstimate([link]))
    var filter = KalmanFilter(q: estimate.q, r: estimate.r)
    for (time, level) in zip(link.times, link.levels) {
      _ = filter.update(time: time, rssi: Double(level))
    }
    #expect(isClose(estimate.logLikelihood, filter.logLikelihood, absolute: 1e-6))
  }

  @Test("a level that stands still in noise has no process noise")
  func still() throws {
    var generator = SeededGenerator(seed: 11)
    let link = levels(at: Reception.dense.times(3000, &generator), q: 0, r: 9, &generator)
    let estimate = try #require(NoiseEstimate([link]))
    // With q at 0 the estimate of r is a sample variance: σ² √(2 / N) is its standard error.
    #expect(isClose(estimate.r, 9, relative: 5 * (2.0 / 3000).squareRoot()))
    #expect(estimate.q < 0.01)
  }

  @Test("there is none from fewer than 10 steps, or from levels that never change")
  func none() {
    var generator = SeededGenerator(seed: 12)
    let ten = levels(at: Reception.dense.times(10, &generator), q: 6, r: 12, &generator)
    let eleven = levels(at: Reception.dense.times(11, &generator), q: 6, r: 12, &generator)
    #expect(NoiseEstimate([ten]) == nil)
    #expect(NoiseEstimate([eleven]) != nil)
    #expect(NoiseEstimate([]) == nil)
    let single = NoiseEstimate.Link(times: [1], levels: [-60])
    #expect(NoiseEstimate(Array(repeating: single, count: 100)) == nil)
    let constant = NoiseEstimate.Link(
      times: eleven.times, levels: Array(repeating: -60, count: 11))
    #expect(NoiseEstimate([constant, constant]) == nil)
  }
}
