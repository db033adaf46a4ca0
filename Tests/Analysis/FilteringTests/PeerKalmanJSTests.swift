import Filtering
import TestSupport
import Testing

struct PeerKalmanJSTests {
  @Test(arguments: 1...3)
  func `is the published recursion, a step a packet`(seed: UInt64) throws {
    let script = """
      R, Q, A, B, C = 0.008, 4, 1, 0, 1
      x = cov = None
      for level in z:
          if x is None: x, cov = level / C, Q / C / C
          else:
              predicted = A * cov * A + R
              K = predicted * C / (C * predicted * C + Q)
              x = A * x + K * (level - C * A * x)
              cov = predicted - K * C * predicted
          answer(x)
      """
    let heard = IrregularLevels(500, window: 500, seed: seed)
    #expect(try heard.differences(from: script, PeerKalmanJS()) == [])
  }

  @Test func `is the Kalman filter of this library at one packet per second`() {
    let heard = IrregularLevels(300, window: 500, seed: 7)
    for step in [Int64(1_000_000_000), 100_000_000] {
      var regular = heard
      regular.times = heard.times.indices.map { Int64($0) * step }
      let peer = regular.said(by: PeerKalmanJS())
      let kalman = regular.said(by: KalmanFilter(q: 0.008, r: 4))
      let apart = zip(peer, kalman).map { abs($0.rssi - $1.rssi) }.max()!
      #expect(step == 1_000_000_000 ? apart < 1e-9 : apart > 0.1)
    }
  }
}
