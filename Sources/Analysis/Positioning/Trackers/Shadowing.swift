import RealModule

/// The part of a level's error that packets of one place share, and its correlation along a path.
///
/// The error of a packet is that of its place, the shadowing, plus its own. Packets received at one
/// place are therefore not independent. Trackers keep each anchor's shadowing, in units of its
/// standard deviation, in the state: a unit normal with the correlation exp(-distance walked /
/// distance).
///
/// Source: Gudmundson, "Correlation model for shadow fading in mobile radio systems", Electronics
/// Letters 27 (1991).
enum Shadowing {
  /// The correlation length of the shadowing of one component, in metres.
  static let decorrelationDistance = LevelIndependence.decorrelation
  /// The correlation lengths of two components, in metres: the error of a map or curve, and the
  /// effect of a body and its surroundings within a step, unless a survey gives it.
  static let (farDistance, nearDistance) = (3.0, 0.8)
  /// The smallest variance of the second component, in dB².
  static let leastNear = 2.0
  /// A packet's own standard deviation in dB without one in the calibration: Rician fading (K = 4)
  /// over the advertising channels.
  static let packetNoise = 3.5
  /// The variance of that in dB².
  static let fading = packetNoise * packetNoise

  /// Returns the correlation after a distance walked in metres.
  static func correlation(after way: Double) -> Double { Double.exp(-way / decorrelationDistance) }

  /// Returns the variances in dB² of an anchor's shadowing and of one packet, which add up to σ²;
  /// without a division in the calibration, the packet's is at most half.
  static func parts(of anchor: Anchor) -> (shadowing: Double, packet: Double) {
    let variance = anchor.sigma * anchor.sigma
    let packet =
      anchor.packetSigma.map { $0 * $0 } ?? min(packetNoise * packetNoise, variance / 2)
    return (variance - packet, packet)
  }

  /// Returns the variances in dB² of the part that lasts for some distance, the part that lasts for
  /// a step, and that of one packet.
  ///
  /// Packets of a channel share the fading of their place. The part of it that the packets do not
  /// show lasts for a step; it is half if the calibration does not have the packets' own error.
  static func fadingParts(of anchor: Anchor) -> (far: Double, near: Double, packet: Double) {
    let (shadowing, packet) = parts(of: anchor)
    let own = anchor.packetSigma == nil ? packet / 2 : packet
    let shared = shadowing + packet - own
    let near = min(max(fading - own, leastNear), shared / 2)
    return (shared - near, near, own)
  }
}
