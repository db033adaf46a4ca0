internal import CGSL

/// The chi-squared distribution: of the sum of squares of independent standard normal values.
package struct ChiSquaredDistribution: Sendable {
  private let degreesOfFreedom: Double

  /// - Parameter degreesOfFreedom: above 0, not necessarily whole.
  package init(degreesOfFreedom: Double) {
    cgsl_do_not_abort()
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// The probability of a value below x, which is at least 0.
  package func below(_ x: Double) -> Double { gsl_cdf_chisq_P(x, degreesOfFreedom) }

  /// The probability of a value above x, which is at least 0.
  package func above(_ x: Double) -> Double { gsl_cdf_chisq_Q(x, degreesOfFreedom) }

  /// The value that is exceeded with the probability 1 − p, with p from 0 to below 1.
  package func quantile(_ p: Double) -> Double { gsl_cdf_chisq_Pinv(p, degreesOfFreedom) }
}
