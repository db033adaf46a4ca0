import RealModule

/// The effective sample size of successive levels of one anchor, whose errors are correlated.
///
/// The error of a level has a part that packets at nearly one place share (shadowing, and the error
/// of the path-loss curve there) and a part of each packet's own (fading, channels, noise). The
/// correlation of the common part over a walked distance s is exp(-s / decorrelation) (Gudmundson
/// 1991), so that over a long time, readings every Δ are worth Δ / 2τ independent ones, τ =
/// decorrelation / speed; exactly, tanh(Δ / 2τ) for a first-order autoregression. Readings enter
/// the likelihood with this exponent.
struct LevelIndependence {
  /// The correlation time of the common part, in seconds.
  let duration: Double

  /// The share of a level's variance about the path-loss curve that packets have in common.
  ///
  /// Studies of indoor links find 3 to 5 dB of each part; a half is in between. A larger share
  /// makes a tracker slower and less certain, a smaller one the contrary.
  ///
  /// A radio map gives the share itself: the common part is what the map leaves unexplained.
  static let commonShare = 0.5

  /// The distance over which shadowing decorrelates, in metres: 1 m to 2 m indoors.
  static let decorrelation = 1.5

  /// - Parameter speed: The speed of the target, in m/s; at 0 the shadowing never changes.
  init(speed: Double) {
    duration = speed > 0 ? Self.decorrelation / speed : .infinity
  }

  /// Returns the number of independent single-packet levels that a mean of some packets is worth.
  ///
  /// - Parameters:
  ///   - seconds: The time since the anchor's last reading; `nil` for its first.
  ///   - packets: The number of packets in the mean.
  ///   - share: The share of the variance that packets of one place have in common.
  func worth(
    after seconds: Double?, packets: Int, commonShare share: Double = Self.commonShare
  ) -> Double {
    let new = seconds.map { Double.tanh($0 / (2 * duration)) } ?? 1
    guard new > 0 else { return 0 }
    return 1 / (share / new + (1 - share) / Double(max(packets, 1)))
  }

  /// Returns the time for which silence is one event, in seconds, and the number of such events
  /// that a silence is worth.
  ///
  /// All packets of one place are lost together, so a silence is worth at most one event per place.
  func silence(for seconds: Double) -> (seconds: Double, worth: Double) {
    let place = 2 * duration
    return seconds < place ? (place, seconds / place) : (seconds, 1)
  }
}
