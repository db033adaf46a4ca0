/// One advertising report, legacy or extended, as a controller sent it to its host.
///
/// The advertising data are passed separately as a `Span<UInt8>`, so that a report costs no
/// allocation. Legacy reports are written in the form of extended ones (Bluetooth Core
/// Specification 5.4, volume 4, part E, sections 7.7.65.2 and 7.7.65.13), so that the rest of the
/// program handles one form.
public struct AdvertisingReport: Equatable, Sendable {
  /// The time at which the host received it, in nanoseconds since the Unix epoch (UTC).
  public var time: Int64
  /// The adapter that received it: the index in a monitor recording, else 0.
  public var adapter: UInt16 = 0
  /// The address that advertised.
  public var address: DeviceAddress
  /// The received power in dBm; NaN if the controller did not measure it (127) or reported an
  /// invalid value.
  public var rssi: Float
  /// The event type: bits 0 connectable, 1 scannable, 2 directed, 3 scan response, 4 legacy PDU;
  /// others as received.
  public var eventType: UInt16
  /// The radio channel index (37, 38, 39 for legacy advertising), 255 if it is unknown.
  public var channel: UInt8 = 255
  /// The layer of the first PDU: 1 LE 1M, 3 LE Coded.
  public var primaryPHY: UInt8 = 1
  /// The layer of the second PDU: 0 none, 1 LE 1M, 2 LE 2M, 3 LE Coded.
  public var secondaryPHY: UInt8 = 0
  /// The advertising set identifier, 255 if there is none.
  public var sid: UInt8 = 0xFF
  /// The transmit power in the advertiser's header, in dBm; 127 if there is none.
  public var txPower: Int8 = 127
  /// The completeness of the data: 0 complete, 1 incomplete because the rest never came, 2
  /// truncated by the controller, 3 received by a sniffer with a wrong checksum.
  public var dataStatus: UInt8 = 0
  /// The direction from which it was received; unknown but for receivers with several antennas.
  public var angle = Angle()

  /// Creates a report; the time is in nanoseconds since the Unix epoch, and the level in dBm.
  public init(time: Int64, address: DeviceAddress, rssi: Float, eventType: UInt16) {
    self.time = time
    self.address = address
    self.rssi = rssi
    self.eventType = eventType
  }
}

/// The direction of a beacon from a receiver with several antennas, in degrees of the receiver's own
/// frame.
public struct Angle: Hashable, Sendable {
  /// The angle to the side, in degrees; NaN if it is unknown.
  public var azimuthDeg: Float
  /// The angle upwards, in degrees; NaN if it is unknown.
  public var elevationDeg: Float

  /// Creates a direction from angles in degrees; NaN if they are unknown.
  public init(azimuthDeg: Float = .nan, elevationDeg: Float = .nan) {
    self.azimuthDeg = azimuthDeg
    self.elevationDeg = elevationDeg
  }

  /// A Boolean value that is true if one of the angles is known.
  package var isKnown: Bool { !azimuthDeg.isNaN || !elevationDeg.isNaN }

  /// Returns a direction if its angles are possible, or `nil`.
  package static func possible(azimuthDeg: Float, elevationDeg: Float) -> Angle? {
    // Not abs(), which calls the C library's fabsf: this module links without it.
    guard azimuthDeg.isNaN || -360...360 ~= azimuthDeg,
      elevationDeg.isNaN || -90...90 ~= elevationDeg
    else { return nil }
    return Angle(azimuthDeg: azimuthDeg, elevationDeg: elevationDeg)
  }

  /// Returns a Boolean value that is true if two directions are equal, or both unknown.
  public static func == (a: Angle, b: Angle) -> Bool {
    a.azimuthDeg.bitPattern == b.azimuthDeg.bitPattern
      && a.elevationDeg.bitPattern == b.elevationDeg.bitPattern
  }

  /// Hashes the bits of both angles.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(azimuthDeg.bitPattern)
    hasher.combine(elevationDeg.bitPattern)
  }
}

/// A receiver of advertising reports: a store, a counter, a test.
public protocol ReportSink: ~Copyable {
  /// Receives one report with its advertising data (0 to 1650 bytes), which are valid only during
  /// the call.
  ///
  /// - Throws: An error that stops the reading, such as a full disk; the reader rethrows it.
  mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws
}

/// The received power in HCI's encoding: one signed byte, -127 to 20 dBm, 127 if it is not
/// available.
///
/// Source: Bluetooth Core Specification 5.4, volume 4, part E, section 7.7.65.2.
enum SignalStrength {
  /// Returns the dBm of a byte; NaN for 127 and for values that no radio measures, so that no
  /// sentinel is averaged.
  static func decode(_ byte: UInt8) -> Float {
    let value = Int8(bitPattern: byte)
    return value >= -127 && value <= 20 ? Float(value) : .nan
  }

  /// Returns the byte of a power in dBm, rounded half away from zero; 127 for NaN or values outside
  /// -127..20.
  static func encode(_ rssi: Float) -> UInt8 {
    // Not rounded(), which calls the C library's roundf: this module links without it.
    let value = rssi < 0 ? rssi - 0.5 : rssi + 0.5
    return value > -128 && value < 21 ? UInt8(bitPattern: Int8(value)) : 127
  }
}

/// The 40 radio channels of Bluetooth LE: 37, 38 and 39 are those of advertising, 0 to 36 the
/// others.
///
/// Source: Bluetooth Core Specification 5.4, volume 6, part B, section 1.4.1.
package enum RadioChannel {
  /// Returns the channel of a frequency, or `nil` if it has none.
  package static func index(megahertz: Double) -> UInt8? {
    UInt8(exactly: (megahertz - 2402) / 2).map(index(ofRF:)).flatMap { $0 == 255 ? nil : $0 }
  }

  /// Returns the channel of an RF channel, 0 to 39 in order of frequency, or 255 if there is none.
  static func index(ofRF number: UInt8) -> UInt8 {
    switch number {
    case 0: 37
    case 1...11: number - 1
    case 12: 38
    case 13...38: number - 2
    case 39: 39
    default: 255
    }
  }
}
