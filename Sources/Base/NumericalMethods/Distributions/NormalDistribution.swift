internal import CGSL

/// The standard normal distribution, to full precision in its tails.
public enum NormalDistribution {
  /// exp(−x²/2) / √2π.
  public static func density(_ x: Double) -> Double { gsl_ran_ugaussian_pdf(x) }

  /// The probability of a value below x.
  public static func below(_ x: Double) -> Double { gsl_cdf_ugaussian_P(x) }

  /// The probability of a value above x.
  public static func above(_ x: Double) -> Double { gsl_cdf_ugaussian_Q(x) }

  /// The logarithm of `above`, finite far out where `above` itself is 0.
  public static func logAbove(_ x: Double) -> Double {
    gsl_sf_log_erfc(x / 2.0.squareRoot()) - 0.693_147_180_559_945_3
  }

  /// density / above, the hazard: the mean of what exceeds x is the hazard.
  public static func hazard(_ x: Double) -> Double { gsl_sf_hazard(x) }

  /// What a value stays below with this probability.
  public static func quantile(_ probability: Double) -> Double {
    gsl_cdf_ugaussian_Pinv(probability)
  }
}
