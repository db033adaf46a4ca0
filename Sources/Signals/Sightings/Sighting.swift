/// One advertising report, with its RSSI, at one receiver: a row of a trace.
///
/// Who and what are dense indices into the tables of a `Catalogue`, so that a row costs 46 bytes
/// and no stage needs a dictionary in its inner loop.
public struct Sighting: Equatable, Sendable {
  /// Nanoseconds since the Unix epoch (UTC).
  public var time: Int64
  public var beacon: UInt32
  /// Index of the address, `none` where the source shows none.
  public var advertiser: UInt32 = Sighting.none
  public var receiver: UInt16
  public var trace: UInt16
  /// dBm; NaN = not available.
  public var rssi: Float
  /// As in `AdvertisingReport`; `unknownEventType` where the source shows none.
  public var eventType: UInt16 = Sighting.unknownEventType
  /// 255 = unknown.
  public var channel: UInt8 = 255
  public var primaryPHY: UInt8 = 0
  public var secondaryPHY: UInt8 = 0
  public var sid: UInt8 = 0xFF
  /// dBm; 127 = not stated.
  public var txPower: Int8 = 127
  public var dataStatus: UInt8 = 0
  /// Index of the advertising data, `none` where the source shows none.
  public var payload: UInt32 = Sighting.none
  /// Index of the stay at a known distance that this sighting belongs to, or `none`.
  public var dwell: UInt32 = Sighting.none

  public init(
    time: Int64, beacon: UInt32, receiver: UInt16, trace: UInt16, rssi: Float
  ) {
    self.time = time
    self.beacon = beacon
    self.receiver = receiver
    self.trace = trace
    self.rssi = rssi
  }

  /// The index that stands for "there is none".
  public static let none = UInt32.max
  /// The event type of a sighting from a table, which has none.
  public static let unknownEventType = UInt16.max
}
