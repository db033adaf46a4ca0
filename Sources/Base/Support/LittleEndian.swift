extension FixedWidthInteger {
  /// The bytes of the number, the least significant first.
  package var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian, Array.init) }
}

/// The number whose bytes these are, the least significant first; at most eight.
package func littleEndian(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
  bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
}
