import RealModule

/// How a signal weakens between a beacon and the receiver.
package struct Propagation: Hashable, Sendable {
  /// Mean RSSI at 1 m over all beacons ever made, in dBm.
  package var measuredPower = -59.0
  /// Standard deviation of one beacon's own RSSI at 1 m about that mean, in dB.
  package var measuredPowerDeviation = 1.0
  /// Path-loss exponent; 2 in free space.
  package var exponent = 2.0
  /// Standard deviation of the shadowing of a link, in dB.
  package var shadowingDeviation = 4.0
  /// Correlation distance of the shadowing, in metres walked.
  package var shadowingDistance = 2.0
  /// Standard deviation of the fading that differs from channel to channel of a link, in dB.
  package var fadingDeviation = 2.5
  /// Correlation distance of that fading, in metres walked.
  package var fadingDistance = 0.3
  /// Standard deviation from packet to packet of what a receiver reports, in dB.
  package var noiseDeviation = 1.5

  /// An office with few walls.
  package init() {}

  /// Distances below this one, in metres, count as this one: the law has no finite value at 0.
  package static let nearestDistance = 0.1

  /// Level in dBm at a distance in metres by the log-distance law: P - 10 n log10 d.
  ///
  /// Source: Rappaport, "Wireless Communications", second edition (2002), section 4.9.
  package func level(of measuredPower: Double, at distance: Double) -> Double {
    measuredPower - 10 * exponent * Double.log10(max(distance, Self.nearestDistance))
  }
}
