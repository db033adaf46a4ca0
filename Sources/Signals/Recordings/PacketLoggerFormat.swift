internal import Advertising

/// The file format of Apple's PacketLogger; there is no header, only records.
///
/// | offset | bytes | record |
/// |---|---|---|
/// | 0 | 4 | length of what follows |
/// | 4 | 4 | seconds since the Unix epoch |
/// | 8 | 4 | microseconds |
/// | 12 | 1 | type: 1 is an HCI event |
/// | 13 | n | the packet, without H4 type byte |
///
/// Numbers are big endian or little endian, alike in the whole file: the first length shows which,
/// because no length makes sense both ways.
///
/// Source: Wireshark, wiretap/packetlogger.c and epan/dissectors/packet-packetlogger.c.
enum PacketLoggerFormat {
  static let headerLength = 12
  /// The lengths that a record may state.
  static let lengths = 8...65_535
  /// Commands, events, data, link manager packets and the logs of macOS.
  static let types = Set<UInt8>([0, 1, 2, 3, 8, 9, 0x0A, 0x0B]).union(0xF7...0xFE)

  /// What a packet of a type is; nil for an HCI event.
  static func kind(of type: UInt8) -> PacketKind? {
    switch type {
    case 0: .command
    case 1: nil
    case 2, 3: .aclData
    case 8, 9: .scoData
    case 0x0A, 0x0B: .linkManager
    case 0xF7...0xFE: .log
    default: .unknownType
    }
  }

  /// Whether the header of a record such as PacketLogger writes is at the beginning of some bytes, 13 of
  /// which are there.
  static func isRecord(_ bytes: Span<UInt8>, isBigEndian: Bool) -> Bool {
    let length = bytes.number(at: 0, isBigEndian: isBigEndian)
    return lengths.contains(Int(length))
      && bytes.number(at: 8, isBigEndian: isBigEndian) < 1_000_000
      && (length == 8 || types.contains(bytes[12]))
  }

  /// Whether numbers are big endian; nil where the first length makes sense in neither order.
  static func isBigEndian(firstLength bytes: Span<UInt8>) -> Bool? {
    let number = bytes.bigEndian32(at: 0)
    if lengths.contains(Int(number)) { return true }
    return lengths.contains(Int(number.byteSwapped)) ? false : nil
  }
}
