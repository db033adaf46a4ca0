import Filtering
import TestSupport
import Testing

struct LocalPolynomialFilterTests {
  private let second: Int64 = 1_000_000_000

  @Test(arguments: 0...3)
  func `is the weighted polynomial of numpy, and the variance of its projection`(degree: Int) throws
  {
    let script = """
      import warnings
      warnings.simplefilter('ignore')
      for t, inside, _ in windows(500):
          n = len(t)
          degree = max(0, min(\(degree), len(set(t)) - 3))
          u = (t[-1] - t) / 500
          w = (1 - u**3)**3
          level = np.polyval(np.polyfit(u, inside, degree, w=np.sqrt(w)), 0)
          X = np.vander(u, degree + 1, increasing=True)
          root = np.sqrt(w)[:, None]
          hat = X @ np.linalg.pinv(root * X, rcond=1e-13) @ np.diag(root[:, 0])
          e = inside - hat @ inside
          W = np.diag(w)
          rest = np.eye(n) - hat
          s2 = max(e @ W @ e / np.trace(rest.T @ W @ rest), 1 / 12) if n >= degree + 3 else np.nan
          answer(level, s2 * np.sum(hat[-1]**2))
      """
    let heard = IrregularLevels(600, window: 500, seed: UInt64(degree) + 1)
    let filter = LocalPolynomialFilter(window: .nanoseconds(500), degree: degree)
    #expect(try heard.differences(from: script, filter, tolerance: 1e-6) == [])
  }

  @Test(arguments: 0...3)
  func `is Savitzky and Golay's filter where all weights are alike`(degree: Int) throws {
    let script = """
      from scipy.signal import savgol_filter
      for k in range(len(rows[0])):
          if k < 10: continue
          answer(savgol_filter(rows[0][:k + 1], 11, \(degree), mode='interp')[-1])
      """
    var generator = SeededGenerator(seed: 9)
    let levels = (0..<60).map { _ in (-70 + 6 * generator.gaussian()).rounded() }
    let expected = try reference(script, [levels])
    try #require(expected.count == 50)
    // A window of a year weighs levels of the last ten seconds alike.
    for k in 10..<60 {
      var filter = LocalPolynomialFilter(window: .nanoseconds(31_557_600 * second), degree: degree)
      var said = 0.0
      for (place, level) in levels[(k - 10)...k].enumerated() {
        said = filter.update(time: Int64(place) * second, rssi: level).rssi
      }
      #expect(isClose(said, expected[k - 10][0], relative: 1e-7))
    }
  }

  @Test(arguments: 1...3)
  func `follows a polynomial of its degree without a lag`(degree: Int) {
    var generator = SeededGenerator(seed: 12)
    var filter = LocalPolynomialFilter(window: .nanoseconds(3 * second), degree: degree)
    var time: Int64 = 0
    for k in 0..<200 {
      time += Int64.random(in: 1...(second * 2 / 5), using: &generator)
      let t = Double(time) * 1e-9
      let level = -60 + [2 * t, 0.7 * t * t, -0.05 * t * t * t][..<degree].reduce(0, +)
      let said = filter.update(time: time, rssi: level).rssi
      // By now a window never has fewer than seven times.
      if k > 7 { #expect(isClose(said, level, relative: 1e-8)) }
    }
  }

  @Test(arguments: 1...60)
  func `weights sum to 1 and never make a level noisier`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...14, using: &generator)
    // From all at once to far apart.
    let step = [0, 1, 1000, second / 10, second, 3 * second].randomElement(using: &generator)!
    var time: Int64 = 0
    let times = (0..<count).map { _ in
      time += Int64.random(in: 0...step, using: &generator)
      return time
    }
    for degree in 0...3 {
      let weights = (0..<count).map { heard in
        var filter = LocalPolynomialFilter(window: .nanoseconds(3 * second), degree: degree)
        var said = 0.0
        for k in 0..<count { said = filter.update(time: times[k], rssi: k == heard ? 1 : 0).rssi }
        return said
      }
      #expect(isClose(weights.reduce(0, +), 1, relative: 1e-6))
      #expect(weights.reduce(0) { $0 + $1 * $1 } < 1 + 1e-6)
    }
  }

  @Test func `takes a lower degree while there are few times`() {
    var filter = LocalPolynomialFilter(window: .nanoseconds(3 * second), degree: 3)
    #expect(filter.update(time: 0, rssi: -60).rssi == -60)
    #expect(filter.update(time: 0, rssi: -70).rssi == -65)
    let said = filter.update(time: 0, rssi: -71)
    #expect(isClose(said.rssi, -67))
    #expect(isClose(said.variance, 37.0 / 3))
  }
}
