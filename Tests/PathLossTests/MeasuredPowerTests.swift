import PathLoss
import TestSupport
import Testing

@Suite("Measured power from poses")
struct MeasuredPowerTests {
  @Test("agrees with scipy's t interval over poses")
  func interval() throws {
    var generator = SeededGenerator(seed: 12)
    let benches = [2, 3, 4, 5, 9, 40].map { count in
      (0..<count).map { _ in -59 + 2.4 * generator.gaussian() }
    }
    let expected = try reference(
      """
      from scipy.stats import sem, t
      for m in rows:
          low, high = t.interval(0.95, len(m) - 1, loc=m.mean(), scale=sem(m))
          answer(m.mean(), m.std(ddof=1), sem(m), low, high)
      """, benches)
    try #require(expected.count == benches.count)
    for (bench, numbers) in zip(benches, expected) {
      let power = try #require(MeasuredPower(poseMeans: bench))
      let mine = [
        power.mean, try #require(power.poseDeviation), try #require(power.standardError),
      ] + (try #require(power.interval))
      for (a, b) in zip(mine, numbers) { #expect(isClose(a, b, relative: 1e-9), "\(a), \(b)") }
    }
  }

  @Test("the interval holds the true level as often as it says")
  func coverage() throws {
    var generator = SeededGenerator(seed: 13)
    let hits = try (0..<4_000).filter { _ in
      let poses = (0..<4).map { _ in -59 + 2 * generator.gaussian() }
      let interval = try #require(MeasuredPower(poseMeans: poses)?.interval)
      return interval[0] <= -59 && -59 <= interval[1]
    }.count
    // 95 % of 4,000 with a standard deviation of 13.8.
    #expect(abs(hits - 3_800) < 60, "\(hits)")
  }

  @Test("the number of poses needed is the first that is enough")
  func needed() throws {
    let means = [[-59, -61], [-57.3, -59.9, -60.4], [-55, -59, -63, -62, -57]] as [[Double]]
    let precisions = [0.2, 0.5, 1, 3, 40]
    let rows = means.flatMap { bench in precisions.map { [$0] + bench } }
    let expected = try reference(
      """
      from scipy.stats import t
      for row in rows:
          h, s, k = row[0], row[1:].std(ddof=1), 2
          while t.ppf(0.975, k - 1) * s / np.sqrt(k) > h: k += 1
          answer(k)
      """, rows)
    try #require(expected.count == rows.count)
    for (row, count) in zip(rows, expected) {
      let power = try #require(MeasuredPower(poseMeans: Array(row.dropFirst())))
      #expect(power.posesNeeded(precision: row[0]).map(Double.init) == count[0], "\(row)")
    }
  }

  @Test("one pose tells no interval and no number of poses")
  func onePose() throws {
    let power = try #require(MeasuredPower(poseMeans: [-59.25]))
    #expect(power.mean == -59.25 && power.poses == 1)
    #expect(power.poseDeviation == nil && power.standardError == nil)
    #expect(power.interval == nil && power.posesNeeded(precision: 1) == nil)
    #expect(MeasuredPower(poseMeans: []) == nil)
  }

  @Test("poses that agree need no more than two, and impossible precisions are refused")
  func extremes() throws {
    let same = try #require(MeasuredPower(poseMeans: [-60, -60, -60]))
    #expect(same.interval == [-60, -60])
    #expect(same.posesNeeded(precision: 1e-6) == 2)
    let wide = try #require(MeasuredPower(poseMeans: [-60, -50]))
    #expect(wide.posesNeeded(precision: 0) == nil)
    #expect(wide.posesNeeded(precision: 1e-12) == nil)
    #expect(try #require(wide.posesNeeded(precision: 1e-3)) > 100_000_000)
  }
}
