import Filtering
import TestSupport
import Testing

struct VelocityNoiseEstimateTests {
  /// The same likelihood by other means: a link's levels are a smoothing spline's, Gaussian about a
  /// straight line of unknown level and slope, and scipy searches both logarithms. The determinant
  /// is that of the levels given the two that fix the line.
  private let script = """
    from scipy.linalg import eigh
    from scipy.optimize import minimize
    least = rows[0][0]
    links = []
    for t, z in zip(rows[1::2], rows[2::2]):
        j = np.flatnonzero(t > t[0])[0]
        others = [i for i in range(len(t)) if i not in (0, j)]
        A = np.column_stack([np.ones(len(t)), t])
        T = np.zeros((len(others), len(t)))
        T[range(len(others)), others] = 1
        T[:, [0, j]] = -A[others] @ np.linalg.inv(A[[0, j]])
        m, d = np.minimum.outer(t, t), abs(np.subtract.outer(t, t))
        # Both covariances made diagonal at once, so that each evaluation is a sum.
        noise = T @ T.T
        spread, V = eigh(T @ (m ** 3 / 3 + d * m ** 2 / 2) @ T.T, noise)
        links.append(((V.T @ T @ z) ** 2, spread, np.linalg.slogdet(noise)[1]))
    def loss(p):
        q, r, total = np.exp(p[0]), np.exp(p[1]), 0.0
        for squares, spread, determinant in links:
            S = q * spread + r
            total += 0.5 * (np.log(2 * np.pi * S).sum() + determinant + (squares / S).sum())
        return total
    options = dict(xatol=1e-6, fatol=1e-8, maxiter=2000)
    found = minimize(loss, [0.0, 2.0], method="Nelder-Mead", options=options)
    p = found.x
    if np.exp(p[1]) < least:
        found = minimize(lambda x: loss([x[0], np.log(least)]), [p[0]], method="Nelder-Mead",
                         options=options)
        p = np.array([found.x[0], np.log(least)])
    answer(*np.exp(p), -found.fun)
    """

  private func scipy(_ links: [NoiseEstimate.Link]) throws -> [Double] {
    var rows: [[Double]] = [[1.0 / 12]]
    for link in links {
      rows.append(link.times.map { Double($0 - link.times[0]) * 1e-9 })
      rows.append(link.levels.map(Double.init))
    }
    return try reference(script, rows)[0]
  }

  /// Levels whose slope wanders with process noise `q` (dB²/s³), heard with noise `r` (dB²).
  private func sloping(
    _ times: [Int64], q: Double, r: Double, _ generator: inout SeededGenerator
  ) -> NoiseEstimate.Link {
    var link = NoiseEstimate.Link()
    var (level, slope) = (-70.0, 0.5)
    var last = times[0]
    for time in times {
      let h = Double(time - last) * 1e-9
      last = time
      // The two are drawn with covariance q [h³/3 h²/2; h²/2 h].
      let push = generator.gaussian()
      let bend = 0.5 * push + generator.gaussian() / 12.0.squareRoot()
      let scale = (q * h * h * h).squareRoot()
      level += h * slope + scale * bend
      slope += (q * h).squareRoot() * push
      link.times.append(time)
      link.levels.append(Float(level + r.squareRoot() * generator.gaussian()))
    }
    return link
  }

  @Test(arguments: Reception.allCases, [(2.0, 12.0), (0.05, 4.0)])
  func `is where scipy finds the likelihood largest, and near the truth`(
    reception: Reception, truth: (q: Double, r: Double)
  ) throws {
    var generator = SeededGenerator(seed: 7)
    let link = sloping(reception.times(300, &generator), q: truth.q, r: truth.r, &generator)
    let best = try scipy([link])
    let estimate = try #require(VelocityNoiseEstimate([link]))
    #expect(isClose(estimate.q, best[0], relative: 2e-3))
    #expect(isClose(estimate.r, best[1], relative: 1e-3))
    #expect(isClose(estimate.logLikelihood, best[2], absolute: 1e-4))
    // Measured: the logarithm of q has a standard error of 0.3 to 0.6 in these links.
    #expect((0.15...7).contains(estimate.q / truth.q))
    // A sample variance of 300 has a standard error of 8 %.
    #expect(isClose(estimate.r, truth.r, relative: 0.4))
  }

  @Test func `pools links of different lengths, each with a start of its own`() throws {
    var generator = SeededGenerator(seed: 8)
    let links = [5, 40, 150, 200].enumerated().map { index, count in
      var link = sloping(
        Reception.allCases[index % 3].times(count, &generator), q: 2, r: 9, &generator)
      for k in link.levels.indices { link.levels[k] -= Float(20 * index) }
      return link
    }
    let best = try scipy(links)
    let single = NoiseEstimate.Link(times: [1], levels: [-60])
    let estimate = try #require(VelocityNoiseEstimate(links + [single, NoiseEstimate.Link()]))
    #expect(isClose(estimate.q, best[0], relative: 2e-3))
    #expect(isClose(estimate.r, best[1], relative: 1e-3))
    #expect(isClose(estimate.logLikelihood, best[2], absolute: 1e-4))
  }

  @Test
  func `is never below the variance of rounding to 1 dB, and best under that condition`() throws {
    var generator = SeededGenerator(seed: 9)
    // Whole levels without noise: the slope itself changes by whole steps.
    var link = NoiseEstimate.Link()
    var (level, slope) = (0, 0)
    for k in Int64(0)..<200 {
      link.times.append(k * 1_000_000_000)
      link.levels.append(Float(level))
      level += slope
      slope += Int.random(in: -1...1, using: &generator)
    }
    let best = try scipy([link])
    let estimate = try #require(VelocityNoiseEstimate([link]))
    #expect(estimate.r == 1.0 / 12)
    #expect(isClose(estimate.q, best[0], relative: 2e-3))
    #expect(isClose(estimate.logLikelihood, best[2], absolute: 1e-4))
  }

  @Test func `its likelihood is that of the filter with its parameters`() throws {
    var generator = SeededGenerator(seed: 10)
    var link = sloping(Reception.dense.times(300, &generator), q: 2, r: 9, &generator)
    link.times[1] = link.times[0]
    for k in stride(from: 5, to: 300, by: 9) { link.times[k] -= 700_000_000 }
    let estimate = try #require(VelocityNoiseEstimate([link]))
    var filter = VelocityFilter(q: estimate.q, r: estimate.r)
    for (time, level) in zip(link.times, link.levels) {
      _ = filter.update(time: time, rssi: Double(level))
    }
    #expect(isClose(estimate.logLikelihood, filter.logLikelihood, absolute: 1e-6))
  }

  @Test func `leaves out levels that are not finite`() {
    var generator = SeededGenerator(seed: 13)
    let link = sloping(Reception.dense.times(200, &generator), q: 2, r: 9, &generator)
    var holed = link
    for place in [100, 50, 0] {
      holed.times.insert(link.times[place], at: place)
      holed.levels.insert(
        [Float.nan, .infinity].randomElement(using: &generator) ?? .nan, at: place)
    }
    #expect(VelocityNoiseEstimate([holed]) == VelocityNoiseEstimate([link]))
    let nothing = NoiseEstimate.Link(times: [1, 2], levels: [.nan, .nan])
    #expect(VelocityNoiseEstimate([nothing, link]) == VelocityNoiseEstimate([link]))
  }

  @Test func `a ramp without noise has a slope that never changes`() throws {
    let link = NoiseEstimate.Link(
      times: (0..<50).map { $0 * 1_000_000_000 }, levels: (0..<50).map { Float(-90 + $0) })
    let estimate = try #require(VelocityNoiseEstimate([link]))
    #expect(estimate.q == 0)
    #expect(estimate.r == 1.0 / 12)
  }

  @Test func `a ramp in noise has a slope that does not wander`() throws {
    var generator = SeededGenerator(seed: 11)
    let link = sloping(Reception.dense.times(3000, &generator), q: 0, r: 9, &generator)
    let estimate = try #require(VelocityNoiseEstimate([link]))
    // With q at 0 the estimate of r is a sample variance: σ² √(2 / N) is its standard error.
    #expect(isClose(estimate.r, 9, relative: 5 * (2.0 / 3000).squareRoot()))
    #expect(estimate.q < 1e-4)
  }

  @Test func `there is none from fewer than 10 levels besides the start, or from constant ones`() {
    var generator = SeededGenerator(seed: 12)
    let link = sloping(Reception.dense.times(12, &generator), q: 2, r: 9, &generator)
    var shorter = link
    shorter.times.removeLast()
    shorter.levels.removeLast()
    #expect(VelocityNoiseEstimate([link]) != nil)
    #expect(VelocityNoiseEstimate([shorter]) == nil)
    #expect(VelocityNoiseEstimate([]) == nil)
    let constant = NoiseEstimate.Link(
      times: link.times, levels: Array(repeating: -60, count: link.times.count))
    #expect(VelocityNoiseEstimate([constant, constant]) == nil)
  }
}
