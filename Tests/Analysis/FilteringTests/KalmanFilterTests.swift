import Filtering
import TestSupport
import Testing

struct KalmanFilterTests {
  private let second: Int64 = 1_000_000_000

  /// Irregular times, some equal, some late, some after long gaps.
  private func irregular(_ count: Int, _ generator: inout SeededGenerator) -> [Int64] {
    var time: Int64 = 1_700_000_000_000_000_000
    return (0..<count).map { _ in
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: break
      case 1: time += Int64.random(in: 10...100, using: &generator) * second
      case 2: return time - Int64.random(in: 1...(3 * second), using: &generator)
      default: time += Int64.random(in: 1...(2 * second), using: &generator)
      }
      return time
    }
  }

  @Test(arguments: [(0.0, 4.0), (0.5, 9.0), (6.0, 12.0), (20.0, 2.0)])
  func `is the Gaussian posterior of a random walk with an unknown start`(q: Double, r: Double)
    throws
  {
    let script = """
      from scipy.stats import multivariate_normal
      times, z, (q, r) = rows
      # A sighting that comes late counts as one at the latest time so far.
      tau = np.maximum.accumulate(times)
      for n in range(1, len(z) + 1):
          # Seen from now, each level is the present one, less what the walk did since, with noise.
          age = tau[n - 1] - tau[:n]
          precision = np.linalg.inv(q * np.minimum.outer(age, age) + r * np.eye(n))
          variance = 1 / precision.sum()
          level = variance * precision.sum(0) @ z[:n]
          likelihood = 0
          if n > 1:
              walk = q * np.minimum.outer(tau[1:n], tau[1:n])
              cov = walk + r * (np.eye(n - 1) + 1)
              likelihood = multivariate_normal.logpdf(z[1:n] - z[0], np.zeros(n - 1), cov)
          answer(level, variance, likelihood)
      """
    var generator = SeededGenerator(seed: UInt64(r))
    let times = irregular(80, &generator)
    let heard = times.map { _ in Double.random(in: -90 ..< -40, using: &generator) }
    let seconds = times.map { Double($0 - times[0]) * 1e-9 }
    let expected = try reference(script, [seconds, heard, [q, r]])
    try #require(expected.count == times.count)
    var filter = KalmanFilter(q: q, r: r)
    for (k, line) in expected.enumerated() {
      let said = filter.update(time: times[k], rssi: heard[k])
      #expect(isClose(said.rssi, line[0], relative: 1e-9))
      #expect(isClose(said.variance, line[1], relative: 1e-9))
      #expect(isClose(filter.logLikelihood, line[2], absolute: 1e-9, relative: 1e-9))
    }
  }

  @Test(arguments: 1...20)
  func `a gap has the same effect in one step or in two`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let q = Double.random(in: 0.1..<20, using: &generator)
    let r = Double.random(in: 0.1..<20, using: &generator)
    let first = Int64.random(in: 1...(60 * second), using: &generator)
    let then = Int64.random(in: 1...(60 * second), using: &generator)
    // A filter that starts with this variance; the variance before its second sighting follows from
    // the one after it: 1 / P = 1 / P' - 1 / r.
    func predicted(after gap: Int64, from variance: Double) -> Double {
      var filter = KalmanFilter(q: q, r: variance)
      _ = filter.update(time: 0, rssi: -60)
      let after = filter.update(time: gap, rssi: -60).variance
      return 1 / (1 / after - 1 / variance)
    }
    let whole = predicted(after: first + then, from: r)
    let split = predicted(after: then, from: predicted(after: first, from: r))
    #expect(isClose(whole, split, relative: 1e-9))
    #expect(isClose(whole, r + q * Double(first + then) * 1e-9, relative: 1e-9))
  }

  @Test func `believes a level less the longer ago it was`() {
    var last = FilteredLevel(rssi: -60, variance: 0)
    for gap in [Int64(0), 1, 10, 100, 1000] {
      var filter = KalmanFilter(q: 6, r: 12)
      for k in 0..<50 { _ = filter.update(time: Int64(k) * second / 10, rssi: -60) }
      let said = filter.update(time: 49 * second / 10 + gap * second, rssi: -80)
      #expect(said.variance > last.variance && said.variance < 12)
      #expect(said.rssi < last.rssi && said.rssi > -80)
      last = said
    }
  }

  @Test(arguments: 1...5)
  func `without process noise it is the running mean`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var filter = KalmanFilter(q: 0, r: 9)
    var sum = 0.0
    for (k, time) in irregular(200, &generator).enumerated() {
      let rssi = Double(Int.random(in: -100 ... -30, using: &generator))
      sum += rssi
      let said = filter.update(time: time, rssi: rssi)
      #expect(isClose(said.rssi, sum / Double(k + 1)))
      #expect(isClose(said.variance, 9 / Double(k + 1)))
    }
  }

  @Test func `takes the first level as it is, without a likelihood`() {
    var filter = KalmanFilter(q: 6, r: 12)
    #expect(filter.update(time: 5, rssi: -71) == FilteredLevel(rssi: -71, variance: 12))
    #expect(filter.logLikelihood == 0)
  }

  @Test(arguments: [-1_700_000_000, -100, -1, 0, 1_700_000_000])
  func `knows no origin of time`(shift: Int64) {
    var here = KalmanFilter(q: 6, r: 12)
    var there = KalmanFilter(q: 6, r: 12)
    for k in Int64(0)..<50 {
      let rssi = Double(-60 - k * k % 17)
      let moved = there.update(time: (3 * k + shift) * second, rssi: rssi)
      #expect(here.update(time: 3 * k * second, rssi: rssi) == moved)
    }
  }

  @Test func `takes the longest gap there is`() {
    var filter = KalmanFilter(q: 1, r: 1)
    _ = filter.update(time: .min, rssi: -60)
    let said = filter.update(time: .max, rssi: -80)
    #expect(isClose(said.rssi, -80, absolute: 1e-6))
    #expect(isClose(said.variance, 1, absolute: 1e-6))
    #expect(filter.update(time: .min, rssi: -80).variance < 0.51)
  }
}
