/// When beacons advertise and what of it a receiver hears.
package struct PacketReception: Hashable, Sendable {
  /// Advertising interval, in seconds, without the random delay.
  package var advertisingInterval = 0.1
  /// Upper end of the uniform random delay added to each interval, in seconds.
  ///
  /// Source: advDelay of the Bluetooth Core Specification 5.4, volume 6, part B, section 4.4.2.2.1.
  package var advertisingDelay = 0.01
  /// How long the receiver listens on one of the channels 37, 38 and 39 before the next, in
  /// seconds.
  package var scanInterval = 0.1
  /// How long the receiver scans from one pause to the next, in seconds.
  package var scanOn = 1.0
  /// How long each pause is, in which no packet is heard, in seconds; 0 scans without a pause.
  package var scanOff = 0.0
  /// Share of packets lost for reasons other than weakness.
  package var lossProbability = 0.3
  /// Level below which every packet is lost, in dBm.
  package var sensitivity = -95.0

  /// A beacon at 10 Hz and a receiver that scans without a pause.
  package init() {}

  /// The whole dBm that a controller reports for a level: rounded half away from zero, -127 to 20.
  static func reported(_ level: Double) -> Int8 {
    Int8(min(max(level.rounded(.toNearestOrAwayFromZero), -127), 20))
  }
}
