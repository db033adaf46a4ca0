import RealModule
import Support

/// The attenuation of a signal between a beacon and the receiver.
public struct Propagation: Hashable, Sendable {
  /// The mean RSSI at 1 m over the population of beacons, in dBm.
  public var measuredPower = -59.0
  /// The standard deviation of the RSSI at 1 m between beacons, in dB.
  public var measuredPowerDeviation = 1.2
  /// The path-loss exponent; 2 in free space.
  public var exponent = 2.0
  /// The standard deviation of the shadowing of a link, in dB.
  public var shadowingDeviation = 4.5
  /// The correlation distance of the shadowing, in metres.
  public var shadowingDistance = 2.0
  /// The share of the variance of the shadowing that belongs to the place and is the same on every
  /// walk.
  public var shadowingPersistence = 0.75
  /// The standard deviation of the shadowing common to all beacons at a place, in dB.
  public var commonDeviation = 1.3
  /// The attenuation of a beacon behind the body that carries the receiver, in dB.
  public var bodyLoss = 4.0
  /// The standard deviation of the constant level offset of a channel of a beacon, in dB.
  public var channelDeviation = 1.0
  /// The standard deviation of the fading that differs between the channels of a link, in dB.
  public var fadingDeviation = 2.0
  /// The correlation distance of all fading, in metres walked.
  public var fadingDistance = 0.15
  /// The mean Rician K-factor over links, the power of the direct wave over that of the scattered
  /// waves, in dB.
  public var kFactor = 6.0
  /// The standard deviation of the K-factor between links, in dB.
  public var kFactorDeviation = 7.0
  /// The shortest and longest correlation times of a link's scattered waves at rest, in seconds;
  /// links are log-uniform in between.
  public var fadingTime = 1.0...10.0
  /// The correlation of the scattered waves of two channels.
  public var channelCorrelation = 0.75
  /// The standard deviation of the reported level between packets, in dB.
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
    // An infinite K-factor has no scattered waves.
    kFactor = .infinity
    kFactorDeviation = 0
    noiseDeviation = 1.5
  }

  /// The smallest distance in metres, to which shorter ones are raised: the law has no finite value
  /// at 0.
  static let nearestDistance = 0.1

  /// Returns the level in dBm at a distance in metres by the log-distance law: P - 10 n log10 d.
  ///
  /// Source: Rappaport, "Wireless Communications", second edition (2002), section 4.9.
  public func level(of measuredPower: Double, at distance: Double) -> Double {
    measuredPower - 10 * exponent * Double.log10(max(distance, Self.nearestDistance))
  }

  /// Rejects the first parameter that is invalid, or does not apply to the model.
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
