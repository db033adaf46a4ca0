internal import CGSL

/// The standard normal distribution, accurate in its tails.
package enum NormalDistribution {
  /// Returns the probability density at x: exp(−x²/2) / √2π.
  package static func density(_ x: Double) -> Double { gsl_ran_ugaussian_pdf(x) }

  /// Returns the probability of a value below x.
  package static func below(_ x: Double) -> Double { gsl_cdf_ugaussian_P(x) }

  /// Returns the probability of a value above x.
  package static func above(_ x: Double) -> Double { gsl_cdf_ugaussian_Q(x) }

  /// Returns the logarithm of `above`, finite even if `above` underflows to 0.
  package static func logAbove(_ x: Double) -> Double {
    cgsl_do_not_abort()
    return gsl_sf_log_erfc(x / 2.0.squareRoot()) - 0.693_147_180_559_945_3
  }

  /// Returns the hazard density / above, which is the mean of the values that exceed x.
  package static func hazard(_ x: Double) -> Double {
    cgsl_do_not_abort()
    return gsl_sf_hazard(x)
  }

  /// Returns the quantile of p, between 0 and 1.
  package static func quantile(_ p: Double) -> Double { gsl_cdf_ugaussian_Pinv(p) }
}

/// Student's t distribution.
package struct StudentTDistribution: Sendable {
  private let degreesOfFreedom: Double

  /// - Parameter degreesOfFreedom: The degrees of freedom, above 0, not necessarily whole.
  package init(degreesOfFreedom: Double) {
    cgsl_do_not_abort()
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// Returns the probability of a value below x.
  package func below(_ x: Double) -> Double { gsl_cdf_tdist_P(x, degreesOfFreedom) }

  /// Returns the probability of a value above x.
  package func above(_ x: Double) -> Double { gsl_cdf_tdist_Q(x, degreesOfFreedom) }

  /// Returns the quantile of p, between 0 and 1.
  package func quantile(_ p: Double) -> Double { gsl_cdf_tdist_Pinv(p, degreesOfFreedom) }
}

/// The chi-squared distribution: that of the sum of squares of independent standard normal values.
package struct ChiSquaredDistribution: Sendable {
  private let degreesOfFreedom: Double

  /// - Parameter degreesOfFreedom: The degrees of freedom, above 0, not necessarily whole.
  package init(degreesOfFreedom: Double) {
    cgsl_do_not_abort()
    self.degreesOfFreedom = degreesOfFreedom
  }

  /// Returns the probability of a value below x, which is at least 0.
  package func below(_ x: Double) -> Double { gsl_cdf_chisq_P(x, degreesOfFreedom) }

  /// Returns the probability of a value above x, which is at least 0.
  package func above(_ x: Double) -> Double { gsl_cdf_chisq_Q(x, degreesOfFreedom) }

  /// Returns the quantile of p, from 0 to below 1.
  package func quantile(_ p: Double) -> Double { gsl_cdf_chisq_Pinv(p, degreesOfFreedom) }
}

/// Fisher and Snedecor's F distribution: that of the ratio of two independent estimates of a
/// variance.
package struct FDistribution: Sendable {
  private let numerator: Double
  private let denominator: Double

  /// - Parameters:
  ///   - numerator: The degrees of freedom of the numerator, above 0.
  ///   - denominator: The degrees of freedom of the denominator, above 0.
  package init(numerator: Double, denominator: Double) {
    cgsl_do_not_abort()
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Returns the probability of a value below x, which is at least 0.
  package func below(_ x: Double) -> Double { gsl_cdf_fdist_P(x, numerator, denominator) }

  /// Returns the probability of a value above x, which is at least 0.
  package func above(_ x: Double) -> Double { gsl_cdf_fdist_Q(x, numerator, denominator) }

  /// Returns the quantile of p, from 0 to below 1.
  ///
  /// It uses the beta distribution, because GSL's own quantile is NaN for some degrees of freedom,
  /// such as 1 and 271.
  package func quantile(_ p: Double) -> Double {
    let share = BetaDistribution(a: numerator / 2, b: denominator / 2).quantile(p)
    guard share > 0.5 else { return denominator * share / (numerator * (1 - share)) }
    // Near 1 the complement has the digits.
    let rest = BetaDistribution(a: denominator / 2, b: numerator / 2).quantile(1 - p)
    return denominator * (1 - rest) / (numerator * rest)
  }
}

/// The beta distribution, whose cumulative distribution is the regularised incomplete beta
/// function.
package struct BetaDistribution: Sendable {
  private let a: Double
  private let b: Double

  /// - Parameters:
  ///   - a: The exponent of x plus 1, above 0.
  ///   - b: The exponent of 1 − x plus 1, above 0.
  package init(a: Double, b: Double) {
    cgsl_do_not_abort()
    self.a = a
    self.b = b
  }

  /// Returns the probability of a value below x, which is from 0 to 1.
  package func below(_ x: Double) -> Double { gsl_cdf_beta_P(x, a, b) }

  /// Returns the probability of a value above x, which is from 0 to 1.
  package func above(_ x: Double) -> Double { gsl_cdf_beta_Q(x, a, b) }

  /// Returns the quantile of p, from 0 to 1.
  ///
  /// It bisects to the last digit, because GSL's own quantile is NaN for some of these
  /// distributions, such as a = 258 and b = 3.
  package func quantile(_ p: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    while true {
      let middle = (low + high) / 2
      if middle == low || middle == high { return high }
      if below(middle) < p { low = middle } else { high = middle }
    }
  }
}

/// The version of the installed GNU Scientific Library, such as `2.7.1`.
package var gslVersion: String { String(cString: cgsl_version()) }
