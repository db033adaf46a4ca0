/// The btsnoop file format; all numbers are big endian.
///
/// | offset | bytes | file header |
/// |---|---|---|
/// | 0 | 8 | `btsnoop` and a zero |
/// | 8 | 4 | version, 1 |
/// | 12 | 4 | datalink |
///
/// | offset | bytes | record |
/// |---|---|---|
/// | 0 | 4 | length of the packet |
/// | 4 | 4 | length of what is recorded of it |
/// | 8 | 4 | flags, see `BTSnoopDatalink` |
/// | 12 | 4 | packets dropped since the start, a running count |
/// | 16 | 8 | microseconds since the year 0; `epoch` is 1970 |
/// | 24 | n | the packet |
///
/// Source: BlueZ, src/shared/btsnoop.h; Wireshark, wiretap/btsnoop.c; RFC 1761 for the original.
enum BTSnoopFormat {
  static let magic: [UInt8] = Array("btsnoop\0".utf8)
  static let version: UInt32 = 1
  static let headerLength = 16
  static let recordHeaderLength = 24
  /// The longest packet: one of ACL data, 65535 bytes after a header of four, and a type byte.
  static let maximumLength = 65_540
  /// 1 January 1970 in the microseconds of the format.
  static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000
}

/// The kind of flags and packets in a btsnoop file.
package enum BTSnoopDatalink: UInt32, Sendable {
  /// HCI without type byte; flags: bit 0 received, bit 1 command or event.
  case hci = 1001
  /// HCI with the H4 type byte first (4 event); flags as above.
  case h4 = 1002
  /// Linux monitor; flags: adapter index in the high 16 bits, opcode in the low ones (3 event).
  case monitor = 2001
}

extension Span where Element == UInt8 {
  /// A 32-bit number, most significant byte first.
  @inline(__always)
  func bigEndian32(at offset: Int) -> UInt32 {
    // Checked once, so that the compiler loads them at once.
    let bytes = extracting(offset..<offset + 4)
    return UInt32(bytes[0]) << 24 | UInt32(bytes[1]) << 16 | UInt32(bytes[2]) << 8
      | UInt32(bytes[3])
  }

  /// A 64-bit number, most significant byte first.
  @inline(__always)
  func bigEndian64(at offset: Int) -> UInt64 {
    UInt64(bigEndian32(at: offset)) << 32 | UInt64(bigEndian32(at: offset + 4))
  }
}

extension [UInt8] {
  /// Appends a number, most significant byte first.
  mutating func append(bigEndian number: some FixedWidthInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
