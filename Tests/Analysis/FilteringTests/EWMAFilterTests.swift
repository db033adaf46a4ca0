import Filtering
import Foundation
import TestSupport
import Testing

struct EWMAFilterTests {
  private let second: Int64 = 1_000_000_000

  @Test(arguments: [0.1, 1.4, 60])
  func `is the solution of τ x' = z − x, each level held since the one before`(tau: Double) throws {
    let script = """
      from scipy.linalg import expm
      x, now, group = None, None, []
      for t, level in zip(times, z):
          if t != now: before, last, now, group = x, now, t, []
          group.append(level)
          held = np.mean(group)
          if before is None: x = held
          else:
              step = np.array([[-1, 1], [0, 0]]) * (t - last) * 1e-9 / \(tau)
              x = (expm(step) @ [before, held])[0]
          answer(x)
      """
    let heard = IrregularLevels(500, window: 2 * second, seed: 3)
    let filter = EWMAFilter(tau: .nanoseconds(Int64(tau * 1e9)))
    #expect(try heard.differences(from: script, filter) == [])
  }

  @Test(arguments: [0.001, 0.01, 0.2, 1])
  func `is the Kalman filter at a steady rate, with τ = √(r h/q) where h is short`(h: Double) {
    let (q, r) = (6.0, 12.0)
    // The steady gain K solves K² / (1 − K) = q h / r.
    let ratio = q * h / r
    let gain = ((ratio * ratio + 4 * ratio).squareRoot() - ratio) / 2
    let tau = -h / log(1 - gain)
    if h <= 0.01 { #expect(isClose(tau, (r * h / q).squareRoot(), relative: 0.01)) }
    var generator = SeededGenerator(seed: 4)
    var kalman = KalmanFilter(q: q, r: r)
    var filter = EWMAFilter(tau: .nanoseconds(Int64(tau * 1e9)))
    let step = Int64(h * 1e9)
    var wrong = 0
    for k in Int64(0)..<4000 {
      let level = -60 + 5 * generator.gaussian()
      let expected = kalman.update(time: k * step, rssi: level).rssi
      let said = filter.update(time: k * step, rssi: level).rssi
      if k > 2000, !isClose(said, expected, absolute: 1e-6) { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test(arguments: [1, 2, 7, 100])
  func `a step has been followed by 63 % after τ, in however many steps`(steps: Int64) {
    var filter = EWMAFilter(tau: .nanoseconds(2 * second))
    _ = filter.update(time: 0, rssi: -60)
    var said = 0.0
    for k in 1...steps { said = filter.update(time: 2 * second * k / steps, rssi: -70).rssi }
    #expect(isClose(said, -66.321_205_588_285_58, relative: 1e-9))
  }

  @Test func `the order of levels at one time does not matter`() {
    var there = EWMAFilter(tau: .nanoseconds(second))
    var back = EWMAFilter(tau: .nanoseconds(second))
    for (time, levels) in [(0, [-60.0, -64, -71]), (second, [-80, -90]), (2 * second, [-50.0])] {
      var (a, b) = (0.0, 0.0)
      for level in levels { a = there.update(time: time, rssi: level).rssi }
      for level in levels.reversed() { b = back.update(time: time, rssi: level).rssi }
      #expect(isClose(a, b))
    }
  }
}
