/// What the path-loss curves of all anchors are off by alike: the error of the calibration that they
/// share, normal with a mean of 0.
package struct CurveError: Equatable, Sendable {
  /// The variance of the measured power in dB², of the exponent, and their covariance in dB.
  package var powerVariance: Double
  package var exponentVariance: Double
  package var covariance: Double

  package init(powerVariance: Double, exponentVariance: Double, covariance: Double) {
    self.powerVariance = powerVariance
    self.exponentVariance = exponentVariance
    self.covariance = covariance
  }

  /// How much the measured power is off for each unit that the exponent is, in dB.
  var slope: Double { covariance / exponentVariance }

  /// The variance in dB² of the measured power where the exponent is known.
  var remainder: Double { max(powerVariance - covariance * slope, 0) }
}
