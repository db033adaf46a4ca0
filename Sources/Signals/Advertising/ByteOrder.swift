/// Numbers at an offset of checked bytes; an offset outside traps, so callers check lengths first.
extension Span where Element == UInt8 {
  /// Returns a 16-bit number, least significant byte first, as in HCI and in AD structures.
  @inline(__always)
  func littleEndian16(at offset: Int) -> UInt16 {
    UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
  }

  /// Returns a 24-bit number, least significant byte first.
  func littleEndian24(at offset: Int) -> UInt32 {
    UInt32(littleEndian16(at: offset)) | UInt32(self[offset + 2]) << 16
  }

  /// Returns a 32-bit number, least significant byte first.
  @inline(__always)
  func littleEndian32(at offset: Int) -> UInt32 {
    UInt32(littleEndian16(at: offset)) | UInt32(littleEndian16(at: offset + 2)) << 16
  }

  /// Returns a 16-bit number, most significant byte first, as in iBeacon and Eddystone frames.
  func bigEndian16(at offset: Int) -> UInt16 {
    UInt16(self[offset]) << 8 | UInt16(self[offset + 1])
  }

  /// Returns a 32-bit number, most significant byte first.
  func bigEndian32(at offset: Int) -> UInt32 {
    UInt32(bigEndian16(at: offset)) << 16 | UInt32(bigEndian16(at: offset + 2))
  }

  /// Returns a device address as HCI sends it: six bytes, least significant first.
  @inline(__always)
  func deviceAddressBits(at offset: Int) -> UInt64 {
    // Checked once, so that the compiler loads them at once.
    let bytes = extracting(offset..<offset + 6)
    return UInt64(bytes.littleEndian32(at: 0)) | UInt64(bytes.littleEndian16(at: 4)) << 32
  }
}

extension FixedWidthInteger {
  /// The bytes of the number, most significant first.
  var bigEndianBytes: [UInt8] {
    stride(from: Self.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: self >> $0)
    }
  }
}
