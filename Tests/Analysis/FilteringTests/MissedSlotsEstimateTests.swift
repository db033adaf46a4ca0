import Filtering
import TestSupport
import Testing

struct MissedSlotsEstimateTests {
  private static let filter = TobitFilter(q: 1, r: 1, interval: 0.2, floor: -92.5, loss: 0.3)

  /// The filter and its likelihood written again, maximised by scipy from several starts.
  private let script = """
    from scipy.optimize import minimize
    from scipy.special import ndtr
    def minus(p, t, z, dt, floor, loss):
        q, r = np.exp(p)
        x, P, L = z[0], r, 0.0
        for k in range(1, len(z)):
            h = t[k] - t[k - 1]
            n = max(int(np.floor(h / dt + 0.5)) - 1, 0)
            for _ in range(n):
                P += q * h / (n + 1)
                s = (P + r) ** 0.5
                u = (x - floor) / s
                miss = 1 - (1 - loss) * ndtr(u)
                eta = (1 - loss) * np.exp(-u * u / 2) / (2 * np.pi) ** 0.5 / miss
                L += np.log(miss)
                x, P = x - P / s * eta, P * (1 - P / s ** 2 * eta * (eta - u))
            P += q * h / (n + 1)
            S, e = P + r, z[k] - x
            L -= 0.5 * (np.log(2 * np.pi * S) + e * e / S)
            x, P = x + P / S * e, P * r / S
        return -L
    for t, z in zip(rows[::2], rows[1::2]):
        fits = [minimize(minus, np.log(start), (t, z, 0.2, -92.5, 0.3), "Nelder-Mead",
                         options=dict(xatol=1e-4, fatol=1e-8))
                for start in [(0.1, 9), (2, 20)]]
        best = min(fits, key=lambda fit: fit.fun)
        answer(*np.exp(best.x), -best.fun)
    """

  /// A link near the floor: its levels, and the true ones at the same times.
  private func link(
    about mean: Double, seconds: Double, seed: UInt64
  ) -> (heard: NoiseEstimate.Link, truth: [Double]) {
    var generator = SeededGenerator(seed: seed)
    var heard = NoiseEstimate.Link()
    var truth: [Double] = []
    var level = mean
    for slot in 0..<Int64(seconds / 0.2) {
      level += (0.25 * 0.2).squareRoot() * generator.gaussian()
      let reading = (level + 4 * generator.gaussian()).rounded()
      let isLost = Double.random(in: 0..<1, using: &generator) < 0.3
      guard !isLost, reading >= -92.5 else { continue }
      heard.times.append(slot * 200_000_000)
      heard.levels.append(Float(reading))
      truth.append(level)
    }
    return (heard, truth)
  }

  @Test func `is where the filter's own likelihood is largest, by scipy`() throws {
    let links = [(-90.0, 1), (-88, 2), (-80, 3)].map { mean, seed in
      link(about: mean, seconds: 60, seed: UInt64(seed)).heard
    }
    let rows = links.flatMap { [$0.times.map { Double($0) * 1e-9 }, $0.levels.map(Double.init)] }
    for (link, scipy) in zip(links, try reference(script, rows)) {
      let estimate = try #require(MissedSlotsEstimate([link], of: Self.filter))
      #expect(isClose(estimate.logLikelihood, scipy[2], absolute: 1e-4))
      #expect(isClose(estimate.q, scipy[0], absolute: 1e-6, relative: 0.02))
      #expect(isClose(estimate.r, scipy[1], relative: 0.01))
    }
  }

  @Test func `makes the filter's variance that of its errors near the floor`() throws {
    var (own, ofLevels, bias, count) = (0.0, 0.0, 0.0, 0.0)
    for seed in 1...8 as ClosedRange<UInt64> {
      let (heard, truth) = link(about: -90, seconds: 240, seed: seed)
      let estimate = try #require(MissedSlotsEstimate([heard], of: Self.filter))
      let levels = try #require(NoiseEstimate([heard]))
      var filter = Self.filter
      var short = Self.filter
      filter.adopt(Noise(q: estimate.q, r: estimate.r))
      short.adopt(Noise(q: levels.q, r: levels.r))
      for k in truth.indices {
        let said = filter.update(time: heard.times[k], rssi: Double(heard.levels[k]))
        let wrong = short.update(time: heard.times[k], rssi: Double(heard.levels[k]))
        guard k >= 20 else { continue }
        own += (said.rssi - truth[k]) * (said.rssi - truth[k]) / said.variance
        ofLevels += (wrong.rssi - truth[k]) * (wrong.rssi - truth[k]) / wrong.variance
        bias += said.rssi - truth[k]
        count += 1
      }
    }
    #expect(own / count > 0.7 && own / count < 1.5)
    #expect(ofLevels > 2.5 * own)
    #expect(abs(bias / count) < 0.4)
  }

  @Test func `is that of the levels where nothing was missed`() throws {
    let heard = link(about: -60, seconds: 60, seed: 4).heard
    let filter = TobitFilter(q: 1, r: 1, interval: 1000, floor: -92.5, loss: 0.3)
    let estimate = try #require(MissedSlotsEstimate([heard], of: filter))
    let levels = try #require(NoiseEstimate([heard]))
    #expect(isClose(estimate.logLikelihood, levels.logLikelihood, absolute: 1e-5))
    #expect(isClose(estimate.q, levels.q, absolute: 1e-3, relative: 0.01))
    #expect(isClose(estimate.r, levels.r, relative: 1e-3))
  }

  @Test func `a tag at rest near the floor has a q of nearly 0`() throws {
    var generator = SeededGenerator(seed: 5)
    var heard = NoiseEstimate.Link()
    for slot in 0..<600 as Range<Int64> {
      let reading = -90 + 4 * generator.gaussian()
      guard reading >= -92.5 else { continue }
      heard.times.append(slot * 200_000_000)
      heard.levels.append(Float(reading))
    }
    let filter = TobitFilter(q: 1, r: 1, interval: 0.2, floor: -92.5, loss: 0)
    let estimate = try #require(MissedSlotsEstimate([heard], of: filter))
    #expect(estimate.q < 0.02)
    #expect(isClose(estimate.r, 16, relative: 0.2))
    let few = NoiseEstimate.Link(
      times: Array(heard.times.prefix(8)), levels: Array(heard.levels.prefix(8)))
    #expect(MissedSlotsEstimate([few], of: filter) == nil)
  }
}
