import NumericalMethods
import RealModule

/// The logarithm of a probability and its first derivatives.
struct LogProbability {
  var value: Double
  /// The derivative with respect to the predicted level, per dB.
  var byPrediction: Double
  /// The derivative with respect to log σ.
  var byLogSigma: Double
}

/// A Gaussian level that the receiver reports in whole dBm, or misses.
///
/// Source: Gustafson et al., "Statistical modeling and estimation of censored pathloss data", IEEE
/// Wireless Communications Letters 4 (2015); the interval likelihood is that of rounded data
/// (Heitjan 1989).
struct HeardLevel {
  let sigma: Double
  /// Half the rounding interval of levels, in dB; 0 if they are not rounded.
  let halfWidth: Double

  /// Returns the log-probability of a reported level.
  func log(level: Double, prediction: Double) -> LogProbability {
    let middle = (level - prediction) / sigma
    guard halfWidth > 0 else { return density(middle, width: 1) }
    let half = halfWidth / sigma
    // Mirroring to the right keeps the digits of differences of tails.
    let side = middle < 0 ? -1.0 : 1.0
    let near = abs(middle) - half
    let far = abs(middle) + half
    let probability =
      near > 0
      ? NormalDistribution.above(near) - NormalDistribution.above(far)
      : 1 - NormalDistribution.below(near) - NormalDistribution.above(far)
    guard probability > 1e-280 else { return density(middle, width: 2 * halfWidth) }
    let nearDensity = NormalDistribution.density(near)
    let farDensity = NormalDistribution.density(far)
    return LogProbability(
      value: Double.log(probability),
      byPrediction: side * (nearDensity - farDensity) / (sigma * probability),
      byLogSigma: (near * nearDensity - far * farDensity) / probability)
  }

  private func density(_ u: Double, width: Double) -> LogProbability {
    LogProbability(
      value: -0.5 * u * u - Double.log(sigma / width) - 0.918_938_533_204_672_8,
      byPrediction: u / sigma, byLogSigma: u * u - 1)
  }

  /// Returns the log-probability of a level below the sensitivity.
  func logMissed(sensitivity: Double, prediction: Double) -> LogProbability {
    let edge = (sensitivity - halfWidth - prediction) / sigma
    let hazard = NormalDistribution.hazard(-edge)
    return LogProbability(
      value: NormalDistribution.logAbove(-edge), byPrediction: -hazard / sigma,
      byLogSigma: -edge * hazard)
  }

  /// Returns the log-probability of a level at or above the sensitivity.
  func logHeard(sensitivity: Double, prediction: Double) -> LogProbability {
    let edge = (sensitivity - halfWidth - prediction) / sigma
    let hazard = NormalDistribution.hazard(edge)
    return LogProbability(
      value: NormalDistribution.logAbove(edge), byPrediction: hazard / sigma,
      byLogSigma: edge * hazard)
  }
}
