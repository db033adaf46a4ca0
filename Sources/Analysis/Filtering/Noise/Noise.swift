/// The two variances of a model of levels.
public struct Noise: Equatable, Sendable {
  /// Process noise: how much the mean level wanders, dB² per second (dB² per second³ for a model
  /// with a velocity).
  public var q: Double
  /// Measurement noise of a single level, dB².
  public var r: Double

  public init(q: Double, r: Double) {
    self.q = q
    self.r = r
  }

  /// What a person walking indoors gives, about (docs/filters.md): for streams, which cannot be
  /// read twice, and for recordings too short for an estimate.
  public static let walking = Noise(q: 6, r: 12)
}

/// The model whose noise a filter needs, and has estimated where it is not written.
public enum NoiseModel: Hashable, Sendable {
  /// The mean level wanders as a random walk.
  case randomWalk
  /// The slope of the mean level wanders as a random walk.
  case velocity
  /// The mean level wanders as a random walk, and advertisements that did not come state something of
  /// it: of a beacon that advertises each `interval` seconds, to a receiver that hears nothing below
  /// `floor` dBm and loses the share `loss` of the rest.
  case missedSlots(interval: Double, floor: Double, loss: Double)
}

/// What a link's filter used, and how likely its levels are under it.
public struct LinkLikelihood: Equatable, Sendable {
  public var noise: Noise
  /// Of all levels but those that a filter started with.
  public var logLikelihood: Double
}
