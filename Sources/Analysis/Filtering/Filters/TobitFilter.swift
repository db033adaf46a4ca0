import Support

/// The Kalman filter of a random walk to which an advertisement that did not come is an
/// observation: the level may have been below what the receiver hears.
///
/// Of a beacon that advertises each `interval`, n = round(h / interval) − 1 advertisements were
/// missed between two sightings h seconds apart. They are spread evenly over h; between them P
/// grows as in `KalmanFilter`, and each corrects x and P as `MissedSlots` states. Beyond 64 they
/// count in 64 groups of equal size. A level that was heard needs no other correction: that it came
/// states Φ((z − floor)…) of z, not of x, and its likelihood in x is the Gaussian one, as in
/// Tobin's type I model. Without missed slots this is `KalmanFilter` bit by bit. O(missed slots, at
/// most 64) a sighting.
public struct TobitFilter: LevelFilter {
  /// Process noise, dB² per second.
  public private(set) var q: Double
  /// Measurement noise, dB².
  public private(set) var r: Double
  /// The time between two advertisements, in seconds.
  public let interval: Double
  private let floor: Double
  private let loss: Double
  private var single: MissedSlots
  private static let mostGroups = 64.0
  private var state = WalkState()
  private var likelihood = GaussianLikelihood()
  /// Logarithm of the probability of all missed slots.
  private var logMissed = 0.0

  /// Log-likelihood of all levels after the first and of the missed slots between them, but for the
  /// factor 1 − `loss` of each level.
  public var logLikelihood: Double { likelihood.logarithm + logMissed }

  /// Creates the filter.
  ///
  /// - Parameters:
  ///   - q: process noise, dB² per second, at least 0.
  ///   - r: measurement noise, dB², above 0.
  ///   - interval: seconds between two advertisements, on average, above 0.
  ///   - floor: the level, with its noise, below which nothing is heard, dBm.
  ///   - loss: share of packets above the floor that are lost, at least 0 and below 1.
  public init(q: Double, r: Double, interval: Double, floor: Double, loss: Double) {
    self.q = q
    self.r = r
    self.interval = interval
    self.floor = floor
    self.loss = loss
    single = MissedSlots(1, floor: floor, r: r, loss: loss)
  }

  public mutating func adopt(_ noise: Noise) {
    (q, r) = (noise.q, noise.r)
    single = MissedSlots(1, floor: floor, r: r, loss: loss)
  }

  public mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    guard let seconds = state.advance(to: time, rssi, r: r) else { return state.filtered }
    let missed = max((seconds / interval).rounded() - 1, 0)
    let groups = min(missed, Self.mostGroups)
    let step = seconds / (groups + 1)
    if missed > 0 {
      let slots =
        missed == groups
        ? single : MissedSlots(missed / groups, floor: floor, r: r, loss: loss)
      for _ in 0..<Int(groups) {
        state.variance += q * step
        logMissed += slots.correct(&state.level, &state.variance)
      }
    }
    let predicted = state.variance + q * step
    likelihood.add(error: rssi - state.level, variance: predicted + r)
    state.correct(by: rssi, predicted: predicted, r: r)
    return state.filtered
  }
}

extension FilterKind {
  static let tobit = causal(
    "tobit", "the random walk of kalman; missing advertisements say that the level is low",
    noise: .randomWalk,
    Parameter.noise + [
      .time("interval", example: "100ms", "the mean advertising interval"),
      .number(
        "floor", in: -150...20, unit: "dBm", example: "-95",
        "the weakest level that the receiver hears"),
      .share(
        "loss", below: 1, default: "0.3", "share of packets lost however strong they are"),
    ]
  ) { values, noise in
    TobitFilter(
      q: noise.q, r: noise.r, interval: values.seconds("interval"),
      floor: values.number("floor"), loss: values.number("loss"))
  }
  .estimating { values in
    .missedSlots(
      interval: values.seconds("interval"), floor: values.number("floor"),
      loss: values.number("loss"))
  }
}
