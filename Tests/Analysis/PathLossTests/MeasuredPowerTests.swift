import NumericalMethods
import PathLoss
import TestSupport
import Testing

@Suite("Measured power from poses")
struct MeasuredPowerTests {
  @Test func `agrees with scipy's t interval over poses`() throws {
    var generator = SeededGenerator(seed: 12)
    // Of the last ones rounding is what is left of the scatter.
    let benches = [(2, 2.4), (3, 2.4), (4, 2.4), (5, 2.4), (9, 2.4), (40, 2.4), (3, 0.01), (8, 0)]
      .map {
        (count: Int, deviation: Double) in
        (0..<count).map { _ in -59 + deviation * generator.gaussian() }
      }
    let expected = try reference(
      """
      from scipy.stats import sem, t
      for m in rows:
          error = max(sem(m), (1 / 12 / len(m)) ** 0.5)
          low, high = t.interval(0.95, len(m) - 1, loc=m.mean(), scale=error)
          answer(m.mean(), m.std(ddof=1), error, low, high)
      """, benches)
    try #require(expected.count == benches.count)
    for (bench, numbers) in zip(benches, expected) {
      let power = try #require(MeasuredPower(poseMeans: bench))
      let mine =
        [
          power.mean, try #require(power.poseDeviation), try #require(power.standardError),
        ] + (try #require(power.interval).limits)
      for (a, b) in zip(mine, numbers) { #expect(isClose(a, b, relative: 1e-9), "\(a), \(b)") }
    }
  }

  @Test func `the interval contains the true level as often as claimed`() throws {
    var generator = SeededGenerator(seed: 13)
    let hits = try (0..<4_000).filter { _ in
      let poses = (0..<4).map { _ in -59 + 2 * generator.gaussian() }
      let interval = try #require(MeasuredPower(poseMeans: poses)?.interval)
      return interval.contains(-59)
    }.count
    // 95 % of 4,000 with a standard deviation of 13.8.
    #expect(abs(hits - 3_800) < 60, "\(hits)")
  }

  @Test func `the number of poses needed is the first that is enough`() throws {
    let means =
      [[-59, -61], [-57.3, -59.9, -60.4], [-55, -59, -63, -62, -57], [-60, -60.1, -60]]
      as [[Double]]
    let precisions = [0.2, 0.5, 1, 3, 40]
    let rows = means.flatMap { bench in precisions.map { [$0] + bench } }
    let expected = try reference(
      """
      from scipy.stats import t
      for row in rows:
          h, s, k = row[0], max(row[1:].std(ddof=1), 12 ** -0.5), 3
          while t.ppf(0.975, k - 1) * s / np.sqrt(k) > h: k += 1
          answer(k)
      """, rows)
    try #require(expected.count == rows.count)
    for (row, count) in zip(rows, expected) {
      let power = try #require(MeasuredPower(poseMeans: Array(row.dropFirst())))
      #expect(power.posesNeeded(precision: row[0]).map(Double.init) == count[0], "\(row)")
    }
  }

  @Test
  func `the number of poses needed with an assurance is the first that has it, by scipy`() throws {
    let means =
      [[-57.3, -59.9, -60.4], [-57.3, -59.9, -60.4, -58], [-55, -59, -63, -62, -57]] as [[Double]]
    let precisions = [0.3, 0.5, 1, 2, 40]
    let rows = means.flatMap { bench in precisions.map { [$0] + bench } }
    let expected = try reference(
      """
      from scipy.stats import t, f
      def assurance(n, k, s, h):
          largest = h * np.sqrt(n) / t.ppf(0.975, n - 1)
          ratio = ((n - 1) * largest ** 2 - (k - 1) * s ** 2) / (n - k) / s ** 2
          return f.cdf(ratio, n - k, k - 1)
      for row in rows:
          h, s, k = row[0], max(row[1:].std(ddof=1), 12 ** -0.5), len(row) - 1
          n = k
          if t.ppf(0.975, k - 1) * s / np.sqrt(k) > h:
              n += 1
              while assurance(n, k, s, h) < 0.8: n += 1
          answer(n)
      """, rows)
    for (row, count) in zip(rows, expected) {
      let power = try #require(MeasuredPower(poseMeans: Array(row.dropFirst())))
      #expect(
        power.posesNeeded(precision: row[0], assurance: 0.8).map(Double.init) == count[0], "\(row)")
    }
  }

  @Test func `as many poses as suggested have the precision at least as often as claimed`() throws {
    var generator = SeededGenerator(seed: 14)
    var (reached, advised) = (0, 0)
    for _ in 0..<600 {
      var poses = (0..<5).map { _ in 2 * generator.gaussian() }
      let few = try #require(MeasuredPower(poseMeans: poses))
      let needed = try #require(few.posesNeeded(precision: 1, assurance: 0.8))
      guard needed > poses.count else { continue }
      while poses.count < needed { poses.append(2 * generator.gaussian()) }
      let half = try #require(MeasuredPower(poseMeans: poses)?.halfWidth)
      advised += 1
      if half <= 1 { reached += 1 }
    }
    // 80 % less three standard deviations of 1.6 %; more where few were nearly enough.
    #expect(Double(reached) > 0.75 * Double(advised), "\(reached) of \(advised)")
  }

  @Test func `one pose gives no interval and no number of poses`() throws {
    let power = try #require(MeasuredPower(poseMeans: [-59.25]))
    #expect(power.mean == -59.25 && power.poses == 1)
    #expect(power.poseDeviation == nil && power.standardError == nil)
    #expect(power.interval == nil && power.posesNeeded(precision: 1) == nil)
    #expect(MeasuredPower(poseMeans: []) == nil)
  }

  @Test func `poses that agree are as uncertain as rounding, and two are never enough`() throws {
    let two = try #require(MeasuredPower(poseMeans: [-60, -60]))
    #expect(two.poseDeviation == 0)
    // t(0.975, 1) = 12.7062 and t(0.975, 2) = 4.30265, times 1/√12 over √2 and √3.
    #expect(isClose(try #require(two.halfWidth), 2.593643, absolute: 1e-5))
    #expect(two.posesNeeded(precision: 40) == 3)
    let three = try #require(MeasuredPower(poseMeans: [-60, -60, -60]))
    #expect(isClose(try #require(three.halfWidth), 0.717109, absolute: 1e-5))
    #expect(three.posesNeeded(precision: 1) == 3)
  }

  @Test func `impossible precisions are refused`() throws {
    let wide = try #require(MeasuredPower(poseMeans: [-60, -50]))
    #expect(wide.posesNeeded(precision: 0) == nil)
    #expect(wide.posesNeeded(precision: 1e-12) == nil)
    #expect(try #require(wide.posesNeeded(precision: 1e-3)) > 100_000_000)
  }
}
