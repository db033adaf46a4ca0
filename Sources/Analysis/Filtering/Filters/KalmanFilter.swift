import RealModule
import Support

/// The one-dimensional Kalman filter of a level that wanders as a random walk in real time.
///
/// The state's variance grows by `q` times the seconds since the last sighting, so a gap of 5 s is
/// believed to hide more movement than one of 0.1 s, whatever the advertising interval:
///
///     P ← P + q h        K = P / (P + r)        x ← x + K (z − x)        P ← (1 − K) P
///
/// The start is diffuse: the first level is taken as it is, with variance `r`. Source: Kalman, "A
/// new approach to linear filtering and prediction problems", 1960; Durbin and Koopman, "Time
/// series analysis by state space methods", section 2.2 (the local level model). O(1) a sighting.
///
/// ```swift
/// var filter = KalmanFilter(q: 0.5, r: 9)
/// let level = filter.update(time: 1_000_000_000, rssi: -61)
/// print(level.rssi, level.variance)
/// ```
public struct KalmanFilter: LevelFilter {
  /// Process noise, dB² per second.
  public private(set) var q: Double
  /// Measurement noise, dB².
  public private(set) var r: Double
  private var likelihood = GaussianLikelihood()
  private var state = WalkState()

  /// Log-likelihood of all levels after the first, from their prediction errors.
  public var logLikelihood: Double { likelihood.logarithm }

  /// Creates the filter.
  ///
  /// - Parameters:
  ///   - q: process noise, dB² per second, at least 0.
  ///   - r: measurement noise, dB², above 0.
  public init(q: Double, r: Double) {
    self.q = q
    self.r = r
  }

  public mutating func adopt(_ noise: Noise) { (q, r) = (noise.q, noise.r) }

  /// Takes a level at a time in nanoseconds; a time before the last one counts as no time passed.
  @inline(__always)
  public mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    if let seconds = state.advance(to: time, rssi, r: r) {
      let predicted = state.variance + q * seconds
      likelihood.add(error: rssi - state.level, variance: predicted + r)
      state.correct(by: rssi, predicted: predicted, r: r)
    }
    return state.filtered
  }
}

extension FilterKind {
  static let kalman = causal(
    "kalman", "the level wanders as a random walk; the default", noise: .randomWalk,
    Parameter.noise
  ) { _, noise in KalmanFilter(q: noise.q, r: noise.r) }
}
