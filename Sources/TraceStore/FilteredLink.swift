/// What a filter found for one link.
public struct FilteredLink: Equatable, Sendable {
  public var beacon: UInt32
  public var receiver: UInt16
  /// Levels filtered.
  public var samples: UInt64
  /// Process noise, dB² per second; NaN for a filter that has none.
  public var q: Double
  /// Measurement noise, dB²; NaN for a filter that has none.
  public var r: Double
  /// Log-likelihood of the levels; NaN for a filter that has none.
  public var logLikelihood: Double

  public init(
    beacon: UInt32, receiver: UInt16, samples: UInt64, q: Double, r: Double, logLikelihood: Double
  ) {
    self.beacon = beacon
    self.receiver = receiver
    self.samples = samples
    self.q = q
    self.r = r
    self.logLikelihood = logLikelihood
  }
}
