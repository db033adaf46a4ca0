import Filtering
import TestSupport
import Testing

struct ChannelMeanFilterTests {
  @Test(arguments: 1...3)
  func `is the mean of numpy's means of the channels heard`(seed: UInt64) throws {
    let script = """
      for _, inside, heard in windows(500):
          groups = [inside[heard == c] for c in np.unique(heard)]
          m, n = len(groups), len(inside)
          squares = sum(g.var() * len(g) for g in groups)
          spread = max(squares / (n - m), 1 / 12) if n > m else np.nan
          variance = spread * sum(1 / len(g) for g in groups) / m**2
          answer(np.mean([g.mean() for g in groups]), variance)
      """
    let heard = IrregularLevels(600, window: 500, seed: seed, whole: seed != 2)
    #expect(try heard.differences(from: script, ChannelMeanFilter(window: .nanoseconds(500))) == [])
  }

  @Test func `does not move when one channel is heard more often than the others`() {
    var filter = ChannelMeanFilter(window: .nanoseconds(1000))
    var mean = MeanFilter(window: .nanoseconds(1000))
    var said = 0.0
    var meanSaid = 0.0
    for (k, channel) in ([37, 38, 39, 39, 39, 39] as [UInt8]).enumerated() {
      let level: Double = channel == 39 ? -72 : -60
      said = filter.update(time: Int64(k), rssi: level, channel: channel).rssi
      meanSaid = mean.update(time: Int64(k), rssi: level, channel: channel).rssi
    }
    #expect(said == -64)
    #expect(meanSaid == -68)
  }

  @Test(arguments: 1...5)
  func `without channels it is the mean`(seed: UInt64) {
    var heard = IrregularLevels(500, window: 1000, seed: seed)
    for channel in [255, 12, 38] as [UInt8] {
      heard.channels = heard.channels.map { _ in channel }
      let mean = heard.said(by: MeanFilter(window: .nanoseconds(1000)))
      for (a, b) in zip(heard.said(by: ChannelMeanFilter(window: .nanoseconds(1000))), mean) {
        #expect(isClose(a.rssi, b.rssi))
        #expect(isClose(a.variance, b.variance) || a.variance.isNaN && b.variance.isNaN)
      }
    }
  }

  @Test func `a channel that is heard no longer leaves with its levels`() {
    var filter = ChannelMeanFilter(window: .nanoseconds(10))
    _ = filter.update(time: 0, rssi: -90, channel: 37)
    #expect(filter.update(time: 9, rssi: -60, channel: 38).rssi == -75)
    #expect(filter.update(time: 10, rssi: -60, channel: 38).rssi == -60)
  }
}
