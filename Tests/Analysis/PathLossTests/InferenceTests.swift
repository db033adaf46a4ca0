import Foundation
import NumericalMethods
import TestSupport
import Testing

@testable import PathLoss

struct InferenceTests {
  private func group(_ seed: UInt64, _ fit: PathLossFit) -> (PathLossGroup, [Station]) {
    var generator = SeededGenerator(seed: seed)
    let stations = SimulatedStations().draw(&generator)
    return (fit.group(key: "k", stations), stations)
  }

  @Test(arguments: 1...20)
  func `a distance's interval holds exactly the distances whose band holds the level`(seed: UInt64)
    throws
  {
    let (group, _) = group(seed, PathLossFit())
    let line = try #require(group.line)
    for level in stride(from: -100.0, through: -45, by: 5) {
      let answer = try #require(line.distance(atLevel: level))
      for (interval, isPrediction) in [(answer.interval, false), (answer.predictionInterval, true)]
      {
        guard let interval else { continue }
        #expect(interval.contains(answer.distance))
        for end in interval.limits {
          // At the ends the band just touches the level.
          let band = line.level(atDistance: end)
          let half = isPrediction ? band.prediction : band.confidence
          #expect(isClose(abs(band.level - level), half, absolute: 1e-6))
        }
      }
    }
  }

  @Test func `a distance has no interval if the exponent may be 0`() {
    let flat = FittedLine(
      power: -60, exponent: 0.5, sigma: 4, powerVariance: 1, exponentVariance: 0.2, covariance: 0,
      quantile: 2)
    #expect(flat.distance(atLevel: -70)?.interval == nil)
    #expect(flat.distance(atLevel: -70)?.predictionInterval == nil)
    var rising = flat
    rising.exponent = -0.1
    #expect(rising.distance(atLevel: -70) == nil)
  }

  @Test func `bootstrap intervals agree with scipy's of the same kind`() throws {
    var fit = PathLossFit()
    fit.bootstrapDraws = 4000
    let (group, stations) = group(41, fit)
    let script = """
      from scipy.stats import bootstrap
      z, n, d, g = rows
      x = -10 * np.log10(d)
      ids = np.unique(g).astype(int)
      S = np.array([[n[g == k].sum(), (n * x)[g == k].sum(), (n * x * x)[g == k].sum(), (n * z)[g == k].sum(),
                     (n * x * z)[g == k].sum(), (n * z * z)[g == k].sum()] for k in ids])
      def line(k):
          s = S[k.astype(int)].sum(0)
          slope = (s[0] * s[4] - s[1] * s[3]) / (s[0] * s[2] - s[1] ** 2)
          return (s[3] - slope * s[1]) / s[0], slope
      for which in (0, 1):
          r = bootstrap((np.arange(len(ids)),), lambda k: line(k)[which], vectorized=False, n_resamples=9999,
                        method="BCa", random_state=1)
          answer(*r.confidence_interval)
      """
    let expected = try reference(script, countRows(stations))
    let intervals = try #require(group.bootstrap)
    #expect(intervals.failed == 0 && intervals.replicates == 4000)
    let power = try #require(intervals.measuredPower)
    let exponent = try #require(intervals.exponent)
    // Both have Monte Carlo errors of about a twentieth of the standard error.
    for (a, b) in zip(power.limits, expected[0]) {
      #expect(abs(a - b) < 0.2 * (group.powerError ?? 0))
    }
    for (a, b) in zip(exponent.limits, expected[1]) {
      #expect(abs(a - b) < 0.2 * (group.exponentError ?? 0))
    }
    #expect(intervals.sigma?.lower ?? 9 < group.sigma ?? 0)
  }

  @Test func `a seed draws the same again; few positions are refused`() {
    var fit = PathLossFit(estimator: .huber)
    fit.bootstrapDraws = 100
    let (first, stations) = group(42, fit)
    #expect(fit.group(key: "k", stations.reversed()).bootstrap == first.bootstrap)
    fit.seed = 2
    #expect(fit.group(key: "k", stations).bootstrap != first.bootstrap)
    let few = fit.group(key: "k", Array(stations.prefix(4)))
    #expect(few.bootstrap == nil && few.diagnostics.contains { $0.code == "no-bootstrap" })
  }

  @Test(arguments: [(11, false), (12, true)])
  func `a bootstrap of sigma takes 12 positions`(positions: Int, isStated: Bool) throws {
    var fit = PathLossFit()
    fit.bootstrapDraws = 200
    let (_, stations) = group(44, fit)
    let group = fit.group(key: "k", Array(stations.prefix(positions)))
    let bootstrap = try #require(group.bootstrap)
    #expect(bootstrap.exponent != nil && (bootstrap.sigma != nil) == isStated)
    #expect(group.diagnostics.contains { $0.code == "no-bootstrap-sigma" } == !isStated)
  }

  @Test
  func `the variances of positions and packets are those of an analysis of variance`() throws {
    let (group, stations) = group(43, PathLossFit())
    // With as many packets everywhere the moments are the classical ones.
    let script = """
      z, n, d, g = rows
      x = -10 * np.log10(d)
      w = np.sqrt(n)
      b = np.linalg.lstsq(np.stack([w, x * w], 1), z * w, rcond=None)[0]
      r = z - b[0] - b[1] * x
      ids = np.unique(g)
      m = np.array([(n * r)[g == k].sum() / n[g == k].sum() for k in ids])
      within = sum((n * (r - m[i]) ** 2)[g == k].sum() for i, k in enumerate(ids)) / (n.sum() - len(ids))
      between = (m ** 2).sum() / (len(ids) - 2)
      answer(np.sqrt(between * 100 / 100 - within / 100), np.sqrt(within))
      """
    let expected = try reference(script, countRows(stations))
    #expect(isClose(group.positionDeviation ?? .nan, expected[0][0], relative: 1e-9))
    #expect(isClose(group.packetDeviation ?? .nan, expected[0][1], relative: 1e-9))
  }
}
