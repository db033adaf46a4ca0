import RealModule

/// The part of a level's error that packets of one place share, and what it becomes along a way.
///
/// The error of a packet is that of its place, the shadowing, and its own. Packets heard at one
/// place are therefore not independent witnesses of it. Trackers keep each anchor's shadowing, in
/// units of its standard deviation, as part of the state: a unit normal whose correlation falls as
/// exp(-way / distance).
///
/// Source: Gudmundson, "Correlation model for shadow fading in mobile radio systems", Electronics
/// Letters 27 (1991).
enum Shadowing {
  /// In metres.
  static let decorrelationDistance = LevelIndependence.decorrelation
  /// A packet's own standard deviation in dB: Rician fading (K = 4) over the advertising channels.
  static let packetNoise = 3.5

  /// What remains of the correlation after a way in metres.
  static func correlation(after way: Double) -> Double { Double.exp(-way / decorrelationDistance) }

  /// The variances in dB² of an anchor's shadowing and of one packet: σ² in two parts, and never
  /// more than half of it the packet's.
  static func parts(ofSigma sigma: Double) -> (shadowing: Double, packet: Double) {
    let packet = min(packetNoise * packetNoise, sigma * sigma / 2)
    return (sigma * sigma - packet, packet)
  }
}
