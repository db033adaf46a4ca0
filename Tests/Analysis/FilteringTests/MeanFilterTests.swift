import Filtering
import TestSupport
import Testing

struct MeanFilterTests {
  @Test(arguments: 1...3)
  func `is the rolling mean of pandas, and its variance of a mean`(seed: UInt64) throws {
    let script = """
      import pandas as pd
      rolling = pd.Series(z, index=pd.to_datetime(times.astype('int64'))).rolling('500ns')
      n = rolling.count()
      variance = rolling.var(ddof=1).clip(lower=1 / 12) / n
      for x, v in zip(rolling.mean(), variance): answer(x, v)
      """
    let heard = IrregularLevels(600, window: 500, seed: seed, whole: seed != 2)
    // pandas takes levels out of sums, so it is not the more accurate one.
    #expect(
      try heard.differences(from: script, MeanFilter(window: .nanoseconds(500)), tolerance: 1e-9)
        == [])
  }

  @Test func `stays the mean of its window over a million levels, some of them wild`() {
    var generator = SeededGenerator(seed: 5)
    let window: Int64 = 40
    var filter = MeanFilter(window: .nanoseconds(window))
    var times: [Int64] = []
    var levels: [Double] = []
    var time: Int64 = 0
    var wrong = 0
    for k in 0..<1_000_000 {
      time += Int64(generator.next() % 4)
      let isWild = generator.next() % 1000 == 0
      let level = Double(generator.next() % 1_000_000) * (isWild ? 1e9 : -1e-4)
      times.append(time)
      levels.append(level)
      let said = filter.update(time: time, rssi: level).rssi
      guard k % 499 == 0 || k > 999_000 else { continue }
      var oldest = k
      while oldest > 0, times[oldest - 1] > time - window { oldest -= 1 }
      let fresh = levels[oldest...k].reduce(0, +) / Double(k - oldest + 1)
      if !isClose(said, fresh, relative: 1e-12) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test func `its variance is that of its mean`() {
    var generator = SeededGenerator(seed: 8)
    var squares = 0.0
    var variances = 0.0
    for _ in 0..<2000 {
      var filter = MeanFilter(window: .nanoseconds(1000))
      var said = FilteredLevel(rssi: 0, variance: 0)
      for k in Int64(0)..<20 {
        said = filter.update(time: k, rssi: (-70 + 4 * generator.gaussian()).rounded())
      }
      squares += (said.rssi + 70) * (said.rssi + 70)
      variances += said.variance
    }
    // 2000 runs give the mean square to 3 %.
    #expect(isClose(squares, variances, relative: 0.12))
  }

  @Test func `levels that are all the same are no less uncertain than their rounding`() {
    var filter = MeanFilter(window: .nanoseconds(1000))
    #expect(filter.update(time: 0, rssi: -61.3).variance.isNaN)
    let said = filter.update(time: 1, rssi: -61.3)
    #expect(said.rssi == -61.3)
    #expect(isClose(said.variance, 1.0 / 24))
  }
}
