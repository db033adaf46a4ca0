import RealModule
import Support

/// The one-dimensional Kalman filter of a level that is a random walk in real time.
///
/// The variance of the state grows by `q` times the seconds since the last sighting, so a gap of 5
/// s allows more change than one of 0.1 s, for any advertising interval:
///
///     P ← P + q h        K = P / (P + r)        x ← x + K (z − x)        P ← (1 − K) P
///
/// The start is diffuse: the estimate is the first level, with variance `r`. Source: Kalman, "A new
/// approach to linear filtering and prediction problems", 1960; Durbin and Koopman, "Time series
/// analysis by state space methods", section 2.2 (the local level model). O(1) per sighting.
///
/// ```swift
/// var filter = KalmanFilter(q: 0.5, r: 9)
/// let level = filter.update(time: 1_000_000_000, rssi: -61)
/// print(level.rssi, level.variance)
/// ```
public struct KalmanFilter: LevelFilter {
  /// The process noise, in dB² per second.
  public private(set) var q: Double
  /// The measurement noise, in dB².
  public private(set) var r: Double
  private var likelihood = GaussianLikelihood()
  private var state = WalkState()

  /// The log-likelihood of all levels after the first, from their prediction errors.
  public var logLikelihood: Double { likelihood.logarithm }

  /// Creates the filter.
  ///
  /// - Parameters:
  ///   - q: The process noise in dB² per second, at least 0.
  ///   - r: The measurement noise in dB², above 0.
  public init(q: Double, r: Double) {
    self.q = q
    self.r = r
  }

  public mutating func adopt(_ noise: Noise) { (q, r) = (noise.q, noise.r) }

  /// Updates the filter with a level at a time in nanoseconds; an earlier time counts as the latest
  /// one.
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
    "kalman", "Kalman filter of a random walk; the default", noise: .randomWalk,
    Parameter.noise
  ) { _, noise in KalmanFilter(q: noise.q, r: noise.r) }
}
