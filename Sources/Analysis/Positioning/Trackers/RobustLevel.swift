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

/// ``RobustLevel`` of eight levels.
struct RobustLevels {
  /// The log-likelihoods, up to a constant common to all levels.
  let logLikelihood: SIMD8<Float>
  /// 1 for a level that fits, 0 for an outlier.
  let isNoOutlier: SIMD8<Float>

  @inline(__always)
  init(residual: SIMD8<Float>, variance: SIMD8<Float>, leastLogLikelihood least: Float) {
    let normal = -0.5 * (residual * residual / variance + variance.logarithm)
    let isOutlier = normal .< least
    logLikelihood = normal.replacing(with: least, where: isOutlier)
    isNoOutlier = SIMD8(repeating: 1).replacing(with: 0, where: isOutlier)
  }
}
