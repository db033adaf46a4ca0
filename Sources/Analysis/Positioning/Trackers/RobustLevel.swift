import NumericalMethods
import RealModule

/// A robust likelihood of a level's error: the normal density, but nowhere less than that of three
/// standard deviations at a typical place, so that an outlier carries the same information
/// everywhere.
struct RobustLevel {
  /// The log-likelihood, up to a constant common to all levels.
  let logLikelihood: Float
  let isOutlier: Bool

  /// The squared standard score from which an error is an outlier.
  static let longestSquaredScore = 9.0

  /// - Parameters:
  ///   - residual: The error, in dB.
  ///   - variance: Its expected variance, in dB².
  ///   - least: The value of ``leastLogLikelihood(typicalVariance:)``.
  init(residual: Float, variance: Float, leastLogLikelihood least: Float) {
    let normal = -0.5 * (residual * residual / variance + Float.log(variance))
    isOutlier = normal < least
    logLikelihood = max(normal, least)
  }

  /// Returns the log-likelihood of any outlier.
  ///
  /// - Parameter variance: The variance of the level at a typical place, in dB².
  static func leastLogLikelihood(typicalVariance variance: Double) -> Float {
    Float(-0.5 * (longestSquaredScore + Double.log(variance)))
  }
}
