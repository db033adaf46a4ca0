/// A Bluetooth device address: 48 bits and the type of the address.
///
/// Source: Bluetooth Core Specification 5.4, volume 6, part B, section 1.3.
public struct DeviceAddress: Hashable, Sendable {
  /// The 48 bits, most significant byte first as printed: `AA:BB:CC:DD:EE:FF` is `0xAABBCCDDEEFF`.
  public var bits: UInt64
  /// The controller's address type: 0 public, 1 random, 2 public identity, 3 random identity,
  /// 255 anonymous (an extended advertisement that carries no address).
  public var type: UInt8

  /// Creates an address from its lower 48 bits and the controller's address type.
  public init(bits: UInt64, type: UInt8) {
    self.bits = bits & 0xFFFF_FFFF_FFFF
    self.type = type
  }

  /// The address type of an advertisement without an address.
  public static let anonymousType: UInt8 = 0xFF
}

extension DeviceAddress {
  /// Creates an address of type public from a text, or returns `nil` for other texts.
  ///
  /// Twelve hexadecimal digits in either case: in pairs (`AA:BB:CC:DD:EE:FF`, also with `-`, `.`,
  /// `_` or spaces), in fours (`aabb.ccdd.eeff`), or without separators. A prefix `addr:`, `mac:`
  /// or `0x` and a suffix `(random)` or `(public)` are allowed.
  public init?(_ text: String) {
    // The longest is "addr:0xAA:BB:CC:DD:EE:FF (random static)".
    guard (12...48).contains(text.utf8.count) else { return nil }
    var rest = text[...].trimmed
    for prefix in ["addr:", "mac:", "0x"] where rest.hasASCIIPrefix(prefix) {
      rest = rest.dropFirst(prefix.count)
    }
    if rest.last == ")", let bracket = rest.lastIndex(of: "(") {
      let kind = rest[rest.index(after: bracket)...].dropLast()
      guard ["random", "public", "static"].contains(where: kind.hasASCIIPrefix) else { return nil }
      rest = rest[..<bracket].trimmed
    }
    let digits = Array(rest.utf8)
    // The number of digits between separators.
    let width: Int
    switch digits.count {
    case 12: width = 12
    case 14: width = 4
    case 17: width = 2
    default: return nil
    }
    var bits: UInt64 = 0
    for (index, digit) in digits.enumerated() {
      if index % (width + 1) == width {
        guard digit == digits[width], ":-._ ".utf8.contains(digit) else { return nil }
      } else {
        guard let value = hexadecimalValue(digit) else { return nil }
        bits = bits << 4 | UInt64(value)
      }
    }
    self.init(bits: bits, type: 0)
  }
}

extension DeviceAddress: CustomStringConvertible {
  /// The address in its usual form, `AA:BB:CC:DD:EE:FF`.
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
