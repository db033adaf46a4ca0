import Filtering
import TestSupport
import Testing

struct NoiseEstimateWhitenessTests {
  private let script = """
    from scipy.stats import chi2
    for q, r in rows[0].reshape(-1, 2):
        errors = []
        for t, z in zip(rows[1::2], rows[2::2]):
            # The same errors otherwise: the Cholesky factor of the changes' covariance.
            h, d = np.diff(t), np.diff(z)
            c = np.diag(q * h + 2 * r) - r * (np.eye(len(d), k=1) + np.eye(len(d), k=-1))
            errors.append(np.linalg.solve(np.linalg.cholesky(c), d))
        every = np.concatenate(errors)
        n = len(every)
        lags = min(10, n // 5)
        square = ((every - every.mean()) ** 2).sum()
        Q, rho = 0.0, []
        for j in range(1, lags + 1):
            pairs = [(e[j:] - every.mean(), e[:-j] - every.mean()) for e in errors if len(e) > j]
            rho.append(sum((a * b).sum() for a, b in pairs) / square)
            Q += n * (n + 2) * rho[-1] ** 2 / sum(len(a) for a, b in pairs)
        answer(lags, Q, chi2.sf(Q, max(1, lags - 1)), chi2.sf(Q, lags), (every ** 2).mean(), rho[0])
    """

  @Test(arguments: [1, 3])
  func `agrees with numpy and scipy, over one link and over several`(count: Int) throws {
    var generator = SeededGenerator(seed: 30)
    let links = (0..<count).map { k in
      levels(at: Reception.dense.times(40 + 70 * k, &generator), q: 6, r: 12, &generator).rounded()
    }
    let noise = [(6.0, 12.0), (0, 20), (0.05, 3), (300, 1)]
    var rows = likelihoodRows(links, leastR: 0)
    rows[0] = noise.flatMap { [$0, $1] }
    let lines = try reference(script, rows)
    try #require(lines.count == noise.count)
    for ((q, r), expected) in zip(noise, lines) {
      let fitted = try #require(Whiteness(links, q: q, r: r))
      let given = try #require(Whiteness(links, q: q, r: r, areFitted: false))
      #expect(Double(fitted.lags) == expected[0])
      #expect(fitted.degreesOfFreedom == max(1, fitted.lags - 1))
      #expect(given.degreesOfFreedom == given.lags)
      #expect(isClose(fitted.statistic, expected[1], relative: 1e-8))
      #expect(isClose(fitted.pValue, expected[2], relative: 1e-7))
      #expect(isClose(given.pValue, expected[3], relative: 1e-7))
      #expect(isClose(fitted.meanNIS, expected[4], relative: 1e-9))
      #expect(isClose(fitted.lagOneCorrelation, expected[5], absolute: 1e-10))
    }
  }

  @Test(.systemRun)
  func `the right noise is white as often as it should be, the wrong noise is not`() throws {
    var generator = SeededGenerator(seed: 31)
    var refuted = 0
    for _ in 0..<100 {
      let times = Reception.dense.times(300, &generator)
      let link = levels(at: times, q: 6, r: 12, &generator).rounded()
      let estimate = try #require(NoiseEstimate([link]))
      let fitted = try #require(Whiteness([link], q: estimate.q, r: estimate.r))
      if fitted.pValue < 0.05 { refuted += 1 }
      // r is fitted as the mean of e² / F.
      #expect(isClose(fitted.meanNIS, 1, relative: 1e-9))
      let slow = try #require(Whiteness([link], q: 0.06, r: 12, areFitted: false))
      #expect(slow.pValue < 1e-4 && slow.lagOneCorrelation > 0.2 && slow.meanNIS > 1.2)
      let fast = try #require(Whiteness([link], q: 600, r: 12, areFitted: false))
      #expect(fast.lagOneCorrelation < -0.2 && fast.meanNIS < 0.7)
    }
    // 5 of 100, within 3 standard deviations of √(100 × 0.05 × 0.95) = 2.2.
    #expect(refuted <= 11)
  }

  @Test func `there is none without errors to compare`() {
    let still = NoiseEstimate.Link(
      times: [1, 2, 3, 4, 5, 6], levels: Array(repeating: -60, count: 6))
    #expect(Whiteness([still], q: 1, r: 1) == nil)
    let pair = NoiseEstimate.Link(times: [1, 2], levels: [-60, -61])
    #expect(Whiteness(Array(repeating: pair, count: 20), q: 1, r: 1) == nil)
    let short = NoiseEstimate.Link(times: [1, 2, 3, 4, 5], levels: [-60, -61, -63, -60, -61])
    #expect(Whiteness([short], q: 1, r: 1) == nil)
    #expect(Whiteness([short, pair], q: 1, r: 1)?.lags == 1)
    #expect(Whiteness([], q: 1, r: 1) == nil)
  }

  @Test func `takes no noise that cannot be`() async {
    await #expect(processExitsWith: .failure) { _ = Whiteness([], q: 1, r: 0) }
    await #expect(processExitsWith: .failure) { _ = Whiteness([], q: -1, r: 1) }
  }
}
