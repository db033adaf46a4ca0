import NumericalMethods
import RealModule

/// A level's error under a likelihood that forgives outliers: the density of a normal error, but
/// nowhere less than that of three deviations at an ordinary place, so that an outlier states the
/// same of every place.
struct RobustLevel {
  /// But for what is the same for all levels.
  let logLikelihood: Float
  let isOutlier: Bool

  /// The square of the standard score from which on an error is one of an outlier.
  static let longestSquaredScore = 9.0

  /// - Parameters:
  ///   - residual: the error, in dB.
  ///   - variance: expected of it, in dB².
  ///   - least: ``leastLogLikelihood(typicalVariance:)``.
  init(residual: Float, variance: Float, leastLogLikelihood least: Float) {
    let normal = -0.5 * (residual * residual / variance + Float.log(variance))
    isOutlier = normal < least
    logLikelihood = max(normal, least)
  }

  /// That of any outlier.
  ///
  /// - Parameter variance: of the level at an ordinary place, in dB².
  static func leastLogLikelihood(typicalVariance variance: Double) -> Float {
    Float(-0.5 * (longestSquaredScore + Double.log(variance)))
  }
}

/// ``RobustLevel`` of eight levels.
struct RobustLevels {
  /// But for what is the same for all levels.
  let logLikelihood: SIMD8<Float>
  /// 0 where the level is an outlier, 1 where it is none.
  let isNoOutlier: SIMD8<Float>

  @inline(__always)
  init(residual: SIMD8<Float>, variance: SIMD8<Float>, leastLogLikelihood least: Float) {
    let normal = -0.5 * (residual * residual / variance + variance.logarithm)
    let isOutlier = normal .< least
    logLikelihood = normal.replacing(with: least, where: isOutlier)
    isNoOutlier = SIMD8(repeating: 1).replacing(with: 0, where: isOutlier)
  }
}
