import RealModule

/// The two variances of a model of levels.
public struct Noise: Hashable, Sendable {
  /// The process noise: the variance of the change of the mean level, in dB² per second (dB² per
  /// second³ for a model with a slope).
  public var q: Double
  /// The measurement noise of a single level, in dB².
  public var r: Double
  /// The reception of the packets, for a filter that uses missed packets; `nil` if it is not
  /// estimated.
  package var reception: Reception?

  /// Returns the noise with given variances, if there are any, and the same reception.
  func replaced(by given: Noise?) -> Noise {
    guard var noise = given else { return self }
    noise.reception = reception
    return noise
  }

  /// Creates noise from its process variance in dB² per second and its measurement variance in dB².
  public init(q: Double, r: Double) {
    self.q = q
    self.r = r
  }

  /// The approximate noise of a person walking indoors (docs/filters.md), for streams, which cannot
  /// be read twice, and for recordings too short for an estimate.
  public static let walking = Noise(q: 6, r: 12)
}

/// The noise model of a filter, by which noise is estimated if it is not given.
public enum NoiseModel: Hashable, Sendable {
  /// The mean level is a random walk.
  case randomWalk
  /// The slope of the mean level is a random walk.
  case velocity
  /// The mean level is a random walk, and missed advertisements are observations.
  case missedSlots(MissedSlotsModel)
}

/// The noise of a link's filter, with the likelihood of the levels.
public struct LinkLikelihood: Equatable, Sendable {
  /// The noise that the filter used.
  public var noise: Noise
  /// The natural logarithm of the likelihood of all levels except those that a filter started with.
  public var logLikelihood: Double
}

/// The maximum-likelihood process and measurement noise of the levels of links.
///
/// Maximum likelihood by prediction-error decomposition: with λ = q / r the filter runs with r = 1,
/// r follows in closed form as the mean of e² / F, and one search over log λ remains. The start is
/// diffuse (the first level of a link predicts nothing). Source: Durbin and Koopman, "Time series
/// analysis by state space methods", sections 2.10.2 and 7.3.
///
/// r is the total noise of a level, including rounding, and never below the variance of rounding
/// alone: 1/12 dB² if all levels are whole, 1/48 dB² if all are halves, and otherwise that of
/// `Float`. If no movement is at least as likely as any, q is exactly 0.
///
/// O(levels) per evaluation of four ratios at once, about 14 evaluations.
package struct NoiseEstimate: Equatable, Sendable {
  /// The process noise, in dB² per second.
  package var q: Double
  /// The measurement noise, in dB².
  package var r: Double
  /// The log-likelihood of all levels but the first of each link, as
  /// ``KalmanFilter/logLikelihood``.
  package var logLikelihood: Double

  /// The levels of one link in order of arrival.
  package struct Link: Sendable {
    /// The times in nanoseconds.
    package var times: [Int64]
    /// The levels in dBm; values that are not finite are ignored.
    package var levels: [Float]

    package init(times: [Int64] = [], levels: [Float] = []) {
      self.times = times
      self.levels = levels
    }
  }

  /// Estimates the noise that several links share, or returns `nil` if they have fewer than 10
  /// steps in total or no level ever changes.
  package init?(_ links: [Link]) {
    let likelihood = NoiseLikelihood(links)
    self.init(likelihood, likelihood.search())
  }

  /// - Parameter search: The search of the likelihood.
  init?(_ likelihood: NoiseLikelihood, _ search: NoiseSearch?) {
    guard likelihood.count >= 10, likelihood.hasChange else { return nil }
    (logLikelihood, r) = likelihood.profile(-.infinity)
    q = 0
    guard let search else { return }
    let moving = likelihood.profile(search.place)
    if moving.logLikelihood > logLikelihood {
      (logLikelihood, r) = moving
      q = .exp(search.place) * r
    }
  }
}
