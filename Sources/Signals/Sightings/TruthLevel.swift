/// The true mean level of a link at an instant; linear in between.
///
/// The mean is over what differs from packet to packet and from channel to channel: what a filter
/// should recover. Rows of a link may come in any order of time.
package struct TruthLevel: Equatable, Sendable {
  /// Nanoseconds since the Unix epoch.
  package var time: Int64
  package var beacon: UInt32
  package var receiver: UInt16
  package var trace: UInt16
  /// dBm, -127 to 20.
  package var rssi: Float

  package init(time: Int64, beacon: UInt32, receiver: UInt16, trace: UInt16, rssi: Float) {
    self.time = time
    self.beacon = beacon
    self.receiver = receiver
    self.trace = trace
    self.rssi = rssi
  }

  /// A true level, or NaN outside -127 to 20 dBm. Unlike one that is received it may be 0.
  package static func usable(_ rssi: Float) -> Float { rssi == 0 ? 0 : level(rssi) }
}
