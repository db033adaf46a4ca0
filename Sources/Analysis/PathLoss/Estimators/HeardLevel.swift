import NumericalMethods
import RealModule

/// The logarithm of a probability and its first derivatives.
struct LogProbability {
  var value: Double
  /// With respect to the predicted level, per dB.
  var byPrediction: Double
  /// With respect to log σ.
  var byLogSigma: Double
}

/// A Gaussian level of which the receiver shows the whole dBm, or hears nothing.
///
/// Source: Gustafson et al., "Statistical modeling and estimation of censored pathloss data", IEEE
/// Wireless Communications Letters 4 (2015); the interval likelihood is that of rounded data
/// (Heitjan 1989).
struct HeardLevel {
  let sigma: Double
  /// Half of what levels are rounded to, dB; 0 where they are not.
  let halfWidth: Double

  /// Of a level being stated.
  func log(level: Double, prediction: Double) -> LogProbability {
    let middle = (level - prediction) / sigma
    guard halfWidth > 0 else { return density(middle, width: 1) }
    let half = halfWidth / sigma
    // Mirrored to the right, where differences of tails keep their digits.
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

  /// Of a level below what a receiver can hear.
  func logMissed(sensitivity: Double, prediction: Double) -> LogProbability {
    let edge = (sensitivity - halfWidth - prediction) / sigma
    let hazard = NormalDistribution.hazard(-edge)
    return LogProbability(
      value: NormalDistribution.logAbove(-edge), byPrediction: -hazard / sigma,
      byLogSigma: -edge * hazard)
  }

  /// Of a level at or above what a receiver can hear.
  func logHeard(sensitivity: Double, prediction: Double) -> LogProbability {
    let edge = (sensitivity - halfWidth - prediction) / sigma
    let hazard = NormalDistribution.hazard(edge)
    return LogProbability(
      value: NormalDistribution.logAbove(edge), byPrediction: hazard / sigma,
      byLogSigma: edge * hazard)
  }
}
