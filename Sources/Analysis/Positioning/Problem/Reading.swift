/// What one anchor was heard at in a short time: a packet, or the mean of some.
public struct Reading: Equatable, Sendable {
  /// Nanoseconds since the Unix epoch.
  public var time: Int64
  /// The anchor's number: its place in ``Surroundings/anchors``.
  public var anchor: Int
  /// The level, dBm.
  public var rssi: Double
  /// How many packets are behind it.
  public var packets: Int

  public init(time: Int64, anchor: Int, rssi: Double, packets: Int = 1) {
    self.time = time
    self.anchor = anchor
    self.rssi = rssi
    self.packets = packets
  }
}
