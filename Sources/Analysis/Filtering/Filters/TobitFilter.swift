import Support

/// A Kalman filter of a random walk that uses missed advertisements as observations: the level may
/// have been below the sensitivity of the receiver.
///
/// For a beacon that advertises each `interval`, n = round(h / interval) − 1 advertisements were
/// missed between two sightings h seconds apart. They are spread evenly over h; between them P
/// grows as in `KalmanFilter`, and each corrects x and P as in `MissedSlots`. Beyond 64 they count
/// in 64 groups of equal size. A received level needs no other correction: its reception gives Φ((z
/// − floor)…) of z, not of x, and its likelihood in x is Gaussian, as in Tobin's type I model.
/// Without missed slots this is `KalmanFilter` bit by bit. O(missed slots, at most 64) per
/// sighting.
public struct TobitFilter: LevelFilter {
  /// The process noise, in dB² per second.
  public private(set) var q: Double
  /// The measurement noise, in dB².
  public private(set) var r: Double
  /// The time between two advertisements, in seconds.
  public let interval: Double
  private let floor: Double
  private let loss: Double
  private var single: MissedSlots
  private static let mostGroups = 64.0
  private var state = WalkState()
  private var likelihood = GaussianLikelihood()
  /// The logarithm of the probability of all missed slots.
  private var logMissed = 0.0

  /// The log-likelihood of all levels after the first and of the missed slots between them, without
  /// the factor 1 − `loss` of each level.
  public var logLikelihood: Double { likelihood.logarithm + logMissed }

  /// Creates the filter.
  ///
  /// - Parameters:
  ///   - q: The process noise in dB² per second, at least 0.
  ///   - r: The measurement noise in dB², above 0.
  ///   - interval: The mean time between two advertisements in seconds, above 0.
  ///   - floor: The level, including its noise, below which nothing is received, in dBm.
  ///   - loss: The share of packets above the floor that are lost, at least 0 and below 1.
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
    "tobit", "kalman in which missing advertisements mean a low level",
    noise: .randomWalk,
    Parameter.noise + [
      .time("interval", example: "100ms", "the mean advertising interval"),
      .number(
        "floor", in: -150...20, unit: "dBm", example: "-95",
        "sensitivity of the receiver"),
      .share(
        "loss", below: 1, default: "0.3", "share of packets lost at any level"),
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
