import Foundation
import PathLoss
import TestSupport
import Testing

struct AltBeaconFitTests {
  private func level(_ d: Double, _ a: Double, _ b: Double, _ c: Double, _ power: Double) -> Double
  {
    power * pow((d - c) / a, 1 / b)
  }

  /// Noisy mean levels of two stations a position, from 1 m to 30 m.
  private func means(
    _ positions: Int, seed: UInt64, noise: Double = 1.5,
    curve: (a: Double, b: Double, c: Double) = (0.9, 7.7, 0.11)
  ) -> [StationMean] {
    var generator = SeededGenerator(seed: seed)
    return (0..<2 * positions).map { index in
      let distance = pow(30, Double(index / 2) / Double(positions - 1))
      let count = Double(Int.random(in: 5..<50, using: &generator))
      return StationMean(
        distance: distance,
        level: level(distance, curve.a, curve.b, curve.c, -59) + noise * generator.gaussian(),
        count: count, squaresWithin: 4 * count, position: index / 2)
    }
  }

  @Test(arguments: 1...6)
  func `agrees with scipy's curve_fit and dense matrices`(seed: Int) throws {
    let means = means(12, seed: UInt64(seed))
    let script = """
      from scipy.optimize import curve_fit
      from scipy.linalg import sqrtm
      d, z, w, g = rows
      f = lambda d, a, b, c: -59 * ((d - c) / a) ** (1 / b)
      p, _ = curve_fit(f, d, z, [0.9, 7.7, 0.1], sigma=w ** -0.5, xtol=1e-14, ftol=1e-15,
                       gtol=1e-14, maxfev=100000, x_scale=[1, 10, 1], method="trf",
                       bounds=([1e-9, 1e-3, -np.inf], [np.inf, np.inf, 1 - 1e-9]))
      e = (z - f(d, *p)) * w ** 0.5
      a, b, c = p
      m = f(d, *p)
      J = np.stack([-m / (a * b), -m * np.log((d - c) / a) / b ** 2, -m / (b * (d - c))], 1)
      J *= w[:, None] ** 0.5
      M = np.linalg.inv(J.T @ J)
      V = np.zeros((3, 3))
      for k in np.unique(g):
          X = J[g == k]
          u = M @ X.T @ np.linalg.inv(sqrtm(np.eye(len(X)) - X @ M @ X.T).real) @ e[g == k]
          V += np.outer(u, u)
      ratio = z / -59
      own = np.where(ratio < 1, ratio ** 10, a * ratio ** b + c) - d
      N = w.sum()
      answer(*p)
      answer(((e @ e + 4 * N) / (N - 3)) ** 0.5, (e @ e / N) ** 0.5,
             ((w * own ** 2).sum() / N) ** 0.5, ((w * (own / d) ** 2).sum() / N) ** 0.5)
      answer(*V.ravel())
      """
    let expected = try reference(
      script,
      [
        means.map(\.distance), means.map(\.level), means.map(\.count),
        means.map { Double($0.position) },
      ])
    let fit = try AltBeaconFit(means, measuredPower: -59)
    #expect(fit.hasConverged, "\(fit.ending)")
    func expectClose(_ mine: [Double], _ theirs: [Double], _ relative: Double) {
      #expect(mine.count == theirs.count)
      for (a, b) in zip(mine, theirs) { #expect(isClose(a, b, relative: relative), "\(a), \(b)") }
    }
    // scipy stops where its digits end; no worse than it is what counts.
    expectClose([fit.curve.a, fit.curve.b, fit.curve.c], expected[0], 1e-3)
    let errors = [fit.sigma, fit.levelError, fit.distanceError, fit.relativeDistanceError]
    expectClose(errors, expected[1], 1e-4)
    #expect(fit.levelError <= expected[1][1] * (1 + 1e-10))
    expectClose(try #require(fit.covariance).flatMap(\.self), expected[2], 5e-3)
    let standardErrors = try #require(fit.standardErrors)
    #expect(isClose(standardErrors[1], expected[2][4].squareRoot(), relative: 5e-3))
    let counts: [Int] = [fit.stations, fit.positions, fit.nearStations]
    #expect(counts == [24, 12, 0])
  }

  @Test(arguments: [(0.89976, 7.7095, 0.111), (0.42093, 6.9476, 0.54992)], [-59.0, -66])
  func `data made from a published curve give its constants back`(
    curve: (a: Double, b: Double, c: Double), power: Double
  ) throws {
    let distances = [1, 1.5, 2, 3, 5, 8, 12, 20, 30, 40]
    let fit = try AltBeaconFit(
      distances.enumerated().map { index, distance in
        StationMean(
          distance: distance, level: level(distance, curve.a, curve.b, curve.c, power), count: 100,
          squaresWithin: 900, position: index)
      }, measuredPower: power)
    #expect(fit.hasConverged, "\(fit.ending)")
    #expect(isClose(fit.curve.a, curve.a, relative: 1e-6))
    #expect(isClose(fit.curve.b, curve.b, relative: 1e-6))
    #expect(isClose(fit.curve.c, curve.c, relative: 1e-6))
    #expect(fit.levelError < 1e-6)
    #expect(isClose(fit.sigma, (9000.0 / 997).squareRoot(), relative: 1e-9))
    let error = fit.distanceError
    #expect(error < 0.02)
  }

  @Test func `stations nearer than 1 m are counted and left out`() throws {
    let means = means(8, seed: 3)
    let near = StationMean(distance: 0.5, level: -40, count: 10, squaresWithin: 3, position: 99)
    let fit = try AltBeaconFit([near] + means, measuredPower: -59)
    #expect(fit.nearStations == 1)
    #expect(fit.stations == 16)
    let without = try AltBeaconFit(means, measuredPower: -59)
    #expect(fit.curve == without.curve)
  }

  @Test func `a straight line in log distance is fitted closely`() throws {
    let means = (0..<12).map { index in
      let distance = pow(1.4, Double(index))
      return StationMean(
        distance: distance, level: -59 - 22 * log10(distance), count: 50, squaresWithin: 450,
        position: index)
    }
    let fit = try AltBeaconFit(means, measuredPower: -59)
    #expect(fit.hasConverged, "\(fit.ending)")
    #expect(fit.levelError < 1)
    #expect(fit.curve.c < 1)
  }

  @Test func `levels that bend the other way do not converge, which is a result`() throws {
    // Falling faster and faster in distance: C would have to be minus infinity.
    let means = (0..<8).map { index in
      let distance = 1 + 2 * Double(index)
      return StationMean(
        distance: distance, level: -59 - 0.2 * distance * distance, count: 50, squaresWithin: 450,
        position: index)
    }
    let fit = try AltBeaconFit(means, measuredPower: -59)
    #expect(!fit.hasConverged)
    #expect(fit.ending.hasPrefix("not converged"))
    #expect(fit.levelError.isFinite)
  }

  @Test func `few positions have a curve, but no errors`() throws {
    var means = means(6, seed: 5)
    for index in means.indices { means[index].position /= 2 }
    let fit = try AltBeaconFit(means, measuredPower: -59)
    #expect(fit.positions == 3)
    #expect(fit.covariance == nil)
    #expect(fit.standardErrors == nil)
  }

  @Test func `refuses what determines no curve, in a sentence`() {
    typealias Refusal = AltBeaconFit.Refusal
    func expect(_ refusal: Refusal, _ means: [StationMean], _ power: Double = -59) {
      #expect(throws: refusal) { try AltBeaconFit(means, measuredPower: power) }
    }
    let means = means(4, seed: 6)
    #expect(throws: Never.self) { try AltBeaconFit(means, measuredPower: -59) }
    expect(.measuredPower(0), means, 0)
    expect(.tooFewDistances(0), [])
    expect(.tooFewDistances(3), Array(means[2...]))
    expect(
      .tooFewDistances(2),
      means.map { one in
        var one = one
        one.distance /= 9
        return one
      })
    for change: (inout StationMean) -> Void in [
      { $0.distance = 0 }, { $0.level = 1 }, { $0.level = .nan }, { $0.count = 0 },
      { $0.squaresWithin = -1 },
    ] {
      var wrong = means
      change(&wrong[2])
      expect(.unusableStation(2), wrong)
    }
    var rising = means
    for index in rising.indices { rising[index].level = -80 + rising[index].distance }
    expect(.doesNotFall, rising)
    #expect(
      Refusal.tooFewDistances(1).description
        == "1 distance of 1 m or more: AltBeacon's curve has 3 constants; record at 4 or more")
  }
}
