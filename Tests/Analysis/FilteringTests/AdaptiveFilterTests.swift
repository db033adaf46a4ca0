import Filtering
import TestSupport
import Testing

struct AdaptiveFilterTests {
  private func filter(
    q: Double = 1, r: Double = 9, memory: Double = 5, limit: Double = 6.63
  ) -> AdaptiveFilter { AdaptiveFilter(q: q, r: r, memory: memory, limit: limit) }

  /// Levels at 10 Hz about a level that may move, heard with noise of a deviation that may change.
  private func run(
    _ filter: inout AdaptiveFilter, seconds: Range<Int>, level: Double, deviation: Double,
    _ generator: inout SeededGenerator
  ) -> [(said: FilteredLevel, r: Double)] {
    (seconds.lowerBound * 10..<seconds.upperBound * 10).map { k in
      let said = filter.update(
        time: Int64(k) * 100_000_000, rssi: level + deviation * generator.gaussian())
      return (said, filter.r)
    }
  }

  @Test(arguments: [(1.0, 9.0, 5.0, 6.63), (6, 12, 2, 0), (0, 0.5, 20, 2), (20, 0.05, 1, 4)])
  func `follows its equations`(q: Double, r: Double, memory: Double, limit: Double) throws {
    let script = """
      from math import exp, log, pi
      t, z, (q, r, memory, limit) = rows
      least, most = min(r, max(r / 10, 1 / 12)), 10 * r
      x, P, side, total = z[0], r, 0, 0
      answer(x, P, r, 0)
      for k in range(1, len(z)):
          h = t[k] - t[k - 1]
          P, e = P + q * h, z[k] - x
          total += -0.5 * (log(2 * pi * (P + r)) + e ** 2 / (P + r))
          if limit > 0 and e ** 2 / (P + r) > limit:
              now = 1 if e > 0 else -1
              if now == side: P = e ** 2 / limit - r
              side = now
          else:
              side = 0
          S = P + r
          K = P / S
          x, after = x + K * e, (1 - K) * P
          # Covariance matching with residuals, but for squares that are cut off.
          b = min(1 - exp(-h / memory), 0.05)
          if e ** 2 <= 9 * S:
              r = (1 - b) * r + b * ((z[k] - x) ** 2 + after)
          else:
              r = (1 - b) * r + b * ((r / S) ** 2 * 9 * S + after)
          r, P = min(max(r, least), most), after
          answer(x, P, r, total)
      """
    var heard = WalkingLevels(150, seed: 4)
    for k in stride(from: 10, to: 150, by: 37) { heard.levels[k] -= 30 }
    for k in 100..<150 { heard.levels[k] += 25 }
    let expected = try reference(script, [heard.seconds, heard.levels, [q, r, memory, limit]])
    try #require(expected.count == heard.times.count)
    var filter = filter(q: q, r: r, memory: memory, limit: limit)
    for (k, line) in expected.enumerated() {
      let said = filter.update(time: heard.times[k], rssi: heard.levels[k])
      #expect(isClose(said.rssi, line[0], absolute: 1e-9))
      #expect(isClose(said.variance, line[1], relative: 1e-9))
      #expect(isClose(filter.r, line[2], relative: 1e-9))
      #expect(isClose(filter.logLikelihood, line[3], absolute: 1e-9, relative: 1e-9))
    }
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `follows noise that changes for long, up and down`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var filter = filter(q: 0.5)
    for (seconds, deviation) in [(0..<120, 3.0), (120..<240, 6), (240..<360, 1.5)] {
      let run = run(&filter, seconds: seconds, level: -70, deviation: deviation, &generator)
      let settled = run.suffix(600).map(\.r).reduce(0, +) / 600
      // A memory of 5 s at 10 Hz is 50 to 100 packets: r itself varies by about 15 %.
      #expect(isClose(settled, deviation * deviation, relative: 0.2))
    }
  }

  @Test func `takes a single outlier for noise, and little of that`() {
    var generator = SeededGenerator(seed: 1)
    var filter = filter()
    let before = run(&filter, seconds: 0..<60, level: -70, deviation: 3, &generator)[599]
    var kalman = KalmanFilter(q: 1, r: before.r)
    for k in 0..<600 { _ = kalman.update(time: Int64(k) * 100_000_000, rssi: before.said.rssi) }
    let said = filter.update(time: 60_000_000_000, rssi: -110)
    #expect(abs(said.rssi - kalman.update(time: 60_000_000_000, rssi: -110).rssi) < 1)
    #expect(filter.r < before.r * 1.41 && filter.r > before.r)
  }

  @Test func `takes a step for movement: it is there after two levels, and r stays`() {
    var settledR: [Double] = []
    var lags: [Double] = []
    for limit in [6.63, 0] {
      var generator = SeededGenerator(seed: 2)
      var filter = filter(limit: limit)
      let before = run(&filter, seconds: 0..<60, level: -60, deviation: 2, &generator)[599].r
      let after = run(&filter, seconds: 60..<63, level: -85, deviation: 2, &generator)
      lags.append(after[1].said.rssi + 85)
      settledR.append(after[29].r / before)
    }
    #expect(lags[0] < 12 && lags[1] > 15)
    #expect(settledR[0] < 1.6 && settledR[0] < settledR[1])
  }

  @Test(arguments: [0.0, 0.01, 6])
  func `a gap changes r no more than any packet does`(q: Double) {
    var generator = SeededGenerator(seed: 3)
    var filter = filter(q: q)
    let before = run(&filter, seconds: 0..<60, level: -70, deviation: 3, &generator)[599].r
    let said = filter.update(time: 3_600_000_000_000, rssi: -75)
    #expect(filter.r > before * 0.95 && filter.r < before * 1.4)
    #expect(said.rssi.isFinite && said.variance <= before)
    if q == 6 { #expect(isClose(filter.r, before, relative: 0.01)) }
  }

  @Test func `levels that never change make r small, but within its bounds`() {
    var coarse = filter(r: 9)
    var fine = filter(r: 0.5)
    for k in 0..<5000 {
      _ = coarse.update(time: Int64(k) * 100_000_000, rssi: -70)
      _ = fine.update(time: Int64(k) * 100_000_000, rssi: -70)
    }
    #expect(coarse.r == 0.9)
    #expect(fine.r == 1.0 / 12)
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `is sound`(seed: UInt64) {
    expectSoundness(seed: seed) { _ in filter(q: 6, r: 12) }
  }

  @Test func `is made from its text, with a memory of 5 s and a limit of 6.63`() throws {
    #expect(try FilterSpecification("adaptive").missingNoise == .randomWalk)
    let heard = WalkingLevels(80, seed: 3)
    let sightings = heard.times.indices.map {
      Heard(link: 0, time: heard.times[$0], rssi: heard.levels[$0])
    }
    let usual = try levels(of: ["adaptive:q=1,r=9"], at: sightings, places: oneLink)
    #expect(bits(usual) == bits(heard.said(by: filter())))
    let other = try levels(
      of: ["adaptive:q=1,r=9,memory=2s,limit=0"], at: sightings, places: oneLink)
    #expect(bits(other) == bits(heard.said(by: filter(memory: 2, limit: 0))))
  }
}
