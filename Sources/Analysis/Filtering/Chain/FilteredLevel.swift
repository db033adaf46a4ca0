/// What a filter states after one sighting.
public struct FilteredLevel: Equatable, Sendable {
  /// The filtered level, dBm.
  public var rssi: Double
  /// Variance of the level in dB²; NaN for a filter that has no error model.
  public var variance: Double

  public init(rssi: Double, variance: Double) {
    self.rssi = rssi
    self.variance = variance
  }
}

/// A link that rested has another level: its beacon was moved, or something came between.
public struct LevelChange: Equatable, Sendable {
  /// Counted from 1, for each link.
  public var number: Int
  /// The level at rest before, dBm.
  public var previousRSSI: Double
}
