/// Returns Bob Jenkins' lookup3 ("hashlittle", 2006), HDF5's checksum of metadata.
func metadataChecksum(_ bytes: [UInt8]) -> UInt32 {
  var checksum = MetadataChecksum(count: bytes.count)
  return bytes.withUnsafeBytes { checksum.take($0) }
}

/// The state of the checksum after some of the bytes, three words at a time.
struct MetadataChecksum {
  private var a: UInt32
  private var b: UInt32
  private var c: UInt32

  /// - Parameter count: The total number of bytes.
  init(count: Int) {
    a = 0xDEAD_BEEF &+ UInt32(truncatingIfNeeded: count)
    (b, c) = (a, a)
  }

  /// Adds 12 bytes that are not the last.
  mutating func takeBlock(_ bytes: UnsafeRawBufferPointer, at place: Int) {
    add(bytes, at: place, count: 12)
    mix(4)
    swap()
    mix(6)
    swap()
    mix(8)
    swap()
    mix(16)
    swap()
    mix(19)
    swap()
    mix(4)
    swap()
  }

  /// Adds the remaining bytes.
  ///
  /// - Returns: The checksum of all bytes.
  mutating func take(_ bytes: UnsafeRawBufferPointer, from start: Int = 0) -> UInt32 {
    guard !bytes.isEmpty else { return c }
    var place = start
    while bytes.count - place > 12 {
      takeBlock(bytes, at: place)
      place += 12
    }
    add(bytes, at: place, count: bytes.count - place)
    func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
    c = (c ^ b) &- rotated(b, 14)
    a = (a ^ c) &- rotated(c, 11)
    b = (b ^ a) &- rotated(a, 25)
    c = (c ^ b) &- rotated(b, 16)
    a = (a ^ c) &- rotated(c, 4)
    b = (b ^ a) &- rotated(a, 14)
    return (c ^ b) &- rotated(b, 24)
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer, at place: Int, count: Int) {
    func word(_ number: Int) -> UInt32 {
      let (first, rest) = (place + 4 * number, count - 4 * number)
      if rest >= 4 {
        return UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: first, as: UInt32.self))
      }
      var word: UInt32 = 0
      for index in 0..<max(0, rest) { word |= UInt32(bytes[first + index]) << (8 * UInt32(index)) }
      return word
    }
    a &+= word(0)
    b &+= word(1)
    c &+= word(2)
  }

  /// Performs one line of the macro `mix`: subtracts the last word from the first, and adds the
  /// second to the last.
  private mutating func mix(_ count: UInt32) {
    a = (a &- c) ^ (c << count | c >> (32 - count))
    c &+= b
  }

  /// Permutes the words for the next line: b, c, a.
  private mutating func swap() { (a, b, c) = (b, c, a) }
}
