import RealModule
import Support

/// A Kalman filter of a random-walk level that is received on three channels, each with its own
/// time-varying offset.
///
/// The state is (x, d₃₇, d₃₈, d₃₉): a common level and three offsets that decay to 0
/// (Ornstein–Uhlenbeck processes with the standard deviation `offset`). After h seconds, with a =
/// e^(−h/fading):
///
///     x: variance + q h        d ← a d, variance a² + offset² (1 − a²)        z = x + d_c + noise
///
/// `r` is the noise of a level of unknown channel, which includes the channels' differences. Within
/// a channel it is smaller by the variance of three channels about their mean, r_c = max(r − ⅔
/// offset², r/2). A level of unknown channel is z = x + noise of r: for a link without channels
/// this is `KalmanFilter`. Only differences of offsets are observable; that their mean is 0 is the
/// prior. The start is diffuse in x alone. Source: Durbin and Koopman, "Time series analysis by
/// state space methods", section 4.3; Harvey, "Forecasting, structural time series models and the
/// Kalman filter", section 8.5 (common levels). O(1) per sighting.
public struct ChannelFilter: LevelFilter {
  /// The process noise of the common level, in dB² per second.
  public private(set) var q: Double
  /// The noise of a level of unknown channel, in dB².
  public private(set) var r: Double
  /// The noise within a channel, in dB².
  public private(set) var channelR: Double
  /// The standard deviation of a channel's offset, in dB.
  public let offset: Double
  /// The time constant of an offset, in seconds.
  public let fading: Double
  private var likelihood = GaussianLikelihood()
  /// The common level, then the offsets.
  private var state = SIMD4<Double>.zero
  /// The rows of the covariance.
  private var rows: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)
  private var hasStarted = false
  private var lastTime: Int64 = 0

  /// The log-likelihood of all levels after the first.
  public var logLikelihood: Double { likelihood.logarithm }

  /// Creates the filter.
  ///
  /// - Parameters:
  ///   - q: The process noise in dB² per second, at least 0.
  ///   - r: The noise of a level of unknown channel in dB², above 0.
  ///   - offset: The standard deviation of a channel's offset in dB, at least 0.
  ///   - fading: The time constant of an offset in seconds, above 0.
  public init(q: Double, r: Double, offset: Double, fading: Double) {
    self.q = q
    self.r = r
    self.offset = offset
    self.fading = fading
    channelR = Self.noise(withinChannel: r, offset)
    let prior = offset * offset
    rows = (.zero, [0, prior, 0, 0], [0, 0, prior, 0], [0, 0, 0, prior])
  }

  /// Returns the noise within a channel from that of a level of unknown channel.
  private static func noise(withinChannel r: Double, _ offset: Double) -> Double {
    max(r - offset * offset * 2 / 3, r / 2)
  }

  public mutating func adopt(_ noise: Noise) {
    (q, r) = (noise.q, noise.r)
    channelR = Self.noise(withinChannel: r, offset)
  }

  public mutating func update(time: Int64, rssi: Double, channel: UInt8) -> FilteredLevel {
    let place = (37...39).contains(channel) ? Int(channel) - 36 : 0
    let noise = place == 0 ? r : channelR
    if hasStarted {
      predict(secondsLater(time, than: lastTime))
      correct(rssi, place, noise)
      lastTime = max(lastTime, time)
    } else {
      start(rssi, place, noise)
      lastTime = time
    }
    return FilteredLevel(rssi: state[0], variance: rows.0[0])
  }

  /// Starts with the first level, less an offset of which only the prior is known.
  private mutating func start(_ rssi: Double, _ place: Int, _ noise: Double) {
    hasStarted = true
    state[0] = rssi
    rows.0[0] = noise
    guard place > 0 else { return }
    let prior = offset * offset
    rows.0[0] += prior
    rows.0[place] = -prior
    rows.1[0] = rows.0[1]
    rows.2[0] = rows.0[2]
    rows.3[0] = rows.0[3]
  }

  /// Advances by some seconds; two successive advances equal one by their sum.
  mutating func predict(_ seconds: Double) {
    let kept = Double.exp(-seconds / fading)
    let factors: SIMD4<Double> = [1, kept, kept, kept]
    let renewed = -offset * offset * Double.expMinusOne(-2 * seconds / fading)
    state *= factors
    rows.0 *= factors
    rows.1 *= factors * kept
    rows.2 *= factors * kept
    rows.3 *= factors * kept
    rows.0[0] += q * seconds
    rows.1[1] += renewed
    rows.2[2] += renewed
    rows.3[3] += renewed
  }

  private mutating func correct(_ rssi: Double, _ place: Int, _ noise: Double) {
    // P H: the covariance of the state with the noiseless level.
    var shared = rows.0
    var expected = state[0]
    switch place {
    case 1: shared += rows.1
    case 2: shared += rows.2
    case 3: shared += rows.3
    default: break
    }
    if place > 0 { expected += state[place] }
    let spread = shared[0] + (place > 0 ? shared[place] : 0) + noise
    let error = rssi - expected
    state += shared / spread * error
    // Products first: they commute, so the covariance stays symmetric to the last bit.
    rows.0 -= shared * shared[0] / spread
    rows.1 -= shared * shared[1] / spread
    rows.2 -= shared * shared[2] / spread
    rows.3 -= shared * shared[3] / spread
    likelihood.add(error: error, variance: spread)
  }
}

extension FilterKind {
  static let channels = causal(
    "channels", "kalman with an offset per advertising channel",
    noise: .randomWalk,
    Parameter.noise + [
      .number(
        "offset", in: 0...1e9, unit: "dB", default: "3", "standard deviation between channels"),
      .time("fading", default: "10s", "time constant of the differences"),
    ]
  ) { values, noise in
    ChannelFilter(
      q: noise.q, r: noise.r, offset: values.number("offset"),
      fading: values.seconds("fading"))
  }
}
