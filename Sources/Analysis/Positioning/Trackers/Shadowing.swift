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
  /// How far the shadowing of one part lasts, in metres.
  static let decorrelationDistance = LevelIndependence.decorrelation
  /// How far each of two parts lasts, in metres: what a map or a curve is wrong by, and what a
  /// body and its surroundings do within a step.
  static let (farDistance, nearDistance) = (3.0, 0.8)
  /// What the second part is at least, in dB².
  static let leastNear = 2.0
  /// A packet's own standard deviation in dB where the calibration does not have it: Rician fading
  /// (K = 4) over the advertising channels.
  static let packetNoise = 3.5
  /// The variance of that in dB².
  static let fading = packetNoise * packetNoise

  /// What remains of the correlation after a way in metres.
  static func correlation(after way: Double) -> Double { Double.exp(-way / decorrelationDistance) }

  /// The variances in dB² of an anchor's shadowing and of one packet: σ² in two parts, and never
  /// more than half of it the packet's where the calibration does not divide it.
  static func parts(of anchor: Anchor) -> (shadowing: Double, packet: Double) {
    let variance = anchor.sigma * anchor.sigma
    let packet =
      anchor.packetSigma.map { $0 * $0 } ?? min(packetNoise * packetNoise, variance / 2)
    return (variance - packet, packet)
  }

  /// The variances in dB² of what lasts for some way, of what lasts for a step, and of one packet.
  ///
  /// Packets of a channel share the fading of their place: what the packets do not show of it lasts
  /// for a step; half of it where the calibration does not show the packets' own error.
  static func fadingParts(of anchor: Anchor) -> (far: Double, near: Double, packet: Double) {
    let (shadowing, packet) = parts(of: anchor)
    let own = anchor.packetSigma == nil ? packet / 2 : packet
    let shared = shadowing + packet - own
    let near = min(max(fading - own, leastNear), shared / 2)
    return (shared - near, near, own)
  }
}
