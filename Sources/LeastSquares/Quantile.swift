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
