import RealModule

/// A motion model of a person: each component of the velocity is an Ornstein–Uhlenbeck process.
///
/// People indoors walk at 1.2 to 1.4 m/s and stop; 1 m/s is the root mean square of a walk with
/// some stops. A direction lasts for some seconds, because rooms are a few metres long. The height
/// of a carried device drifts slowly. Source of the discretisation: Bar-Shalom, Li and Kirubarajan,
/// "Estimation with applications to tracking and navigation", 2001, section 8.2 (exponentially
/// autocorrelated velocity).
struct Pedestrian: Equatable, Sendable {
  /// The root mean square speed, in metres per second.
  var speed = 1.0
  /// The time constant of the velocity, in seconds.
  var persistence = 2.0
  /// The standard deviation of the height's change in one second, in metres.
  var climb = 0.1

  /// The effect of a step on position and velocity, with the added variances, per component.
  struct Step {
    /// The share of the velocity that remains.
    var share: Double
    /// The distance in metres per unit of the previous velocity.
    var way: Double
    var positionVariance: Double
    var crossVariance: Double
    var velocityVariance: Double
  }

  /// The variance of one component of the velocity.
  var componentVariance: Double { speed * speed / 2 }

  func step(_ seconds: Double) -> Step {
    let variance = componentVariance
    let ratio = seconds / persistence
    let share = Double.exp(-ratio)
    let rest = -Double.expMinusOne(-ratio)
    // 2r - 3 + 4 e⁻ʳ - e⁻²ʳ cancels for small r, where it is 2r³/3 - r⁴/2 + 7r⁵/30.
    let spread =
      ratio < 1e-2
      ? ratio * ratio * ratio * (2.0 / 3 - ratio * (0.5 - ratio * 7 / 30))
      : 2 * ratio - 3 + 4 * share - share * share
    return Step(
      share: share, way: persistence * rest,
      positionVariance: variance * persistence * persistence * spread,
      crossVariance: variance * persistence * rest * rest,
      velocityVariance: variance * (1 - share * share))
  }

  /// The time without a level after which a track restarts, in seconds.
  static let longestSilence = 30.0
}
