import RealModule
import Support

/// The attenuation of a signal between a beacon and the receiver.
public struct Propagation: Hashable, Sendable {
  /// Mean RSSI at 1 m over all beacons ever made, in dBm.
  public var measuredPower = -59.0
  /// Standard deviation of one beacon's own RSSI at 1 m about that mean, in dB.
  public var measuredPowerDeviation = 1.2
  /// Path-loss exponent; 2 in free space.
  public var exponent = 2.0
  /// Standard deviation of the shadowing of a link, in dB.
  public var shadowingDeviation = 4.5
  /// Correlation distance of the shadowing, in metres.
  public var shadowingDistance = 2.0
  /// Share of the variance of the shadowing that belongs to the place: the next walk finds it
  /// there.
  public var shadowingPersistence = 0.75
  /// Standard deviation of what all beacons have in common at a place, in dB.
  public var commonDeviation = 1.3
  /// Attenuation of a beacon behind the body that carries the receiver, in dB.
  public var bodyLoss = 4.0
  /// Standard deviation of the level offset that a channel of a beacon always has, in dB.
  public var channelDeviation = 1.0
  /// Standard deviation of the fading that differs from channel to channel of a link, in dB.
  public var fadingDeviation = 2.0
  /// Correlation distance of all fading, in metres walked.
  public var fadingDistance = 0.15
  /// Mean over links of the Rician K-factor, the power of the direct wave over that of the
  /// scattered waves, in dB.
  public var kFactor = 6.0
  /// Standard deviation of the K-factor from link to link, in dB.
  public var kFactorDeviation = 7.0
  /// Shortest and longest correlation time of a link's scattered waves at rest, in seconds; links
  /// lie in between, evenly on a logarithmic scale.
  public var fadingTime = 1.0...10.0
  /// Correlation of the scattered waves of two channels.
  public var channelCorrelation = 0.75
  /// Standard deviation from packet to packet of what a receiver reports, in dB.
  public var noiseDeviation = 0.7

  /// Creates the propagation in an office with few walls.
  public init(_ model: RadioModel = .rician) {
    guard model == .simple else { return }
    measuredPowerDeviation = 1
    shadowingDeviation = 4
    shadowingPersistence = 0
    commonDeviation = 0
    bodyLoss = 0
    channelDeviation = 0
    fadingDeviation = 2.5
    fadingDistance = 0.3
    // No scattered waves.
    kFactor = .infinity
    kFactorDeviation = 0
    noiseDeviation = 1.5
  }

  /// Distances below this one, in metres, count as this one: the law has no finite value at 0.
  static let nearestDistance = 0.1

  /// Returns the level in dBm at a distance in metres by the log-distance law: P - 10 n log10 d.
  ///
  /// Source: Rappaport, "Wireless Communications", second edition (2002), section 4.9.
  public func level(of measuredPower: Double, at distance: Double) -> Double {
    measuredPower - 10 * exponent * Double.log10(max(distance, Self.nearestDistance))
  }

  /// Refuses the first parameter that has no meaning, or none in the model.
  func validate(for model: RadioModel) throws(RSSIError) {
    let simple = Propagation(.simple)
    for (name, value, other) in [
      ("shadowingPersistence", shadowingPersistence, simple.shadowingPersistence),
      ("commonDeviation", commonDeviation, simple.commonDeviation),
      ("bodyLoss", bodyLoss, simple.bodyLoss),
      ("channelDeviation", channelDeviation, simple.channelDeviation),
      ("kFactor", kFactor, simple.kFactor),
      ("kFactorDeviation", kFactorDeviation, simple.kFactorDeviation),
      ("channelCorrelation", channelCorrelation, simple.channelCorrelation),
      ("fadingTime", fadingTime.lowerBound, simple.fadingTime.lowerBound),
      ("fadingTime", fadingTime.upperBound, simple.fadingTime.upperBound),
    ] {
      try require("propagation.\(name)", value, as: other, for: model)
    }
    try require("propagation.measuredPower", measuredPower, in: -200...200)
    try require("propagation.exponent", exponent, in: 0...20)
    for (name, deviation) in [
      ("measuredPowerDeviation", measuredPowerDeviation),
      ("shadowingDeviation", shadowingDeviation), ("commonDeviation", commonDeviation),
      ("bodyLoss", bodyLoss), ("channelDeviation", channelDeviation),
      ("fadingDeviation", fadingDeviation), ("kFactorDeviation", kFactorDeviation),
      ("noiseDeviation", noiseDeviation),
    ] {
      try require("propagation.\(name)", deviation, in: 0...100)
    }
    try require("propagation.shadowingPersistence", shadowingPersistence, in: 0...1)
    try require("propagation.channelCorrelation", channelCorrelation, in: 0...1)
    try require("propagation.shadowingDistance", shadowingDistance, in: 1e-6...1e6)
    try require("propagation.fadingDistance", fadingDistance, in: 1e-6...1e6)
    try require("propagation.fadingTime", fadingTime.lowerBound, in: 0...1e6)
    try require("propagation.fadingTime", fadingTime.upperBound, in: 0...1e6)
    if model == .rician { try require("propagation.kFactor", kFactor, in: -100...100) }
  }
}
