internal import CGSL

/// The standard normal distribution, accurate in its tails.
package enum NormalDistribution {
  /// The probability density at x: exp(−x²/2) / √2π.
  package static func density(_ x: Double) -> Double { gsl_ran_ugaussian_pdf(x) }

  /// The probability of a value below x.
  package static func below(_ x: Double) -> Double { gsl_cdf_ugaussian_P(x) }

  /// The probability of a value above x.
  package static func above(_ x: Double) -> Double { gsl_cdf_ugaussian_Q(x) }

  /// The logarithm of `above`, finite even where `above` underflows to 0.
  package static func logAbove(_ x: Double) -> Double {
    gsl_sf_log_erfc(x / 2.0.squareRoot()) - 0.693_147_180_559_945_3
  }

  /// The hazard density / above, which is the mean of the values that exceed x.
  package static func hazard(_ x: Double) -> Double { gsl_sf_hazard(x) }

  /// The value that is exceeded with the probability 1 − p, with p between 0 and 1.
  package static func quantile(_ p: Double) -> Double { gsl_cdf_ugaussian_Pinv(p) }
}
