import RealModule

/// How much of what a level states is new, where levels of one anchor share their error.
///
/// A level's error has a part that packets at nearly one place have in common (shadowing, and the
/// error of the path-loss curve there) and a part of each packet's own (fading, channels, noise).
/// The common part is correlated over the distance walked as exp(-s / decorrelation) (Gudmundson
/// 1991), so that in a long time readings every Δ are worth Δ / 2τ independent ones, τ =
/// decorrelation / speed; exactly, tanh(Δ / 2τ) for a first-order autoregression. Readings count
/// with this exponent in the likelihood.
struct LevelIndependence {
  /// How long the common part lasts, in seconds.
  let duration: Double

  /// The share of a level's variance about the path-loss curve that packets have in common.
  ///
  /// Studies of indoor links find 3 to 5 dB of each part; half is between. More would make a
  /// tracker slower and less sure, less the contrary.
  ///
  /// Where a radio map was learned it knows: there the common part is what the map leaves
  /// unexplained.
  static let commonShare = 0.5

  /// How far a person walks until shadowing has changed, in metres: 1 m to 2 m indoors.
  static let decorrelation = 1.5

  /// - Parameter speed: of the target, in m/s; 0 keeps its shadowing for ever.
  init(speed: Double) {
    duration = speed > 0 ? Self.decorrelation / speed : .infinity
  }

  /// How many independent levels of one packet a mean of some packets is worth.
  ///
  /// - Parameters:
  ///   - seconds: since the anchor's last reading; nil for its first.
  ///   - packets: how many are behind the mean.
  ///   - share: of the variance, that packets of one place have in common.
  func worth(
    after seconds: Double?, packets: Int, commonShare share: Double = Self.commonShare
  ) -> Double {
    let new = seconds.map { Double.tanh($0 / (2 * duration)) } ?? 1
    guard new > 0 else { return 0 }
    return 1 / (share / new + (1 - share) / Double(max(packets, 1)))
  }

  /// The time in which silence is one event, in seconds, and how many such events a silence is
  /// worth.
  ///
  /// All packets of one place are lost together, so a silence is worth no more than one event a
  /// place.
  func silence(for seconds: Double) -> (seconds: Double, worth: Double) {
    let place = 2 * duration
    return seconds < place ? (place, seconds / place) : (seconds, 1)
  }
}
