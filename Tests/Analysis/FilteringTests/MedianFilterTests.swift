import Filtering
import TestSupport
import Testing

struct MedianFilterTests {
  /// Both middle values' mean, from all levels later than one window ago.
  private func bruteForce(_ heard: ArraySlice<(time: Int64, rssi: Double)>, window: Int64) -> Double
  {
    var latest = Int64.min
    let taken = heard.map { one in
      latest = max(latest, one.time)
      return (time: latest, rssi: one.rssi)
    }
    let inside = taken.filter { $0.time > latest - window }.map(\.rssi).sorted()
    return (inside[(inside.count - 1) / 2] + inside[inside.count / 2]) / 2
  }

  @Test(arguments: 1...40)
  func `is the median of the window at every sighting`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let window = Int64.random(in: 1...50, using: &generator)
    let levels = Int.random(in: 1...30, using: &generator)
    var time = Int64.random(in: -1000...1000, using: &generator)
    var heard: [(time: Int64, rssi: Double)] = []
    var filter = MedianFilter(window: .nanoseconds(window))
    for _ in 0..<300 {
      // Small steps, so that times are equal, late, and exactly one window apart.
      time += Int64.random(in: -2...6, using: &generator)
      heard.append((time, -60 - Double(Int.random(in: 0..<levels, using: &generator))))
      let said = filter.update(time: time, rssi: heard[heard.count - 1].rssi)
      #expect(said.rssi == bruteForce(heard[...], window: window))
      #expect(said.variance.isNaN)
    }
  }

  @Test func `stays right over long runs with bursts and silences`() {
    var generator = SeededGenerator(seed: 99)
    var filter = MedianFilter(window: .nanoseconds(1000))
    var heard: [(time: Int64, rssi: Double)] = []
    var time: Int64 = 0
    var wrong = 0
    for k in 0..<20_000 {
      // Some thousand levels at once, then a silence longer than the window.
      time += k % 3000 == 0 ? 5000 : Int64.random(in: 0...10, using: &generator)
      heard.append((time, Double.random(in: -90 ..< -40, using: &generator)))
      let said = filter.update(time: time, rssi: heard[k].rssi).rssi
      if k % 37 == 0, said != bruteForce(heard[max(0, k - 2000)...], window: 1000) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test(arguments: [20, 200, 2000])
  func `is the rolling median of pandas`(window: Int64) throws {
    let script = """
      import pandas as pd
      index = pd.to_datetime(times.astype('int64'))
      for x in pd.Series(z, index=index).rolling('\(window)ns').median(): answer(x)
      """
    let heard = IrregularLevels(1000, window: 200, seed: UInt64(window))
    #expect(try heard.differences(from: script, MedianFilter(window: .nanoseconds(window))) == [])
  }

  @Test(arguments: 1...70)
  func `is right for every number of levels in the window`(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    var filter = MedianFilter(window: .nanoseconds(Int64(count)))
    var heard: [Double] = []
    for time in 0..<200 {
      heard.append(Double.random(in: -90 ..< -40, using: &generator))
      let inside = heard.suffix(count).sorted()
      let median = (inside[(inside.count - 1) / 2] + inside[inside.count / 2]) / 2
      #expect(filter.update(time: Int64(time), rssi: heard[time]).rssi == median)
    }
  }

  @Test func `a level as old as the window has left it, one a nanosecond younger has not`() {
    var left = MedianFilter(window: .nanoseconds(10))
    _ = left.update(time: 0, rssi: -90)
    #expect(left.update(time: 10, rssi: -50).rssi == -50)
    var stayed = MedianFilter(window: .nanoseconds(10))
    _ = stayed.update(time: 0, rssi: -90)
    #expect(stayed.update(time: 9, rssi: -50).rssi == -70)
  }

  @Test func `ignores one outlier among three`() {
    var filter = MedianFilter(window: .nanoseconds(10))
    _ = filter.update(time: 0, rssi: -60)
    _ = filter.update(time: 1, rssi: -99)
    #expect(filter.update(time: 2, rssi: -61).rssi == -61)
  }

  @Test func `takes times and windows of any size`() {
    var filter = MedianFilter(window: .nanoseconds(Int64.max))
    _ = filter.update(time: -9_000_000_000_000_000_000, rssi: -60)
    #expect(filter.update(time: -8_999_999_999_999_999_999, rssi: -70).rssi == -65)
    #expect(filter.update(time: 9_000_000_000_000_000_000, rssi: -80).rssi == -80)
  }
}
