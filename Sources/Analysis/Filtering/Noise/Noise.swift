import RealModule

/// The two variances of a model of levels.
public struct Noise: Equatable, Sendable {
  /// Process noise: how much the mean level wanders, dB² per second (dB² per second³ for a model
  /// with a velocity).
  public var q: Double
  /// Measurement noise of a single level, dB².
  public var r: Double

  /// Creates noise from its process variance in dB² per second and its measurement variance in dB².
  public init(q: Double, r: Double) {
    self.q = q
    self.r = r
  }

  /// The noise of a person walking indoors, approximately (docs/filters.md): for streams, which
  /// cannot be read twice, and for recordings too short for an estimate.
  public static let walking = Noise(q: 6, r: 12)
}

/// The model whose noise a filter needs, and has estimated where it is not written.
public enum NoiseModel: Hashable, Sendable {
  /// The mean level wanders as a random walk.
  case randomWalk
  /// The slope of the mean level wanders as a random walk.
  case velocity
  /// The mean level wanders as a random walk, and advertisements that did not come state something
  /// of it: of a beacon that advertises each `interval` seconds, to a receiver that hears nothing
  /// below `floor` dBm and loses the share `loss` of the rest.
  case missedSlots(interval: Double, floor: Double, loss: Double)
}

/// The noise that a link's filter used, with the likelihood of the levels.
public struct LinkLikelihood: Equatable, Sendable {
  /// The noise that the filter used.
  public var noise: Noise
  /// The natural logarithm of the likelihood of all levels except those that a filter started with.
  public var logLikelihood: Double
}

/// The process and measurement noise under which the levels of links are most likely.
///
/// Maximum likelihood by prediction-error decomposition: with λ = q / r the filter runs with r = 1,
/// r follows in closed form as the mean of e² / F, and one search over log λ remains. The start is
/// diffuse (the first level of a link predicts nothing). Source: Durbin and Koopman, "Time series
/// analysis by state space methods", sections 2.10.2 and 7.3.
///
/// r is all the noise of a level, that of rounding too, and never below the variance of rounding
/// alone: 1/12 dB² where all levels are whole, 1/48 dB² where all are halves, and otherwise that of
/// `Float`. Where no movement at all is at least as likely as any, q is exactly 0.
///
/// O(levels) an evaluation of four ratios at once, about 20 evaluations.
package struct NoiseEstimate: Equatable, Sendable {
  /// dB² per second.
  package var q: Double
  /// dB².
  package var r: Double
  /// Of all levels but the first of each link, as ``KalmanFilter/logLikelihood``.
  package var logLikelihood: Double

  /// The levels of one link in the order in which they came.
  package struct Link: Sendable {
    /// Nanoseconds.
    package var times: [Int64]
    /// dBm; one that is not finite is left out.
    package var levels: [Float]

    package init(times: [Int64] = [], levels: [Float] = []) {
      self.times = times
      self.levels = levels
    }
  }

  /// The estimate shared by several links, or nil where they have fewer than 10 steps in all or
  /// none of them ever changes.
  package init?(_ links: [Link]) {
    self.init(NoiseLikelihood(links))
  }

  init?(_ likelihood: NoiseLikelihood) {
    guard likelihood.count >= 10, likelihood.hasChange else { return nil }
    (logLikelihood, r) = likelihood.profile(-.infinity)
    q = 0
    guard let range = likelihood.logRatios else { return }
    let peak = NoiseSearch(in: range) { likelihood.profile($0).logLikelihood }
    if peak.value > logLikelihood {
      (logLikelihood, r) = likelihood.profile(peak.place)
      q = .exp(peak.place) * r
    }
  }
}
