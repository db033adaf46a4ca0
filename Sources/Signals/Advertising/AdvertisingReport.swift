/// One advertising report, legacy or extended, as a controller stated it to its host.
///
/// The advertising data travel beside it as a `Span<UInt8>`, so that a report costs no allocation.
/// Legacy reports are written in the form of extended ones (Bluetooth Core Specification 5.4,
/// volume 4, part E, sections 7.7.65.2 and 7.7.65.13), so that the rest of the program knows one
/// form.
public struct AdvertisingReport: Equatable, Sendable {
  /// When the host received it, in nanoseconds since the Unix epoch (UTC).
  public var time: Int64
  /// Which adapter of the recording heard it: the index of a monitor recording, else 0.
  public var adapter: UInt16 = 0
  /// The address that advertised.
  public var address: DeviceAddress
  /// Received power in dBm; NaN where the controller did not measure it (127) or stated nonsense.
  public var rssi: Float
  /// Bits 0 connectable, 1 scannable, 2 directed, 3 scan response, 4 legacy PDU; others as
  /// received.
  public var eventType: UInt16
  /// Radio channel index (37, 38, 39 for legacy advertising), 255 where the source cannot know.
  public var channel: UInt8 = 255
  /// 1 LE 1M, 3 LE Coded.
  public var primaryPHY: UInt8 = 1
  /// 0 none, 1 LE 1M, 2 LE 2M, 3 LE Coded.
  public var secondaryPHY: UInt8 = 0
  /// Advertising set identifier, 255 where there is none.
  public var sid: UInt8 = 0xFF
  /// Transmit power the advertiser states in its header, in dBm; 127 where it states none.
  public var txPower: Int8 = 127
  /// 0 complete, 1 incomplete with more to come that never came, 2 truncated by the controller,
  /// 3 a sniffer received it with a wrong checksum.
  public var dataStatus: UInt8 = 0

  public init(time: Int64, address: DeviceAddress, rssi: Float, eventType: UInt16) {
    self.time = time
    self.address = address
    self.rssi = rssi
    self.eventType = eventType
  }
}
