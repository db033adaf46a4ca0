extension FixedWidthInteger {
  /// The bytes of the number, the least significant first.
  package var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian, Array.init) }
}

/// Returns the number whose little-endian bytes these are, at most eight.
package func littleEndian(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
  bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
}

/// Returns bytes as hexadecimal digits, two per byte.
package func hexadecimal(
  _ bytes: some Sequence<UInt8>, uppercase: Bool = false, separator: String = ""
) -> String {
  bytes.map { byte in
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: uppercase)
  }.joined(separator: separator)
}
