internal import CBytes

/// The places of separators and line breaks in bytes, found in blocks of 64.
struct FieldEnds {
  private let separator: UInt8
  /// The start of the next block.
  private var block: Int
  /// The places in the block before it that were not returned yet, as bits.
  private var places: UInt64 = 0

  init(_ separator: UInt8, from start: Int) { (self.separator, block) = (separator, start) }

  /// Returns the next place, of which there must be one, in the same bytes as before.
  ///
  /// - Parameter bytes: At least 64 bytes.
  @inline(__always)
  mutating func next(in bytes: Span<UInt8>) -> Int {
    while places == 0 { find(in: bytes) }
    defer { places &= places - 1 }
    return block - 64 + places.trailingZeroBitCount
  }

  @inline(__always)
  private mutating func find(in bytes: Span<UInt8>) {
    precondition(block < bytes.count, "expected a line break")
    // The last block overlaps the one before it.
    let start = min(block, bytes.count - 64)
    let found = bytes.extracting(start..<start + 64).withUnsafeBufferPointer {
      cbytes_places($0.baseAddress, separator, UInt8(ascii: "\n"))
    }
    places = found >> UInt64(block - start)
    block += 64
  }
}
