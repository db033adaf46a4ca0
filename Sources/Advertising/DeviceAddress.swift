/// A Bluetooth device address: 48 bits and what kind of address they are.
///
/// Source: Bluetooth Core Specification 5.4, volume 6, part B, section 1.3.
public struct DeviceAddress: Hashable, Sendable {
  /// The 48 bits, most significant byte first as printed: `AA:BB:CC:DD:EE:FF` is `0xAABBCCDDEEFF`.
  public var bits: UInt64
  /// The controller's address type: 0 public, 1 random, 2 public identity, 3 random identity,
  /// 255 anonymous (an extended advertisement that carries no address).
  public var type: UInt8

  public init(bits: UInt64, type: UInt8) {
    self.bits = bits & 0xFFFF_FFFF_FFFF
    self.type = type
  }

  /// The address type of an advertisement without an address.
  public static let anonymousType: UInt8 = 0xFF
}

extension DeviceAddress: CustomStringConvertible {
  /// The address as people write it, `AA:BB:CC:DD:EE:FF`.
  public var description: String {
    var text = ""
    text.reserveCapacity(17)
    for shift in stride(from: UInt64(40), through: 0, by: -8) {
      let byte = UInt8(truncatingIfNeeded: bits >> shift)
      if !text.isEmpty { text += ":" }
      text += hexadecimalByte(byte)
    }
    return text
  }
}

/// Two upper-case hexadecimal digits.
func hexadecimalByte(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 16, uppercase: true)
  return digits.count == 1 ? "0" + digits : digits
}
