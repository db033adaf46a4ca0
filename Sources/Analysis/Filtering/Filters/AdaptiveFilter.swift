import RealModule
import Support

/// A Kalman filter of a random walk with measurement noise that adapts to the levels.
///
/// After h seconds, with P predicted as in `KalmanFilter`, e = z − x and S = P + r:
///
///     b = min(1 − e^(−h/memory), 1/20)        w = (r / S)²
///     r ← r + b w (min(e², 9 S) − S)          within a tenth of the start and ten times it
///
/// This is r ← (1 − b w) r + b w (e² − P), covariance matching with the weight w of Fisher's
/// information: e² carries little information about r if S is mostly P, as after a gap, so a gap
/// changes r little. Without the bound of 9 S it equals (1 − b) r + b (ε² + P⁺), ε and P⁺ the
/// residual and the variance after the sighting. The bound 1/20 keeps a single level after a gap
/// from determining r.
///
/// Two successive levels off to the same side by e² > `limit` × S are a step, not noise: P is
/// raised to e² / limit − r, so that the second is just within the limit. A single one only affects
/// r.
///
/// Sources: Mehra, "Approaches to adaptive filtering", IEEE Transactions on Automatic Control
/// 17(5), 1972; Mohamed and Schwarz, "Adaptive Kalman filtering for INS/GPS", Journal of Geodesy
/// 73, 1999 (from residuals); Bar-Shalom, Li and Kirubarajan, "Estimation with applications to
/// tracking and navigation", section 11.2 (raised process noise). O(1) per sighting.
public struct AdaptiveFilter: LevelFilter {
  /// The process noise, in dB² per second.
  public private(set) var q: Double
  /// The current measurement noise, in dB².
  public private(set) var r: Double
  /// The memory of the estimate of the measurement noise, in seconds.
  public let memory: Double
  /// The e² / S above which a level is beyond the limit; 0 for none.
  public let limit: Double
  private var likelihood = GaussianLikelihood()
  private var leastR: Double
  private var mostR: Double
  private var state = WalkState()
  /// The side on which the last level was beyond the limit: −1 or 1; 0 if it was within.
  private var lastSide = 0.0

  /// The log-likelihood of all levels after the first, by their predictions.
  public var logLikelihood: Double { likelihood.logarithm }

  /// Creates the filter.
  ///
  /// - Parameters:
  ///   - q: The process noise in dB² per second, at least 0.
  ///   - r: The initial measurement noise in dB², above 0.
  ///   - memory: The time constant of r in seconds, above 0.
  ///   - limit: The e² / S of a level beyond the limit, at least 0; 0 for none.
  public init(q: Double, r: Double, memory: Double, limit: Double) {
    self.q = q
    self.r = r
    self.memory = memory
    self.limit = limit
    (leastR, mostR) = Self.range(of: r)
  }

  /// Returns the range of r, not below the variance of rounding to 1 dB unless that is given.
  private static func range(of r: Double) -> (Double, Double) {
    (min(max(r / 10, 1.0 / 12), r), r * 10)
  }

  public mutating func adopt(_ noise: Noise) {
    (q, r) = (noise.q, noise.r)
    (leastR, mostR) = Self.range(of: r)
  }

  public mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    guard let seconds = state.advance(to: time, rssi, r: r) else { return state.filtered }
    let error = rssi - state.level
    let square = error * error
    let free = state.variance + q * seconds
    likelihood.add(error: error, variance: free + r)
    let predicted = raised(free, error)
    let spread = predicted + r
    state.correct(by: rssi, predicted: predicted, r: r)

    let forgotten = min(-Double.expMinusOne(-seconds / memory), 0.05)
    let weight = (r / spread) * (r / spread)
    r += forgotten * weight * (min(square, 9 * spread) - spread)
    r = min(max(r, leastR), mostR)
    return state.filtered
  }

  /// Returns the predicted variance, raised at a step of this level and the previous one.
  private mutating func raised(_ predicted: Double, _ error: Double) -> Double {
    guard limit > 0 else { return predicted }
    let isOff = error * error > limit * (predicted + r)
    let side = isOff ? (error > 0 ? 1.0 : -1.0) : 0
    defer { lastSide = side }
    return isOff && side == lastSide ? error * error / limit - r : predicted
  }
}

extension FilterKind {
  static let adaptive = causal(
    "adaptive", "kalman with measurement noise that adapts to the levels",
    noise: .randomWalk,
    Parameter.noise + [
      .time("memory", default: "5s", "time constant of the estimate of r"),
      .number(
        "limit", in: 0...1e9, default: "6.63",
        "squared error, in variances, beyond which two levels in a row are a step; 0 = never"),
    ]
  ) { values, noise in
    AdaptiveFilter(
      q: noise.q, r: noise.r, memory: values.seconds("memory"),
      limit: values.number("limit"))
  }
}
