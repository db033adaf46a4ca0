internal import CGSL

/// Fisher and Snedecor's F distribution: of the ratio of two independent estimates of a variance.
package struct FDistribution: Sendable {
  private let numerator: Double
  private let denominator: Double

  /// - Parameters:
  ///   - numerator: its degrees of freedom, above 0.
  ///   - denominator: its degrees of freedom, above 0.
  package init(numerator: Double, denominator: Double) {
    cgsl_do_not_abort()
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The probability of a value below x, which is at least 0.
  package func below(_ x: Double) -> Double { gsl_cdf_fdist_P(x, numerator, denominator) }

  /// The probability of a value above x, which is at least 0.
  package func above(_ x: Double) -> Double { gsl_cdf_fdist_Q(x, numerator, denominator) }

  /// The value that is exceeded with the probability 1 − p, with p from 0 to below 1.
  ///
  /// From that of the beta distribution, since GSL's own is NaN for some degrees of freedom, such as
  /// 1 and 271.
  package func quantile(_ p: Double) -> Double {
    let share = BetaDistribution(a: numerator / 2, b: denominator / 2).quantile(p)
    guard share > 0.5 else { return denominator * share / (numerator * (1 - share)) }
    // Near 1 the other share has the digits.
    let rest = BetaDistribution(a: denominator / 2, b: numerator / 2).quantile(1 - p)
    return denominator * (1 - rest) / (numerator * rest)
  }
}
