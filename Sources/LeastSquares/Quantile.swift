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
