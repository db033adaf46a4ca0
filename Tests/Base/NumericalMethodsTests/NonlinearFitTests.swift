import Foundation
import NumericalMethods
import TestSupport
import Testing

struct NonlinearFitTests {
  /// Fits a exp(−b x) + c.
  private func decay(
    _ x: [Double], _ y: [Double], weights: [Double]? = nil, from start: [Double] = [1, 1, 0],
    maximumSteps: Int = 200
  ) -> NonlinearFit {
    let roots = (weights ?? x.map { _ in 1 }).map { $0.squareRoot() }
    return NonlinearFit(
      from: start, maximumSteps: maximumSteps,
      residuals: { p in
        x.indices.map { roots[$0] * (p[0] * exp(-p[1] * x[$0]) + p[2] - y[$0]) }
      },
      jacobian: { p in
        x.indices.flatMap { i -> [Double] in
          let part = exp(-p[1] * x[i])
          return [roots[i] * part, -roots[i] * p[0] * x[i] * part, roots[i]]
        }
      })
  }

  private func data(_ count: Int, seed: UInt64, noise: Double = 0.1) -> (x: [Double], y: [Double]) {
    var generator = SeededGenerator(seed: seed)
    let x = (0..<count).map { 3 * Double($0) / Double(count - 1) }
    return (x, x.map { 5 * exp(-1.5 * $0) + 1 + noise * generator.gaussian() })
  }

  @Test(arguments: [4, 5, 40, 1000])
  func `agrees with scipy's curve_fit, with and without weights`(count: Int) throws {
    let (x, y) = data(count, seed: UInt64(count))
    var generator = SeededGenerator(seed: 7)
    let weights = x.map { _ in Double.random(in: 0.2..<5, using: &generator) }
    let script = """
      from scipy.optimize import curve_fit
      x, y, w = rows
      f = lambda x, a, b, c: a * np.exp(-b * x) + c
      for sigma in (None, 1 / np.sqrt(w)):
          p, V = curve_fit(f, x, y, [1, 1, 0], sigma=sigma, absolute_sigma=True, xtol=1e-13,
                           ftol=1e-15, gtol=1e-13)
          answer(*p, (((f(x, *p) - y) / (1 if sigma is None else sigma)) ** 2).sum(), *V.ravel())
      """
    let expected = try reference(script, [x, y, weights])
    for (fit, numbers) in zip([decay(x, y), decay(x, y, weights: weights)], expected) {
      #expect(fit.hasConverged, "\(fit.ending)")
      let covariance = try #require(fit.covariance)
      let mine = fit.parameters + [fit.residualSumOfSquares] + covariance
      #expect(mine.count == numbers.count)
      // curve_fit's derivatives are differences, so its covariance has half the digits.
      for (index, (a, b)) in zip(mine, numbers).enumerated() {
        #expect(isClose(a, b, relative: index < 4 ? 1e-6 : 1e-5), "\(index): \(a), \(b)")
      }
    }
  }

  @Test func `a straight line has the closed form's parameters and covariance`() throws {
    let x = [0.0, 1, 2, 5]
    let y = [1.0, 2, 4, 3]
    let fit = NonlinearFit(
      from: [100, -100], residuals: { p in x.indices.map { p[0] + p[1] * x[$0] - y[$0] } },
      jacobian: { _ in x.flatMap { [1, $0] } })
    #expect(fit.hasConverged)
    // n 4, Σx 8, Σx² 30, Σy 10, Σxy 25: determinant 56.
    #expect(isClose(fit.parameters[0], 100 / 56, relative: 1e-10))
    #expect(isClose(fit.parameters[1], 20 / 56, relative: 1e-10))
    #expect(isClose(fit.residualSumOfSquares, 30 - 1000 / 56 - 500 / 56, relative: 1e-10))
    let covariance = try #require(fit.covariance)
    for (mine, exact) in zip(covariance, [30.0, -8, -8, 4]) {
      #expect(isClose(mine, exact / 56, relative: 1e-10))
    }
  }

  @Test(arguments: [1e-8, 1, 1e8])
  func `small residuals are fitted as well as large ones`(scale: Double) {
    let (x, y) = data(40, seed: 3)
    let whole = decay(x, y)
    let scaled = decay(x, y, weights: x.map { _ in scale * scale })
    #expect(scaled.hasConverged, "\(scaled.ending)")
    for (a, b) in zip(whole.parameters, scaled.parameters) {
      #expect(isClose(a, b, relative: 1e-7))
    }
  }

  @Test func `exact data give the parameters they were made with`() {
    let (x, y) = data(12, seed: 1, noise: 0)
    let fit = decay(x, y)
    #expect(fit.hasConverged, "\(fit.ending)")
    for (a, b) in zip(fit.parameters, [5, 1.5, 1]) { #expect(isClose(a, b, relative: 1e-8)) }
    #expect(fit.residualSumOfSquares < 1e-18)
  }

  @Test func `reports a missing minimum in words`() {
    let (x, y) = data(40, seed: 2)
    let hasty = decay(x, y, maximumSteps: 1)
    #expect(hasty.ending == .tooManySteps)
    #expect(hasty.ending.description == "not converged: too many steps")
    #expect(hasty.residualSumOfSquares < 200)
    let few = decay([0, 1], [1, 2])
    #expect(few.ending == .tooFewResiduals)
    #expect(few.parameters == [1, 1, 0])
    #expect(few.covariance == nil)
    let lost = decay(x, y, from: [1, -1e4, 0])
    #expect(lost.ending == .notFinite)
    #expect(lost.residualSumOfSquares.isNaN)
    let short = NonlinearFit(
      from: [1, 2], residuals: { _ in [1, 2, 3] }, jacobian: { _ in [1, 2, 3] })
    guard case .gsl = short.ending else {
      Issue.record("\(short.ending)")
      return
    }
    #expect(!short.hasConverged)
  }

  @Test func `parameters that the residuals do not identify have no covariance`() {
    let fit = NonlinearFit(
      from: [1, 1], residuals: { p in [1, 2, 4].map { (p[0] + p[1]) * $0 - 3 } },
      jacobian: { _ in [1, 1, 2, 2, 4, 4] })
    #expect(fit.covariance == nil)
    #expect(isClose(fit.parameters[0] + fit.parameters[1], 1, relative: 1e-8))
  }

  @Test func `a step to where residuals are not finite is taken back`() {
    // The first full step from 8 overshoots to below 0.
    let fit = NonlinearFit(
      from: [8], residuals: { p in [0.1, -0.1].map { log(p[0]) + $0 } },
      jacobian: { p in [1 / p[0], 1 / p[0]] })
    #expect(fit.hasConverged, "\(fit.ending)")
    #expect(isClose(fit.parameters[0], 1, relative: 1e-6))
  }
}
