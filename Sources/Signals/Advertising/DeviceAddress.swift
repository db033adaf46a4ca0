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
    hexadecimal([6 of UInt8](bigEndian: bits), separator: UInt8(ascii: ":"))
  }
}

extension InlineArray where Element == UInt8 {
  /// The low bytes of a number, most significant first.
  init(bigEndian number: UInt64) {
    var rest = number
    self.init(repeating: 0)
    for index in indices.reversed() {
      self[index] = UInt8(truncatingIfNeeded: rest)
      rest >>= 8
    }
  }
}
