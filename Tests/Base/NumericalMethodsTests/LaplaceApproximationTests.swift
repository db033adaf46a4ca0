import Foundation
import NumericalMethods
import TestSupport
import Testing

struct LaplaceApproximationTests {
  /// Returns the sum of the outer products of the axes.
  private func covariance(_ axes: [[Double]]) -> Matrix {
    var sum = Matrix(zeros: axes.count, axes.count)
    for axis in axes { sum.addOuter(axis) }
    return sum
  }

  @Test func `a normal posterior has its own covariance, at any scale`() throws {
    var random = RandomStream(SplitMix64(seed: 1))
    for scale in [1e-3, 0.1, 1] {
      var information = Matrix(diagonal: [1, 1, 1])
      for _ in 0..<4 {
        information.addOuter((0..<3).map { _ in random.gaussian() / scale })
      }
      let found = LaplaceApproximation(at: [0.1, -0.2, 0.3]) { x in
        0.5 * information.form(zip(x, [0.1, -0.2, 0.3]).map(-)) + 12
      }
      let product = information * covariance(found.axes)
      for row in 0..<3 {
        for column in 0..<3 {
          #expect(abs(product[row, column] - (row == column ? 1 : 0)) < 1e-6)
        }
      }
    }
  }

  @Test func `a skewed posterior has the curvature of its maximum`() {
    // The logarithm of a Gamma variable with shape 50: at 0, the second derivative is 50.
    let found = LaplaceApproximation(at: [0]) { 49 * exp($0[0]) - 49 * $0[0] + 0.5 * $0[0] * $0[0] }
    #expect(abs(abs(found.axes[0][0]) - 1 / 50.0.squareRoot()) < 0.002)
  }

  @Test func `no axis is longer than the prior's, whatever the data`() {
    // A saddle, and a parameter that is not finite nearby.
    let saddle = LaplaceApproximation(at: [0, 0]) { -2 * $0[0] * $0[0] + 8 * $0[1] * $0[1] }
    #expect(abs(covariance(saddle.axes)[0, 0] - 1) < 1e-9)
    #expect(abs(covariance(saddle.axes)[1, 1] - 1 / 16.0) < 1e-9)
    let edge = LaplaceApproximation(at: [0, 0]) { $0[0] == 0 ? 2 * $0[1] * $0[1] : .infinity }
    #expect(abs(covariance(edge.axes)[0, 0] - 1) < 1e-9)
    #expect(abs(covariance(edge.axes)[1, 1] - 0.25) < 1e-9)
  }
}
