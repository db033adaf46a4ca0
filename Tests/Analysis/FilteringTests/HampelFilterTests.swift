import Filtering
import TestSupport
import Testing

struct HampelFilterTests {
  @Test(arguments: [(3, 1), (1, 1), (0.5, 0), (2, 0), (0, 1)] as [(Double, Double)])
  func `takes for an outlier what numpy's medians do`(k: Double, floor: Double) throws {
    let script = """
      for _, inside, _ in windows(500):
          m = np.median(inside)
          scale = 1.4826 * max(np.median(abs(inside - m)), \(floor))
          answer(m if abs(inside[-1] - m) > \(k) * scale else inside[-1])
      """
    for whole in [true, false] {
      let heard = IrregularLevels(600, window: 500, seed: UInt64(k + 10 * floor), whole: whole)
      let filter = HampelFilter(window: .nanoseconds(500), k: k, floor: floor)
      #expect(try heard.differences(from: script, filter) == [])
    }
  }

  @Test(arguments: 1...5)
  func `is the median filter for k = 0`(seed: UInt64) {
    let heard = IrregularLevels(500, window: 1000, seed: seed)
    let hampel = heard.said(by: HampelFilter(window: .nanoseconds(1000), k: 0, floor: 1))
    let median = heard.said(by: MedianFilter(window: .nanoseconds(1000)))
    #expect(hampel.map(\.rssi) == median.map(\.rssi))
  }

  @Test func `replaces a spike among equal levels, but no step of a few dB`() {
    var filter = HampelFilter(window: .nanoseconds(100), k: 3, floor: 1)
    for k in Int64(0)..<7 { #expect(filter.update(time: k, rssi: -60).rssi == -60) }
    #expect(filter.update(time: 7, rssi: -64).rssi == -64)
    #expect(filter.update(time: 8, rssi: -65).rssi == -60)
    var exact = HampelFilter(window: .nanoseconds(100), k: 3, floor: 0)
    for k in Int64(0)..<7 { _ = exact.update(time: k, rssi: -60) }
    #expect(exact.update(time: 7, rssi: -61).rssi == -60)
  }

  @Test func `two levels do not show an outlier`() {
    var filter = HampelFilter(window: .nanoseconds(100), k: 3, floor: 1)
    _ = filter.update(time: 0, rssi: -60)
    #expect(filter.update(time: 1, rssi: -99).rssi == -99)
  }
}
