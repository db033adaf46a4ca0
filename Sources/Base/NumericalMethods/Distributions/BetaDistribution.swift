internal import CGSL

/// The beta distribution, whose cumulative distribution is the regularised incomplete beta function.
package struct BetaDistribution: Sendable {
  private let a: Double
  private let b: Double

  /// - Parameters:
  ///   - a: the exponent of x plus 1, above 0.
  ///   - b: the exponent of 1 − x plus 1, above 0.
  package init(a: Double, b: Double) {
    cgsl_do_not_abort()
    self.a = a
    self.b = b
  }

  /// The probability of a value below x, which is from 0 to 1.
  package func below(_ x: Double) -> Double { gsl_cdf_beta_P(x, a, b) }

  /// The probability of a value above x, which is from 0 to 1.
  package func above(_ x: Double) -> Double { gsl_cdf_beta_Q(x, a, b) }

  /// The value that is exceeded with the probability 1 − p, with p from 0 to 1.
  ///
  /// By bisection to the last digit: GSL's own quantile is NaN for some of these distributions, such
  /// as a = 258 and b = 3.
  package func quantile(_ p: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    while true {
      let middle = (low + high) / 2
      if middle == low || middle == high { return high }
      if below(middle) < p { low = middle } else { high = middle }
    }
  }
}
