/// How near errors come to the Cramér–Rao bound of the same questions, in the plane.
///
/// 1 = an unbiased answer from one epoch's levels cannot be better. More than 1 is not a mistake where
/// an algorithm knows more: the past, rooms, a survey, or silence.
package struct Efficiency: Equatable, Sendable {
  /// Questions asked that have a bound.
  package var bounded: Int
  /// Those that were answered; the figures are over them.
  package var count: Int
  /// The share of all questions asked that have a bound.
  package var share: Double
  /// Root of the mean of the bound's trace: no unbiased answer has a smaller RMS error, in metres.
  package var boundRMS: Double
  /// RMS error over the same questions, in metres.
  package var rms: Double
  /// Sum of the bounds' traces over sum of the squared errors.
  package var meanSquare: Double
  /// 2 ln 2 over the median of eᵀ B⁻¹ e: the same for Gaussian errors, and not moved by a few wild
  /// ones.
  package var median: Double
  /// The confidence interval of `meanSquare` over traces.
  package var interval: IntervalOutcome
}
