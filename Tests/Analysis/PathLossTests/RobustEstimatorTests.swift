import PathLoss
import TestSupport
import Testing

struct RobustEstimatorTests {
  /// Calibrations with one packet in ten attenuated by 25 dB.
  private func sessions() -> [[Station]] {
    var generator = SeededGenerator(seed: 11)
    return [(20, 3.0), (8, 4.0), (40, 1.0)].map { positions, deviation in
      var simulation = SimulatedStations()
      simulation.distances = (0..<positions).map { 0.5 * Double($0 + 1) }
      simulation.positionDeviation = deviation
      return simulation.draw(&generator).map { station in
        var station = station
        let lost = station.levels.map {
          LevelCount(level: $0.level - 25, count: ($0.count + 5) / 10)
        }
        station.levels += lost.filter { $0.count > 0 }
        station.levels.sort { $0.level < $1.level }
        return station
      }
    }
  }

  @Test(
    arguments: [(.huber, "HuberT()"), (.tukey, "TukeyBiweight()")] as [(PathLossEstimator, String)])
  func `agrees with statsmodels' RLM`(estimator: PathLossEstimator, norm: String) throws {
    let sessions = sessions()
    let script = """
      import statsmodels.api as sm
      for z, n, d, _ in zip(rows[::4], rows[1::4], rows[2::4], rows[3::4]):
          n = n.astype(int)
          X = np.repeat(np.stack([np.ones_like(d), -10 * np.log10(d)], 1), n, 0)
          start = sm.RLM(np.repeat(z, n), X, M=sm.robust.norms.HuberT()).fit(maxiter=2000, tol=1e-12)
          fit = sm.RLM(np.repeat(z, n), X, M=sm.robust.norms.\(norm)).fit(
              maxiter=2000, tol=1e-12, start_params=start.params)
          answer(*fit.params, fit.scale)
      """
    let expected = try reference(script, sessions.flatMap(countRows))
    try #require(expected.count == sessions.count)
    for (stations, answer) in zip(sessions, expected) {
      let group = PathLossFit(estimator: estimator).group(key: "k", stations)
      #expect(isClose(group.measuredPower ?? .nan, answer[0], absolute: 1e-6))
      #expect(isClose(group.exponent ?? .nan, answer[1], absolute: 1e-6))
      #expect(isClose(group.sigma ?? .nan, answer[2], absolute: 1e-6))
      #expect(group.estimation.hasConverged)
    }
  }

  @Test func `Cauchy's estimate solves its own equations`() throws {
    let sessions = sessions()
    // Weights at the fixed point, with the scale of statsmodels, by a solver of equations.
    let script = """
      from scipy.optimize import fixed_point
      for z, n, d, _ in zip(rows[::4], rows[1::4], rows[2::4], rows[3::4]):
          z, x = np.repeat(z, n.astype(int)), np.repeat(-10 * np.log10(d), n.astype(int))
          X = np.stack([np.ones_like(x), x], 1)
          def step(b):
              r = z - X @ b
              s = np.median(np.abs(r)) / 0.6744897501960817
              w = 1 / (1 + (r / s / 2.385) ** 2)
              return np.linalg.solve(X.T @ (w[:, None] * X), X.T @ (w * z))
          b = np.linalg.lstsq(X, z, rcond=None)[0]
          for _ in range(500): b = step(b)
          answer(*b)
      """
    let expected = try reference(script, sessions.flatMap(countRows))
    for (stations, answer) in zip(sessions, expected) {
      let group = PathLossFit(estimator: .cauchy).group(key: "k", stations)
      #expect(isClose(group.measuredPower ?? .nan, answer[0], absolute: 1e-6))
      #expect(isClose(group.exponent ?? .nan, answer[1], absolute: 1e-6))
    }
  }

  @Test(arguments: [PathLossEstimator.huber, .tukey, .cauchy])
  func `grossly wrong packets move least squares, not these`(estimator: PathLossEstimator) {
    var generator = SeededGenerator(seed: 12)
    var simulation = SimulatedStations()
    simulation.positionDeviation = 0
    let clean = simulation.draw(&generator)
    // One packet in five at far places passed through a person.
    let dirty = clean.map { station in
      var station = station
      guard station.distance > 5 else { return station }
      station.levels = station.levels.flatMap {
        [
          LevelCount(level: $0.level - 30, count: $0.count / 5),
          LevelCount(level: $0.level, count: $0.count),
        ]
      }.filter { $0.count > 0 }.sorted { $0.level < $1.level }
      return station
    }
    func error(_ estimator: PathLossEstimator) -> Double {
      abs((PathLossFit(estimator: estimator).group(key: "k", dirty).exponent ?? .nan) - 2.2)
    }
    #expect(error(.leastSquares) > 0.3)
    #expect(error(estimator) < error(.leastSquares) / 3)
  }

  @Test func `levels that nearly all agree leave a scale above 0, and a fit`() {
    let stations = [1.0, 2, 4, 8].enumerated().map { index, distance in
      Station(
        beacon: "b", receiver: "r", series: "s", position: UInt64(index), distance: distance,
        levels: [
          LevelCount(level: -66 - 6 * Double(index), count: 1),
          LevelCount(level: -60 - 6 * Double(index), count: 99),
        ])
    }
    for estimator in [PathLossEstimator.huber, .tukey, .cauchy] {
      let group = PathLossFit(estimator: estimator).group(key: "k", stations)
      #expect(isClose(group.measuredPower ?? .nan, -60, absolute: 0.1), "\(estimator)")
      #expect((group.sigma ?? 0) >= 1 / 12.0.squareRoot(), "\(estimator)")
    }
  }
}
