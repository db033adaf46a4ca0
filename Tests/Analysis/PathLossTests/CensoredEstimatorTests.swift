import Foundation
import NumericalMethods
import TestSupport
import Testing

@testable import PathLoss

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
    let runs = 10
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

  @Test func `finds the maximum of the likelihood that scipy integrates`() throws {
    var generator = SeededGenerator(seed: 22)
    var soft = simulation
    soft.positionDeviation = 3
    soft.sensitivityScale = 1.5
    soft.lostShare = 0.2
    let stations = soft.draw(&generator)
    let script = """
      from scipy.stats import norm
      level, count, distance, position, span, missing, chosen = rows
      x = -10 * np.log10(distance)
      first = np.unique(position, return_index=True)[1]
      heard = np.array([count[position == p].sum() for p in position[first]])
      u = np.linspace(-9, 9, 1801)
      e = np.linspace(-9, 9, 721)
      def likelihood(p, counts):
          power, n, packet, place, edge, scale = p[:6]
          share = p[6] if counts else 1
          near = np.arange(-150, -20, 0.05)
          logistic = 1 / (1 + np.exp(-(near[:, None] + packet * e - edge) / scale))
          received = (logistic * norm.pdf(e)).sum(1) * (e[1] - e[0])
          total = 0
          for f, k in zip(first, heard):
              own = position == position[f]
              mean = power + n * x[f] + place * u
              r = np.interp(mean, near, received)
              one = (count[own, None] * (norm.logpdf(level[own, None], mean, packet)
                     - np.log1p(np.exp(-(level[own, None] - edge) / scale)))).sum(0)
              if counts:
                  one = one + k * np.log(share) + missing[f] * np.log1p(-share * r)
              else:
                  one = one - k * np.log(r)
              most = one.max()
              total += most + np.log((np.exp(one - most) * norm.pdf(u)).sum() * (u[1] - u[0]))
          return total
      counts = chosen[6] < 1
      best = likelihood(chosen, counts)
      others = []
      for index in range(7 if counts else 6):
          for sign in (-1, 1):
              other = chosen.copy()
              other[index] += sign * [0.2, 0.02, 0.05, 0.2, 0.1, 0.1, 0.01][index]
              others.append(likelihood(other, counts))
      answer(best, max(others))
      """
    for estimator in [PathLossEstimator.truncated, .censored] {
      let group = fit(estimator).group(key: "k", stations)
      #expect(group.estimation.hasConverged)
      let missed = MissedPackets(stations, interval: 0.1).counts
      func perCell(_ values: [Double]) -> [Double] {
        zip(stations, values).flatMap { station, value in station.levels.map { _ in value } }
      }
      let chosen = [
        group.measuredPower, group.exponent, group.packetDeviation, group.positionDeviation,
        group.estimation.sensitivity?["receiver"], group.estimation.sensitivityScale,
        1 - (group.estimation.lostShare ?? 0),
      ]
      let rows =
        countRows(stations) + [
          perCell(stations.map { Double($0.span!.upperBound - $0.span!.lowerBound) / 1e9 }),
          perCell(missed), chosen.map { $0 ?? .nan },
        ]
      let expected = try #require(try reference(script, rows).first)
      let value = try #require(group.estimation.logLikelihood)
      #expect(isClose(value, expected[0], absolute: 0.01))
      #expect(expected[1] < expected[0])
    }
  }

  @Test func `a hard edge is the limit of a soft one`() throws {
    var generator = SeededGenerator(seed: 27)
    let stations = simulation.draw(&generator)
    for estimator in [PathLossEstimator.truncated, .censored] {
      var hard = fit(estimator)
      hard.configuration.sensitivityScale = 0
      var soft = fit(estimator)
      soft.configuration.sensitivity = -90.5
      soft.configuration.sensitivityScale = 0.2
      let limit = hard.group(key: "k", stations)
      let near = soft.group(key: "k", stations)
      #expect(limit.estimation.sensitivityScale == 0)
      #expect(isClose(near.exponent ?? .nan, limit.exponent ?? .nan, absolute: 0.01))
      #expect(isClose(near.measuredPower ?? .nan, limit.measuredPower ?? .nan, absolute: 0.1))
      // Estimated, the scale vanishes.
      let found = fit(estimator).group(key: "k", stations)
      #expect(found.estimation.sensitivityScale == 0)
      #expect(isClose(found.exponent ?? .nan, limit.exponent ?? .nan, relative: 1e-6))
    }
  }

  @Test(.systemRun)
  func `neither offsets of positions nor a soft edge bias the exponent`() throws {
    var generator = SeededGenerator(seed: 28)
    var soft = simulation
    (soft.power, soft.exponent, soft.sensitivity) = (-65, 2.5, -95)
    soft.distances = (0..<18).map { pow(35, Double($0) / 17) }
    (soft.packets, soft.packetDeviation, soft.positionDeviation) = (250, 4.5, 3)
    (soft.sensitivityScale, soft.lostShare) = (1.5, 0.2)
    let runs = 20
    var errors: [String: [Double]] = [:]
    var held: [String: Int] = [:]
    for _ in 0..<runs {
      let stations = soft.draw(&generator)
      for estimator in [PathLossEstimator.leastSquares, .truncated, .censored] {
        let group = fit(estimator).group(key: "k", stations)
        errors[estimator.rawValue, default: []].append(try #require(group.exponent) - 2.5)
        let interval = try #require(group.exponentInterval)
        held[estimator.rawValue, default: 0] += interval.contains(2.5) ? 1 : 0
      }
    }
    let biases = errors.mapValues { $0.reduce(0, +) / Double(runs) }
    print("bias of the exponent: \(biases), held of \(runs): \(held)")
    // Its standard deviation is 0.15, and that of the mean 0.034.
    #expect(abs(try #require(biases["truncated"])) < 0.08)
    #expect(abs(try #require(biases["censored"])) < 0.08)
    #expect(try #require(biases["least-squares"]) < -0.2)
    #expect(try #require(held["truncated"]) >= 17 && #require(held["censored"]) >= 17)
  }

  @Test func `places at which nothing was received count as missed`() throws {
    var generator = SeededGenerator(seed: 29)
    var far = simulation
    far.distances = (0..<60).map { pow(60, Double($0) / 59) }
    (far.positionDeviation, far.packetDeviation, far.packets) = (5, 3, 25)
    let visit = Visit(seconds: 24, stretches: 1, scanPeriod: 1)
    var biases = (with: 0.0, without: 0.0)
    let runs = 8
    for _ in 0..<runs {
      let stations = far.draw(&generator).map { station in
        var station = station
        (station.span, station.visit) = (nil, visit)
        return station
      }
      let heard = Set(stations.map(\.position))
      let unheard = far.distances.indices.filter { !heard.contains(UInt64($0)) }.map { index in
        var station = Station(
          beacon: "beacon", receiver: "receiver", series: "series", position: UInt64(index),
          distance: far.distances[index])
        station.visit = visit
        return station
      }
      var fit = PathLossFit(estimator: .censored)
      fit.sensitivity = ["receiver": -90]
      let whole = fit.group(key: "k", stations, unheard: unheard)
      #expect(whole.positions == heard.count)
      biases.with += try #require(whole.exponent) - 2.2
      biases.without += try #require(fit.group(key: "k", stations).exponent) - 2.2
    }
    print("bias with and without: \(biases.with / Double(runs)), \(biases.without / Double(runs))")
    #expect(abs(biases.with / Double(runs)) < 0.1)
    #expect(biases.without / Double(runs) < -0.1)
  }

  @Test func `without losses it has no edge and is least squares`() throws {
    var generator = SeededGenerator(seed: 23)
    var clean = simulation
    clean.sensitivity = -.infinity
    let stations = clean.draw(&generator)
    let group = fit(.truncated).group(key: "k", stations)
    let plain = PathLossFit().group(key: "k", stations)
    #expect(group.diagnostics.contains { $0.code == "no-edge" })
    #expect(group.estimation.sensitivity == nil && group.estimation.sensitivityScale == nil)
    // With as many packets at each position.
    #expect(isClose(group.exponent ?? .nan, plain.exponent ?? .nan, absolute: 1e-5))
    #expect(isClose(group.measuredPower ?? .nan, plain.measuredPower ?? .nan, absolute: 1e-4))
    #expect(isClose(group.sigma ?? .nan, plain.sigma ?? .nan, absolute: 0.02))
  }

  @Test func `a sensitivity above what was heard is not believed`() {
    var generator = SeededGenerator(seed: 24)
    let stations = simulation.draw(&generator)
    var fit = PathLossFit(estimator: .truncated)
    fit.sensitivity = ["receiver": -80]
    fit.configuration.sensitivityScale = 0
    let group = fit.group(key: "k", stations)
    #expect(group.diagnostics.contains { $0.code == "sensitivity-too-high" })
    #expect(group.estimation.sensitivity == ["receiver": -90])
  }

  @Test func `a stray packet far below the sensitivity is left out, or warned about`() throws {
    var generator = SeededGenerator(seed: 26)
    let clean = simulation.draw(&generator)
    var dirty = clean
    dirty[5].levels.insert(LevelCount(level: -105, count: 1), at: 0)
    var hard = fit(.truncated)
    hard.configuration.sensitivityScale = 0
    let expected = hard.group(key: "k", clean)
    let without = hard.group(key: "k", dirty)
    #expect(without.exponent == expected.exponent && without.sigma == expected.sigma)
    #expect(without.diagnostics.contains { $0.code == "stray-packets" && $0.value == 1 })
    // Where no sensitivity is given the weakest packet is taken for it.
    var unknowing = PathLossFit(estimator: .truncated)
    unknowing.sensitivity = ["receiver": -105]
    unknowing.configuration.sensitivityScale = 0
    let misled = unknowing.group(key: "k", dirty)
    #expect(try #require(misled.exponent) < #require(expected.exponent) - 0.1)
    let warning = try #require(misled.diagnostics.first { $0.code == "stray-weakest" })
    #expect(warning.message.contains("sensitivity of -90"))
    #expect(!expected.diagnostics.contains { $0.code.hasPrefix("stray") })
  }

  @Test func `refuses, with a reason, where it lacks what it needs`() {
    var generator = SeededGenerator(seed: 25)
    var stations = simulation.draw(&generator)
    var hard = PathLossFit(estimator: .truncated)
    hard.configuration.sensitivityScale = 0
    #expect(hard.group(key: "k", stations).diagnostics.map(\.code) == ["no-sensitivity"])
    var fit = fit(.censored)
    fit.configuration.advertisingInterval = nil
    #expect(fit.group(key: "k", stations).diagnostics.map(\.code) == ["no-missing-counts"])
    stations[0].span = nil
    #expect(
      self.fit(.censored).group(key: "k", stations).diagnostics.map(\.code) == ["no-missing-counts"]
    )
  }
}
