import Support

/// The Kalman filter of a level whose slope is a random walk in real time ("constant velocity").
/// For h seconds between two sightings:
///
///     F = [1 h; 0 1]        Q = q [h³/3 h²/2; h²/2 h]        H = [1 0]        R = r
///
/// The start is diffuse in both: the first level fixes the level, and the first one at a later time
/// fixes the slope. Source: Bar-Shalom, Li and Kirubarajan, "Estimation with applications to
/// tracking and navigation", section 6.2.2 (continuous white noise acceleration); Durbin and
/// Koopman, "Time series analysis by state space methods", section 5.2 (exact diffuse start). O(1)
/// per sighting.
public struct VelocityFilter: LevelFilter {
  /// The process noise, in dB² per second³.
  public private(set) var q: Double
  /// The measurement noise, in dB².
  public private(set) var r: Double
  private var likelihood = GaussianLikelihood()
  private var state = SlopingLevel()
  private var lastTime = Int64.min

  /// The log-likelihood of all levels but the two that fixed the level and the slope.
  public var logLikelihood: Double { likelihood.logarithm }

  /// Creates the filter.
  ///
  /// - Parameters:
  ///   - q: The process noise in dB² per second³, at least 0.
  ///   - r: The measurement noise in dB², above 0.
  public init(q: Double, r: Double) {
    self.q = q
    self.r = r
  }

  /// The slope of the level, in dB per second; 0 until levels at two times are known.
  public var slope: Double { state.slope }

  public mutating func adopt(_ noise: Noise) { (q, r) = (noise.q, noise.r) }

  public mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    let seconds = secondsLater(time, than: lastTime)
    if let surprise = state.take(rssi, after: seconds, q: q, r: r) {
      likelihood.add(error: surprise.error, variance: surprise.spread)
    }
    lastTime = max(lastTime, time)
    return FilteredLevel(rssi: state.level, variance: state.variance)
  }
}

extension FilterKind {
  static let velocity = causal(
    "velocity", "Kalman filter of a level and its slope", noise: .velocity,
    [
      .number("q", in: 0...1e9, unit: "dB²/s³", "process noise of the slope"), .noiseOfLevel,
    ]
  ) { _, noise in VelocityFilter(q: noise.q, r: noise.r) }
}
