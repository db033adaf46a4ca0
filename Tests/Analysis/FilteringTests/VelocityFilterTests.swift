import TestSupport
import Testing

@testable import Filtering

struct VelocityFilterTests {
  /// The posterior of an integrated Wiener process whose level and slope at the start are unknown,
  /// by generalised least squares, and the likelihood of all levels given the two that fix the
  /// start.
  private let script = """
    from scipy.stats import multivariate_normal
    t, z, (q, r) = rows
    def kernel(s, t):
        m, d = np.minimum.outer(s, t), abs(np.subtract.outer(s, t))
        return q * (m ** 3 / 3 + d * m ** 2 / 2)
    distinct = np.flatnonzero(t > t[0])
    for n in range(1, len(z) + 1):
        s = t[:n]
        known = len(distinct) > 0 and distinct[0] < n
        A = np.column_stack([np.ones(n), s])[:, :2 if known else 1]
        K = kernel(s, s) + r * np.eye(n)
        KA = np.linalg.solve(K, A)
        M = np.linalg.inv(A.T @ KA)
        b = M @ (KA.T @ z[:n])
        k = kernel(s, s[-1:])[:, 0]
        rest = np.linalg.solve(K, z[:n] - A @ b)
        R = A[-1] - KA.T @ k
        level = A[-1] @ b + k @ rest
        variance = kernel(s[-1:], s[-1:])[0, 0] - k @ np.linalg.solve(K, k) + R @ M @ R
        slope = b[1] + (q * s ** 2 / 2) @ rest if known else 0
        fixed = [0] + ([distinct[0]] if known else [])
        others = [i for i in range(n) if i not in fixed]
        likelihood = 0
        if others:
            G = -A[others] @ np.linalg.inv(A[fixed])
            e = z[others] + G @ z[fixed]
            T = np.zeros((len(others), n))
            T[range(len(others)), others] = 1
            T[:, fixed] = G
            likelihood = multivariate_normal.logpdf(e, np.zeros(len(e)), T @ K @ T.T)
        answer(level, variance, slope, likelihood)
    """

  @Test(arguments: [(0.0, 4.0), (0.05, 9.0), (2.0, 12.0), (20.0, 2.0)])
  func `is the Gaussian posterior of a sloping level with an unknown start`(q: Double, r: Double)
    throws
  {
    let heard = WalkingLevels(40, longestGap: 5, seed: UInt64(r))
    let expected = try reference(script, [heard.seconds, heard.levels, [q, r]])
    try #require(expected.count == heard.times.count)
    var filter = VelocityFilter(q: q, r: r)
    for (k, line) in expected.enumerated() {
      let said = filter.update(time: heard.times[k], rssi: heard.levels[k])
      #expect(isClose(said.rssi, line[0], absolute: 1e-8))
      #expect(isClose(said.variance, line[1], relative: 1e-8))
      #expect(isClose(filter.slope, line[2], absolute: 1e-8))
      #expect(isClose(filter.logLikelihood, line[3], absolute: 1e-8, relative: 1e-8))
    }
  }

  @Test func `levels of one time fix the level alone, wherever they are in the link`() throws {
    var heard = WalkingLevels(30, longestGap: 2, seed: 5)
    for k in 1..<4 { heard.times[k] = heard.times[0] }
    for k in 11..<14 { heard.times[k] = heard.times[10] }
    let expected = try reference(script, [heard.seconds, heard.levels, [1, 6]])
    var filter = VelocityFilter(q: 1, r: 6)
    for (k, line) in expected.enumerated() {
      let said = filter.update(time: heard.times[k], rssi: heard.levels[k])
      if k < 4 {
        #expect(isClose(said.rssi, heard.levels[0...k].reduce(0, +) / Double(k + 1)))
        #expect(isClose(said.variance, 6 / Double(k + 1)))
      }
      #expect(isClose(said.rssi, line[0], absolute: 1e-8))
      #expect(isClose(said.variance, line[1], relative: 1e-8))
      #expect(isClose(filter.logLikelihood, line[3], absolute: 1e-8, relative: 1e-8))
    }
  }

  @Test func `keeps its precision where the first two times are a microsecond apart`() throws {
    // Judged in exact fractions: the slope's variance is about 1e13.
    let script = """
      from fractions import Fraction
      t, z, (q, r) = [[Fraction(x) for x in row] for row in rows]
      x, v, P = z[0], Fraction(0), [[r, Fraction(0)], [Fraction(0), Fraction(10) ** 40]]
      for k in range(1, len(z)):
          h = (t[k] - t[k - 1]) / 10 ** 9
          x += h * v
          a = P[0][0] + 2 * h * P[0][1] + h * h * P[1][1] + q * h ** 3 / 3
          b = P[0][1] + h * P[1][1] + q * h * h / 2
          c = P[1][1] + q * h
          S, e = a + r, z[k] - x
          x, v = x + a / S * e, v + b / S * e
          P = [[a - a * a / S, b - a * b / S], [b - a * b / S, c - b * b / S]]
          answer(x, P[0][0])
      """
    let nanoseconds: [Int64] = [0, 1000, 2000, 1_000_000_000, 1_200_000_000, 3_000_000_000]
    let levels: [Double] = [-60, -64, -61, -70, -66, -71]
    let expected = try reference(script, [nanoseconds.map(Double.init), levels, [2, 9]])
    var filter = VelocityFilter(q: 2, r: 9)
    _ = filter.update(time: 0, rssi: levels[0])
    for k in 1..<levels.count {
      let said = filter.update(time: nanoseconds[k], rssi: levels[k])
      #expect(isClose(said.rssi, expected[k - 1][0], absolute: 1e-7))
      #expect(isClose(said.variance, expected[k - 1][1], relative: 1e-11))
    }
  }

  @Test func `follows a ramp with no error, where the random walk lags behind`() {
    var sloping = VelocityFilter(q: 1, r: 9)
    var walking = KalmanFilter(q: 6, r: 12)
    for k in 0..<100 {
      let level = -90 + 0.4 * Double(k)
      let time = Int64(k) * 200_000_000
      let said = sloping.update(time: time, rssi: level)
      let late = walking.update(time: time, rssi: level)
      #expect(isClose(said.rssi, level, absolute: 1e-9))
      if k > 50 { #expect(late.rssi < level - 1) }
    }
    #expect(isClose(sloping.slope, 2, absolute: 1e-9))
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a gap is the same in one step or in two`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let heard = WalkingLevels(20, seed: seed)
    var once = SlopingLevel()
    for (k, seconds) in heard.seconds.enumerated() {
      let gap = k == 0 ? 0 : seconds - heard.seconds[k - 1]
      _ = once.take(heard.levels[k], after: gap, q: 2, r: 9)
    }
    var twice = once
    let first = Double.random(in: 0...20, using: &generator)
    let then = Double.random(in: 0...20, using: &generator)
    once.predict(first + then, 2)
    twice.predict(first, 2)
    twice.predict(then, 2)
    for level in [-70.0, -60] {
      let surprise = once.take(level, after: 0.5, q: 2, r: 9)
      let same = twice.take(level, after: 0.5, q: 2, r: 9)
      #expect(isClose(surprise?.spread ?? .nan, same?.spread ?? .nan))
      #expect(isClose(once.level, twice.level, relative: 1e-12))
      #expect(isClose(once.variance, twice.variance, relative: 1e-12))
    }
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `is sound`(seed: UInt64) {
    expectSoundness(seed: seed) { _ in VelocityFilter(q: 2, r: 9) }
  }

  @Test func `is made from its text`() throws {
    let specification = try FilterSpecification("velocity")
    #expect(specification.missingNoise == .velocity)
    let heard = WalkingLevels(50, seed: 3)
    let said = try levels(
      of: ["velocity:q=2,r=9"],
      at: heard.times.indices.map {
        Heard(link: 0, time: heard.times[$0], rssi: heard.levels[$0])
      }, places: oneLink)
    #expect(bits(said) == bits(heard.said(by: VelocityFilter(q: 2, r: 9))))
  }
}
