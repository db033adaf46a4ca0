import Filtering
import TestSupport
import Testing

struct TrimmedMeanFilterTests {
  @Test(arguments: [0, 0.1, 0.25, 0.49])
  func `is the trimmed mean of scipy, and Yuen's variance of it`(trim: Double) throws {
    let script = """
      from scipy import stats
      for _, inside, _ in windows(500):
          n = len(inside)
          h = n - 2 * int(\(trim) * n)
          winsorized = np.asarray(stats.mstats.winsorize(inside, (\(trim), \(trim))))
          squares = np.sum((winsorized - winsorized.mean())**2)
          spread = max(squares / (h - 1), 1 / 12) if h > 1 else np.nan
          answer(stats.trim_mean(inside, \(trim)), spread / h)
      """
    for whole in [true, false] {
      let heard = IrregularLevels(200, window: 500, seed: UInt64(100 * trim) + 1, whole: whole)
      #expect(
        try heard.differences(
          from: script, TrimmedMeanFilter(window: .nanoseconds(500), trim: trim)) == [])
    }
  }

  @Test(arguments: 1...5)
  func `without trimming it is the mean`(seed: UInt64) {
    let heard = IrregularLevels(500, window: 1000, seed: seed)
    let trimmed = heard.said(by: TrimmedMeanFilter(window: .nanoseconds(1000), trim: 0))
    let mean = heard.said(by: MeanFilter(window: .nanoseconds(1000)))
    for (a, b) in zip(trimmed, mean) {
      #expect(isClose(a.rssi, b.rssi))
      #expect(isClose(a.variance, b.variance) || a.variance.isNaN && b.variance.isNaN)
    }
  }

  @Test func `leaves one wild level in ten out, on either side`() {
    for wild in [-1000.0, 1000] {
      var filter = TrimmedMeanFilter(window: .nanoseconds(100), trim: 0.1)
      for k in Int64(0)..<9 { _ = filter.update(time: k, rssi: -60) }
      #expect(filter.update(time: 9, rssi: wild).rssi == -60)
    }
  }
}
