import RealModule

/// How a person moves who is not followed: each component of the velocity is an Ornstein–Uhlenbeck
/// process.
///
/// People indoors walk at 1.2 to 1.4 m/s and stop; 1 m/s is the root mean square of a walk with
/// some stops. A direction lasts for some seconds: rooms are a few metres long. The height of what
/// is carried wanders slowly. Source of the discretisation: Bar-Shalom, Li and Kirubarajan,
/// "Estimation with applications to tracking and navigation", 2001, section 8.2 (exponentially
/// autocorrelated velocity).
struct Pedestrian: Equatable, Sendable {
  /// Root mean square of the speed, in metres per second.
  var speed = 1.0
  /// The time constant of the velocity, in seconds.
  var persistence = 2.0
  /// Standard deviation of the height's change in one second, in metres.
  var climb = 0.1

  /// What a step does to position and velocity, and what variance it adds, a component.
  struct Step {
    /// Of the velocity that remains.
    var share: Double
    /// Metres a unit of the velocity before.
    var way: Double
    var positionVariance: Double
    var crossVariance: Double
    var velocityVariance: Double
  }

  /// Variance of one component of the velocity.
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

  /// After so many seconds without a level the track is lost, and begun again with the next one.
  static let longestSilence = 30.0
}
