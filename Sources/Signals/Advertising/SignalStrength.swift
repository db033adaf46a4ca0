/// Received power as HCI codes it: one signed byte, -127 to 20 dBm, 127 where it is not available.
///
/// Source: Bluetooth Core Specification 5.4, volume 4, part E, section 7.7.65.2.
enum SignalStrength {
  /// dBm of a byte; NaN for 127 and for values no radio measures, so that no one averages a
  /// sentinel.
  static func decode(_ byte: UInt8) -> Float {
    let value = Int8(bitPattern: byte)
    return value >= -127 && value <= 20 ? Float(value) : .nan
  }

  /// The byte of a power in dBm, rounded half away from zero; 127 where it is NaN or outside
  /// -127..20.
  static func encode(_ rssi: Float) -> UInt8 {
    // Not rounded(), which calls the C library's roundf: this module links without it.
    let value = rssi < 0 ? rssi - 0.5 : rssi + 0.5
    return value > -128 && value < 21 ? UInt8(bitPattern: Int8(value)) : 127
  }
}
