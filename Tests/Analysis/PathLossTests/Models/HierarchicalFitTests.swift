import Foundation
import PathLoss
import TestSupport
import Testing

struct HierarchicalFitTests {
  private func expectClose(
    _ mine: [Double], _ theirs: [Double], absolute: Double = 0, relative: Double
  ) {
    #expect(mine.count == theirs.count)
    for (place, (a, b)) in zip(mine, theirs).enumerated() {
      #expect(isClose(a, b, absolute: absolute, relative: relative), "\(place): \(a), \(b)")
    }
  }

  // Its covariance of P and n is not compared: it is taken from the whole Hessian, not (XᵀV⁻¹X)⁻¹.
  @Test(arguments: [1, 2, 3])
  func `agrees with statsmodels' REML where positions alone differ`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let links = SimulatedLinks(beacons: 1, receivers: 1, positions: 25, packets: 8)
    let packets = links.packets(&generator)
    let script = """
      import statsmodels.api as sm
      b, c, s, x, y = rows
      f = sm.MixedLM(y, sm.add_constant(x), groups=s).fit(reml=True, gtol=1e-8)
      assert f.converged
      answer(*f.fe_params, f.cov_re[0, 0] ** 0.5, f.scale ** 0.5, f.llf)
      """
    let expected = try reference(script, rows(packets))[0]
    let fit = try HierarchicalFit(sums(packets))
    #expect(fit.hasConverged)
    let deviation = try #require(fit.deviations[.position])
    expectClose(
      [
        fit.measuredPower, fit.exponent, deviation.value, fit.packetDeviation.value,
        fit.logLikelihood,
      ], expected, relative: 1e-3)
    #expect(isClose(fit.logLikelihood, expected[4], absolute: 1e-4, relative: 0))
    // No other place has a likelihood above the best one.
    #expect(fit.logLikelihood >= expected[4] - 1e-7)
    #expect(fit.omissions.map(\.effect) == [.beacon, .receiver])
    #expect(fit.omissions.allSatisfy { $0.reason == .oneLevel })
    #expect(fit.beacons.isEmpty && fit.receivers.isEmpty)
    #expect(fit.covariance[0][1] == fit.covariance[1][0])
    #expect(fit.positions == 25 && fit.packets == Double(packets.count))
  }

  @Test(arguments: [false, true])
  func `agrees with statsmodels' crossed effects`(sharesPositions: Bool) throws {
    var generator = SeededGenerator(seed: 11)
    let links = SimulatedLinks(
      beacons: 8, receivers: 4, positions: 3, packets: 4, sharesPositions: sharesPositions)
    let packets = links.packets(&generator)
    let script = """
      import pandas as pd, statsmodels.api as sm
      data = pd.DataFrame(dict(zip("bcsxy", rows)))
      parts = dict(b="0 + C(b)", c="0 + C(c)", s="0 + C(s)")
      f = sm.MixedLM.from_formula("y ~ x", groups=np.ones(len(data)), re_formula="0",
                                  vc_formula=parts, data=data).fit(reml=True, gtol=1e-7)
      answer(*f.fe_params, *f.vcomp ** 0.5, f.scale ** 0.5, f.llf)
      offsets = f.random_effects[1.0].values
      answer(*offsets[:8])
      answer(*offsets[8:12])
      """
    let expected = try reference(script, rows(packets))
    let fit = try HierarchicalFit(sums(packets))
    #expect(fit.hasConverged)
    #expect(fit.omissions.isEmpty)
    let deviations = try [RandomEffect.beacon, .receiver, .position].map {
      try #require(fit.deviations[$0]).value
    }
    expectClose(
      [fit.measuredPower, fit.exponent] + deviations
        + [fit.packetDeviation.value, fit.logLikelihood], expected[0], relative: 1e-3)
    #expect(fit.logLikelihood >= expected[0][6] - 1e-6)
    #expect(isClose(fit.logLikelihood, expected[0][6], absolute: 1e-4, relative: 0))
    expectClose(fit.beacons.map(\.offset), expected[1], absolute: 2e-3, relative: 1e-3)
    expectClose(fit.receivers.map(\.offset), expected[2], absolute: 2e-3, relative: 1e-3)
  }

  @Test(arguments: [false, true])
  func `agrees with dense matrices`(sharesPositions: Bool) throws {
    var generator = SeededGenerator(seed: 5)
    let links = SimulatedLinks(
      beacons: 5, receivers: 4, positions: 4, packets: 3, sharesPositions: sharesPositions,
      beaconDeviation: 6, receiverDeviation: 5)
    let packets = links.packets(&generator)
    let fit = try HierarchicalFit(sums(packets))
    let variances = try [RandomEffect.beacon, .receiver, .position].map {
      pow(try #require(fit.deviations[$0]).value, 2)
    }
    // V itself, its inverse and differences in variances; Henderson's equations in packets.
    let script = """
      b, c, s, x, y = rows[:5]
      X = np.stack([np.ones_like(x), x], 1)
      Zs = [(g[:, None] == np.unique(g)).astype(float) for g in (b, c, s)]
      N = len(y)
      def parts(v):
          V = v[3] * np.eye(N) + sum(u * Z @ Z.T for u, Z in zip(v, Zs))
          W = np.linalg.inv(V)
          C = np.linalg.inv(X.T @ W @ X)
          beta = C @ X.T @ W @ y
          e = y - X @ beta
          return (np.linalg.slogdet(V)[1] - np.linalg.slogdet(C)[1] + e @ W @ e
                  + (N - 2) * np.log(2 * np.pi), C, beta, W @ e)
      v = rows[5]
      d = lambda v: parts(v)[0]
      h = 1e-3 * v
      E = np.diag(h)
      f0, C, beta, We = parts(v)
      gradient = np.array([(d(v + E[i]) - d(v - E[i])) / (2 * h[i]) for i in range(4)])
      H = np.array([[(d(v + E[i] + E[j]) - d(v + E[i] - E[j]) - d(v - E[i] + E[j])
                      + d(v - E[i] - E[j])) / (4 * h[i] * h[j]) for i in range(4)]
                    for j in range(4)])
      A = 2 * np.linalg.inv(H)
      g = [(parts(v + E[i])[1] - parts(v - E[i])[1]).diagonal() / (2 * h[i]) for i in range(4)]
      nu = [2 * C[k, k] ** 2 / (np.array([u[k] for u in g]) @ A @ np.array([u[k] for u in g]))
            for k in (0, 1)]
      from scipy.stats import t
      half = [t.ppf(0.975, nu[k]) * C[k, k] ** 0.5 for k in (0, 1)]
      answer(*gradient * v)
      answer(-f0 / 2, *beta, *C.ravel(), *nu, beta[0] - half[0], beta[0] + half[0],
             beta[1] - half[1], beta[1] + half[1])
      # Standard errors of log sd are half those of log variances.
      for k in range(4):
          answer(*v[k] ** 0.5 * np.exp(np.array([-1, 1]) * 1.959964 * A[k, k] ** 0.5 / v[k] / 2))
      Z = np.hstack(Zs)
      D = np.concatenate([np.full(Z.shape[1], u) for u, Z in zip(v, Zs)])
      M = np.hstack([X, Z])
      K = np.linalg.inv(M.T @ M / v[3] + np.diag(np.concatenate([[0, 0], 1 / D])))
      u = D * (Z.T @ We)
      for k in range(Zs[0].shape[1] + Zs[1].shape[1]):
          q = k + 2
          answer(u[k], K[q, q] ** 0.5, beta[0] + u[k], (K[0, 0] + 2 * K[0, q] + K[q, q]) ** 0.5)
      """
    let expected = try reference(
      script, rows(packets) + [variances + [pow(fit.packetDeviation.value, 2)]])
    #expect(fit.hasConverged)
    // The gradient in logarithms of variances: at a minimum.
    for part in expected[0] { #expect(abs(part) < 1e-3) }
    let power = try #require(fit.powerInterval)
    let exponent = try #require(fit.exponentInterval)
    let mine =
      [fit.logLikelihood, fit.measuredPower, fit.exponent] + fit.covariance.flatMap(\.self)
    expectClose(mine, Array(expected[1][..<7]), relative: 1e-8)
    let degrees = try [
      #require(fit.powerDegreesOfFreedom), #require(fit.exponentDegreesOfFreedom),
    ]
    expectClose(degrees + power.limits + exponent.limits, Array(expected[1][7...]), relative: 1e-4)
    let deviations = try [RandomEffect.beacon, .receiver, .position].map {
      try #require(fit.deviations[$0])
    }
    for (deviation, row) in zip(deviations + [fit.packetDeviation], expected[2...]) {
      expectClose(try #require(deviation.interval).limits, row, relative: 1e-4)
    }
    for (one, row) in zip(fit.beacons + fit.receivers, expected[6...]) {
      expectClose(
        [one.offset, one.offsetError, one.measuredPower, one.measuredPowerError], row,
        absolute: 1e-8, relative: 1e-7)
    }
    #expect(fit.beacons.count + fit.receivers.count == expected.count - 6)
    guard !sharesPositions else { return }
    // lmerTest 3.1-3 in R 4.2: lmer(y ~ x + (1|b) + (1|c) + (1|s)), of the same packets.
    #expect(packets.count == 237)
    expectClose(
      mine + degrees + deviations.map(\.value) + [fit.packetDeviation.value],
      [
        -684.628784697, -61.207144278, 1.844259149, 7.2733220423, 0.1070544602, 0.1070544602,
        0.01623777338, 6.304763184, 70.134784667, 5.190136199, 1.939499879, 3.860061120,
        3.205188454,
      ], relative: 5e-5)
    expectClose(
      fit.beacons.map(\.offset),
      [3.6131884391, -8.3402720549, 0.1003355512, 0.0984952345, 4.5282528301], relative: 5e-5)
  }

  @Test func `without any effect it is a plain regression`() throws {
    let x = [0.0, -3, -6, -9, -13]
    let y = [-59.0, -67, -71, -80, -86]
    let fit = try HierarchicalFit(
      x.indices.map {
        PositionSums(
          beacon: 0, receiver: 0, position: $0, n: 1, x: x[$0], xx: x[$0] * x[$0], y: y[$0],
          xy: x[$0] * y[$0], yy: y[$0] * y[$0])
      })
    let script = """
      from scipy.stats import linregress
      line = linregress(*rows)
      e = rows[1] - line.intercept - line.slope * rows[0]
      answer(line.intercept, line.slope, line.intercept_stderr, line.stderr, (e @ e / 3) ** 0.5)
      """
    let expected = try reference(script, [x, y])[0]
    expectClose(
      [
        fit.measuredPower, fit.exponent, fit.covariance[0][0].squareRoot(),
        fit.covariance[1][1].squareRoot(), fit.packetDeviation.value,
      ], expected, relative: 1e-10)
    #expect(isClose(fit.powerDegreesOfFreedom ?? 0, 3, relative: 1e-12))
    #expect(fit.deviations.isEmpty)
    #expect(fit.omissions.map(\.reason) == [.onePacketEach, .oneLevel, .oneLevel])
    #expect(fit.hasConverged)
  }
}
