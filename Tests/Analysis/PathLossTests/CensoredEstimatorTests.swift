import Foundation
import PathLoss
import TestSupport
import Testing

struct CensoredEstimatorTests {
  /// 1 to 40 m, 6 dB from packet to packet, nothing below -90 dBm: about 14 % of packets are lost.
  private var simulation: SimulatedStations {
    var simulation = SimulatedStations()
    simulation.distances = (0..<40).map { pow(40, Double($0) / 39) }
    simulation.packets = 100
    simulation.positionDeviation = 0
    simulation.packetDeviation = 6
    simulation.sensitivity = -90
    return simulation
  }

  private func fit(_ estimator: PathLossEstimator) -> PathLossFit {
    var fit = PathLossFit(estimator: estimator)
    fit.sensitivity = ["receiver": -90]
    fit.configuration.advertisingInterval = 0.1
    return fit
  }

  @Test(.systemRun)
  func `the bias of least squares is gone where 14 % of packets are lost`() throws {
    var generator = SeededGenerator(seed: 21)
    let runs = 30
    var sums: [String: Double] = [:]
    var lost = 0.0
    for _ in 0..<runs {
      let stations = simulation.draw(&generator)
      lost += 1 - Double(stations.reduce(0) { $0 + $1.samples }) / 4000
      for estimator in [PathLossEstimator.censored, .truncated] {
        let group = fit(estimator).group(key: "k", stations)
        #expect(group.estimation.hasConverged)
        sums[estimator.rawValue, default: 0] += try #require(group.exponent) - 2.2
        // Side by side with least squares.
        sums["least-squares " + estimator.rawValue, default: 0] +=
          try #require(group.leastSquares).exponent - 2.2
      }
      sums["huber", default: 0] +=
        try #require(PathLossFit(estimator: .huber).group(key: "k", stations).exponent) - 2.2
    }
    let biases = sums.mapValues { $0 / Double(runs) }
    print("lost \(lost / Double(runs)), bias of the exponent: \(biases)")
    #expect(abs(try #require(biases["censored"])) < 0.02)
    #expect(abs(try #require(biases["truncated"])) < 0.02)
    #expect(try #require(biases["least-squares censored"]) < -0.2)
    #expect(try #require(biases["huber"]) < -0.2)
  }

  @Test func `agrees with scipy's maximum of the same likelihood`() throws {
    var generator = SeededGenerator(seed: 22)
    let sessions = (0..<3).map { _ in simulation.draw(&generator) }
    let script = """
      from scipy.optimize import minimize
      from scipy.stats import norm
      for z, n, d, g, span in zip(rows[::5], rows[1::5], rows[2::5], rows[3::5], rows[4::5]):
          x = -10 * np.log10(d)
          def curve(p): return p[0] + p[1] * x, np.exp(p[2])
          def seen(p):
              m, s = curve(p)
              # Differences of the nearer tail.
              a, b = (z - 0.5 - m) / s, (z + 0.5 - m) / s
              return np.log(np.where(a > 0, norm.sf(a) - norm.sf(b), norm.cdf(b) - norm.cdf(a)))
          def truncated(p):
              m, s = curve(p)
              return -(n * (seen(p) - norm.logsf((-90.5 - m) / s))).sum()
          first = np.unique(g, return_index=True)[1]
          heard = np.array([n[g == k].sum() for k in g[first]])
          inside = np.round(span[first] / 0.1) + 1
          share = np.minimum((heard - 1) / (inside - 1), 1)
          sent = inside + 2 * (1 - share) / share
          enough = heard >= 5
          typical = np.sort(sent[enough])[enough.sum() // 2]
          missed = np.maximum(np.where(enough, sent, np.maximum(typical, inside)) - heard, 0)
          def censored(p, lost=0.0):
              m, s = curve(p)
              none = lost + (1 - lost) * norm.cdf((-90.5 - m[first]) / s)
              return -((n * seen(p)).sum() + heard.sum() * np.log1p(-lost)
                       + (missed * np.log(none)).sum())
          def best(f, start):
              for _ in range(3):
                  start = minimize(f, start, method="Nelder-Mead",
                                   options=dict(xatol=1e-10, fatol=1e-10, maxiter=8000)).x
              return start, -f(start)
          start = np.array([-59, 2.2, np.log(6)])
          for f, s in ((truncated, start), (censored, start),
                       (lambda p: censored(p, 1 / (1 + np.exp(-p[3]))), np.append(start, -1.0))):
              p, l = best(f, s)
              answer(p[0], p[1], np.exp(p[2]), l, 1 / (1 + np.exp(-p[3])) if len(p) > 3 else 0)
      """
    // Of the last answer, a fifth of all packets is lost for another reason.
    let thinned = sessions.map { stations in
      stations.map { station in
        var station = station
        station.levels = station.levels.map {
          LevelCount(level: $0.level, count: $0.count - $0.count / 4)
        }
        return station
      }
    }
    let expected = try reference(
      script,
      thinned.flatMap { stations in
        countRows(stations) + [
          stations.flatMap { station in
            station.levels.map { _ in
              Double(station.span!.upperBound - station.span!.lowerBound) / 1e9
            }
          }
        ]
      })
    try #require(expected.count == 9)
    for (index, stations) in thinned.enumerated() {
      var known = fit(.censored)
      known.configuration.lostShare = 0
      let fits = [fit(.truncated), known, fit(.censored)]
      for (fit, answer) in zip(fits, expected[index * 3..<index * 3 + 3]) {
        let group = fit.group(key: "k", stations)
        #expect(isClose(group.measuredPower ?? .nan, answer[0], absolute: 1e-4))
        #expect(isClose(group.exponent ?? .nan, answer[1], absolute: 1e-5))
        #expect(isClose(group.sigma ?? .nan, answer[2], absolute: 1e-4))
        #expect(isClose(group.estimation.logLikelihood ?? .nan, answer[3], absolute: 1e-5))
        if fit.estimator == .censored {
          #expect(isClose(group.estimation.lostShare ?? .nan, answer[4], absolute: 1e-4))
        }
      }
    }
  }

  @Test func `without losses it is least squares, but for the rounding of levels`() throws {
    var generator = SeededGenerator(seed: 23)
    var clean = simulation
    clean.sensitivity = -.infinity
    let stations = clean.draw(&generator)
    var fit = PathLossFit(estimator: .truncated)
    fit.sensitivity = ["receiver": -120]
    let group = fit.group(key: "k", stations)
    let plain = PathLossFit().group(key: "k", stations)
    #expect(isClose(group.exponent ?? .nan, plain.exponent ?? .nan, absolute: 1e-4))
    #expect(isClose(group.measuredPower ?? .nan, plain.measuredPower ?? .nan, absolute: 1e-3))
    // Sheppard's correction.
    let sigma = try #require(plain.sigma)
    #expect(isClose(group.sigma ?? .nan, (sigma * sigma - 1 / 12).squareRoot(), absolute: 2e-3))
  }

  @Test func `a sensitivity above what was heard is not believed`() {
    var generator = SeededGenerator(seed: 24)
    let stations = simulation.draw(&generator)
    var fit = PathLossFit(estimator: .truncated)
    fit.sensitivity = ["receiver": -80]
    let group = fit.group(key: "k", stations)
    #expect(group.diagnostics.contains { $0.code == "sensitivity-too-high" })
    #expect(group.estimation.sensitivity == ["receiver": -90])
  }

  @Test func `a stray packet far below the sensitivity is left out, or warned about`() throws {
    var generator = SeededGenerator(seed: 26)
    let clean = simulation.draw(&generator)
    var dirty = clean
    dirty[5].levels.insert(LevelCount(level: -105, count: 1), at: 0)
    let expected = fit(.truncated).group(key: "k", clean)
    let without = fit(.truncated).group(key: "k", dirty)
    #expect(without.exponent == expected.exponent && without.sigma == expected.sigma)
    #expect(without.diagnostics.contains { $0.code == "stray-packets" && $0.value == 1 })
    // Where no sensitivity is given the weakest packet is taken for it.
    var unknowing = PathLossFit(estimator: .truncated)
    unknowing.sensitivity = ["receiver": -105]
    let misled = unknowing.group(key: "k", dirty)
    #expect(try #require(misled.exponent) < #require(expected.exponent) - 0.1)
    let warning = try #require(misled.diagnostics.first { $0.code == "stray-weakest" })
    #expect(warning.message.contains("sensitivity of -90"))
    #expect(!expected.diagnostics.contains { $0.code.hasPrefix("stray") })
  }

  @Test func `refuses, with a reason, where it lacks what it needs`() {
    var generator = SeededGenerator(seed: 25)
    var stations = simulation.draw(&generator)
    #expect(
      PathLossFit(estimator: .truncated).group(key: "k", stations).diagnostics.map(\.code)
        == ["no-sensitivity"])
    var fit = fit(.censored)
    fit.configuration.advertisingInterval = nil
    #expect(fit.group(key: "k", stations).diagnostics.map(\.code) == ["no-missing-counts"])
    stations[0].span = nil
    #expect(
      self.fit(.censored).group(key: "k", stations).diagnostics.map(\.code) == ["no-missing-counts"]
    )
  }
}
