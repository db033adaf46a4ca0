/// The 24-bit checksum of link-layer packets.
///
/// Polynomial x^24 + x^10 + x^9 + x^6 + x^4 + x^3 + x + 1, from the PDU header to the end of the
/// payload, least significant bit of each byte first; it starts from 0x555555 on the advertising
/// channels.
///
/// Source: Bluetooth Core Specification 5.4, volume 6, part B, section 3.1.1.
enum LinkLayerChecksum {
  /// Bytes of the checksum behind a PDU.
  static let length = 3
  /// 0x555555 as it lies in a shift register whose bit 0 leaves first.
  private static let start: UInt32 = 0xAA_AAAA
  /// What each byte does to the register.
  private static let steps: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { register, _ in
      register >> 1 ^ (register & 1 == 1 ? 0xDA_6000 : 0)
    }
  }

  /// The checksum of a PDU, as the three bytes behind it read least significant first.
  static func of(_ pdu: Span<UInt8>) -> UInt32 {
    var register = start
    for index in pdu.indices {
      register = register >> 8 ^ steps[Int((register ^ UInt32(pdu[index])) & 0xFF)]
    }
    return register
  }
}
