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
  /// The reception of the packets.
  private var reception: Reception
  private var single: MissedSlots
  private static let mostGroups = 64.0
  private var state = WalkState()
  private var likelihood = GaussianLikelihood()
  /// The logarithm of the probability of all missed slots.
  private var logMissed = 0.0

  /// The log-likelihood of all levels after the first and of the missed slots between them, without
  /// the factor 1 − `loss` of each level.
  public var logLikelihood: Double { likelihood.logarithm + logMissed }

  /// Creates the filter for a receiver that receives nothing below a floor.
  ///
  /// - Parameters:
  ///   - q: The process noise in dB² per second, at least 0.
  ///   - r: The measurement noise in dB², above 0.
  ///   - interval: The mean time between two advertisements in seconds, above 0.
  ///   - floor: The level, including its noise, below which nothing is received, in dBm.
  ///   - loss: The share of packets above the floor that are lost, at least 0 and below 1.
  public init(q: Double, r: Double, interval: Double, floor: Double, loss: Double) {
    self.init(q: q, r: r, interval: interval, reception: Reception(floor: floor, loss: loss))
  }

  init(q: Double, r: Double, interval: Double, reception: Reception) {
    (self.q, self.r, self.interval, self.reception) = (q, r, interval, reception)
    single = MissedSlots(1, reception, r: r)
  }

  public mutating func adopt(_ noise: Noise) {
    (q, r) = (noise.q, noise.r)
    if let found = noise.reception { reception = found }
    single = MissedSlots(1, reception, r: r)
  }

  public mutating func update(time: Int64, rssi: Double, channel: UInt8 = 255) -> FilteredLevel {
    guard let seconds = state.advance(to: time, rssi, r: r) else { return state.filtered }
    let missed = max((seconds / interval).rounded() - 1, 0)
    let groups = min(missed, Self.mostGroups)
    let step = seconds / (groups + 1)
    if missed > 0 {
      let slots =
        missed == groups ? single : MissedSlots(missed / groups, reception, r: r)
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
        "floor", in: -150...20, unit: "dBm",
        "sensitivity of the receiver; estimated if left out"),
      .share("loss", below: 1, "share of packets lost at any level; estimated if left out"),
    ]
  ) { values, noise in
    let model = MissedSlotsModel(values)
    return TobitFilter(
      q: noise.q, r: noise.r, interval: model.interval,
      reception: noise.reception ?? model.assumedReception)
  }
  .estimating { values in
    let model = MissedSlotsModel(values)
    return model.isComplete ? nil : .missedSlots(model)
  }
}

extension MissedSlotsModel {
  fileprivate init(_ values: ParameterValues) {
    self.init(
      interval: values.seconds("interval"), floor: values.optional("floor"),
      loss: values.optional("loss"), noise: values.noise)
  }
}
