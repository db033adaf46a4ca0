import Filtering
import TestSupport
import Testing

struct LinkFilterTests {
  private func heard(_ seed: UInt64) -> [(time: Int64, rssi: Double)] {
    var generator = SeededGenerator(seed: seed)
    return Reception.dense.times(300, &generator).map { time in
      (time, Double(Int.random(in: -90 ... -50, using: &generator)))
    }
  }

  @Test("each filter takes what the one before it says", arguments: 1...5)
  func chain(seed: UInt64) {
    var median = MedianFilter(window: 1_000_000_000)
    var kalman = KalmanFilter(q: 6, r: 12)
    var chain = LinkFilter([.median(median), .kalman(kalman)])
    for one in heard(seed) {
      let middle = median.update(time: one.time, rssi: one.rssi).rssi
      let expected = kalman.update(time: one.time, rssi: middle)
      #expect(chain.update(time: one.time, rssi: one.rssi) == expected)
    }
    #expect(chain.samples == 300)
    #expect(chain.kalman?.logLikelihood == kalman.logLikelihood)
  }

  @Test("the order of a chain matters, and a median at its end has no variance")
  func order() {
    var kalmanLast = LinkFilter([.median(MedianFilter(window: 1000)), .kalman(KalmanFilter(q: 1, r: 4))])
    var medianLast = LinkFilter([.kalman(KalmanFilter(q: 1, r: 4)), .median(MedianFilter(window: 1000))])
    var first = FilteredLevel(rssi: 0, variance: 0)
    var second = first
    for (time, rssi) in [(Int64(0), -60.0), (1, -90), (2, -61)] {
      first = kalmanLast.update(time: time, rssi: rssi)
      second = medianLast.update(time: time, rssi: rssi)
    }
    #expect(first.rssi != second.rssi)
    #expect(first.variance > 0)
    #expect(second.variance.isNaN)
  }

  @Test("reports the last Kalman filter, or none")
  func reportsLast() {
    let chain = LinkFilter([
      .kalman(KalmanFilter(q: 1, r: 2)), .kalman(KalmanFilter(q: 3, r: 4)),
      .median(MedianFilter(window: 1)),
    ])
    #expect(chain.kalman?.q == 3)
    #expect(LinkFilter([.median(MedianFilter(window: 1))]).kalman == nil)
  }

  @Test("an empty chain says what it hears")
  func empty() {
    var chain = LinkFilter([])
    let said = chain.update(time: 0, rssi: -60)
    #expect(said.rssi == -60)
    #expect(said.variance.isNaN)
  }

  @Test("a copy goes its own way")
  func copies() {
    var chain = LinkFilter([.median(MedianFilter(window: 1000)), .kalman(KalmanFilter(q: 1, r: 4))])
    _ = chain.update(time: 0, rssi: -60)
    var copy = chain
    _ = copy.update(time: 1, rssi: -90)
    var fresh = LinkFilter([.median(MedianFilter(window: 1000)), .kalman(KalmanFilter(q: 1, r: 4))])
    _ = fresh.update(time: 0, rssi: -60)
    #expect(chain.update(time: 1, rssi: -70) == fresh.update(time: 1, rssi: -70))
  }
}
