import Filtering
import TestSupport
import Testing

struct OneEuroFilterTests {
  private let second: Int64 = 1_000_000_000

  @Test(arguments: [(0.1, 0.01, 1), (1, 0, 1), (0.05, 0.5, 0.2)] as [(Double, Double, Double)])
  func `is algorithm 1 of the paper, with the rate of each step`(
    fmin: Double, beta: Double, dcutoff: Double
  ) throws {
    // Levels of the same time are averaged: each output is the mean so far, filtered from the state
    // before that time.
    let script = """
      import copy, math
      class LowPass:
          def __init__(self): self.hatxprev = None
          def filter(self, x, alpha):
              if self.hatxprev is None: self.hatxprev = x
              self.hatxprev = alpha * x + (1 - alpha) * self.hatxprev
              return self.hatxprev
      class OneEuro:
          def __init__(self): self.x, self.dx = LowPass(), LowPass()
          def filter(self, x, rate):
              def alpha(cutoff):
                  tau = 1 / (2 * math.pi * cutoff)
                  te = 1 / rate
                  return 1 / (1 + tau / te)
              first = self.x.hatxprev is None
              dx = 0 if first else (x - self.x.hatxprev) * rate
              edx = self.dx.filter(dx, alpha(\(dcutoff)))
              return self.x.filter(x, alpha(\(fmin) + \(beta) * abs(edx)))
      filter, now, rate = OneEuro(), None, 1
      for t, level in zip(times, z):
          if t != now:
              if now is not None: rate = 1e9 / (t - now)
              before, now, group = filter, t, []
          group.append(level)
          filter = copy.deepcopy(before)
          answer(filter.filter(np.mean(group), rate))
      """
    let heard = IrregularLevels(500, window: 2 * second, seed: 6)
    let filter = OneEuroFilter(fmin: fmin, beta: beta, dcutoff: dcutoff)
    #expect(try heard.differences(from: script, filter) == [])
  }

  @Test func `follows a moving level closer than a still one is smoothed`() {
    var still = OneEuroFilter(fmin: 0.1, beta: 0, dcutoff: 1)
    var quick = OneEuroFilter(fmin: 0.1, beta: 0.1, dcutoff: 1)
    var (slow, fast) = (0.0, 0.0)
    for k in Int64(0)..<50 {
      let level = -60 - Double(k)
      slow = still.update(time: k * second / 5, rssi: level).rssi
      fast = quick.update(time: k * second / 5, rssi: level).rssi
    }
    #expect(slow > -103 && fast < -107)
  }
}
