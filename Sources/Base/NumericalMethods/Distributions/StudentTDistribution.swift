internal import CGSL

/// Student's t distribution.
package struct StudentTDistribution: Sendable {
  private let degreesOfFreedom: Double

  /// - Parameter degreesOfFreedom: above 0, not necessarily whole.
  package init(degreesOfFreedom: Double) {
    cgsl_do_not_abort()
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// The probability of a value below x.
  package func below(_ x: Double) -> Double { gsl_cdf_tdist_P(x, degreesOfFreedom) }

  /// The probability of a value above x.
  package func above(_ x: Double) -> Double { gsl_cdf_tdist_Q(x, degreesOfFreedom) }

  /// The value that is exceeded with the probability 1 − p, with p between 0 and 1.
  package func quantile(_ p: Double) -> Double { gsl_cdf_tdist_Pinv(p, degreesOfFreedom) }
}
