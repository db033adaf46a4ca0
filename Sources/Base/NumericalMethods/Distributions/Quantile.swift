internal import CGSL

/// The value that Student's t with these degrees of freedom stays below with this probability.
///
/// - Parameters:
///   - probability: between 0 and 1.
///   - degreesOfFreedom: above 0.
public func studentQuantile(_ probability: Double, degreesOfFreedom: Double) -> Double {
  cgsl_do_not_abort()
  return gsl_cdf_tdist_Pinv(probability, degreesOfFreedom)
}

/// The probability that a chi-square with these degrees of freedom exceeds a value.
///
/// - Parameters:
///   - value: at least 0.
///   - degreesOfFreedom: above 0.
public func chiSquareTail(_ value: Double, degreesOfFreedom: Double) -> Double {
  cgsl_do_not_abort()
  return gsl_cdf_chisq_Q(value, degreesOfFreedom)
}

/// The value that a chi-square with these degrees of freedom stays below with this probability.
///
/// - Parameters:
///   - probability: between 0 and 1.
///   - degreesOfFreedom: above 0.
public func chiSquareQuantile(_ probability: Double, degreesOfFreedom: Double) -> Double {
  cgsl_do_not_abort()
  return gsl_cdf_chisq_Pinv(probability, degreesOfFreedom)
}

/// The probability that an F with these degrees of freedom exceeds a value.
public func fTail(_ value: Double, _ numerator: Double, _ denominator: Double) -> Double {
  cgsl_do_not_abort()
  return gsl_cdf_fdist_Q(value, numerator, denominator)
}

/// The probability that Student's t with these degrees of freedom lies farther from 0 than a value.
public func studentTails(_ value: Double, degreesOfFreedom: Double) -> Double {
  cgsl_do_not_abort()
  return 2 * gsl_cdf_tdist_Q(abs(value), degreesOfFreedom)
}

/// The value that an F with these degrees of freedom stays below with this probability.
public func fQuantile(_ probability: Double, _ numerator: Double, _ denominator: Double) -> Double {
  cgsl_do_not_abort()
  return gsl_cdf_fdist_Pinv(probability, numerator, denominator)
}
