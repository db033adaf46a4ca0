internal import Support

/// A search for the records of a segment whose lengths do not lead from its beginning to its end.
///
/// After a record that fails verification, the next valid one is searched by its checksum. The
/// bytes between are one record with a damaged length, if they verify as such, and are lost
/// otherwise.
struct SpoolScan {
  /// A record, or several that are lost.
  struct Entry {
    var index: UInt64
    var offset: Int
    /// The index and the offset of the next entry.
    var next: (index: UInt64, offset: Int)
    var isWhole: Bool
  }

  private var entries: [Entry] = []
  /// The positions in `entries`, by the index of their record.
  private var places: [UInt64: Int] = [:]
  /// A Boolean value that is true if the bytes end within a record, as after the kill of a writing
  /// process.
  private(set) var isCut = false
  /// The number of records that are intact except for their length.
  private(set) var mended = 0

  private let bytes: [UInt8]
  private let checksum: (UInt64, ArraySlice<UInt8>) -> [UInt8]
  /// The remaining bytes that the search may hash, which limits it in a file of false beginnings.
  private var budget = 1 << 28

  /// - Parameters:
  ///   - bytes: the whole segment.
  ///   - checksum: the checksum of a record, by its index and content.
  init(_ bytes: [UInt8], checksum: @escaping (UInt64, ArraySlice<UInt8>) -> [UInt8]) {
    (self.bytes, self.checksum) = (bytes, checksum)
    var (index, offset) = (UInt64(0), SpoolSegment.headerLength)
    while offset < bytes.count {
      if let end = declaredEnd(at: offset), verifies(index, offset, end) {
        add(index, offset, (index + 1, end), isWhole: true)
        (index, offset) = (index + 1, end)
        continue
      }
      let next = nextRecord(behind: index, offset)
      let end = next?.offset ?? bytes.count
      let isMended =
        next?.index ?? index + 1 == index + 1
        && end - offset >= SpoolSegment.recordHeaderLength && verifies(index, offset, end)
      if isMended {
        mended += 1
      } else if next == nil, declaredEnd(at: offset) == nil, isBeginning(at: offset) {
        isCut = true
        break
      }
      let following = next ?? (index + 1, end)
      add(index, offset, following, isWhole: isMended)
      (index, offset) = following
    }
  }

  func entry(at index: UInt64) -> Entry? { places[index].map { entries[$0] } }

  private mutating func add(
    _ index: UInt64, _ offset: Int, _ next: (index: UInt64, offset: Int), isWhole: Bool
  ) {
    places[index] = entries.count
    entries.append(Entry(index: index, offset: offset, next: next, isWhole: isWhole))
  }

  /// Returns the end of a record by its length; nil if it is beyond the bytes.
  private func declaredEnd(at offset: Int) -> Int? {
    guard offset + SpoolSegment.recordHeaderLength <= bytes.count else { return nil }
    let count = littleEndian(bytes[offset..<offset + 4])
    guard count <= UInt64(SpoolSegment.longestRecord) else { return nil }
    let end = offset + SpoolSegment.recordHeaderLength + Int(count)
    return end <= bytes.count ? end : nil
  }

  /// Returns a Boolean value that is true if the rest can be the beginning of a record of a valid
  /// length.
  private func isBeginning(at offset: Int) -> Bool {
    bytes.count - offset < SpoolSegment.recordHeaderLength
      || littleEndian(bytes[offset..<offset + 4]) <= UInt64(SpoolSegment.longestRecord)
        && hasChecksum(at: offset)
  }

  /// Returns a Boolean value that is true if a checksum, in hexadecimal digits, can be at an
  /// offset.
  private func hasChecksum(at offset: Int) -> Bool {
    bytes[offset + 4..<offset + SpoolSegment.recordHeaderLength].allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }
  }

  private mutating func verifies(_ index: UInt64, _ offset: Int, _ end: Int) -> Bool {
    let content = bytes[offset + SpoolSegment.recordHeaderLength..<end]
    budget -= content.count
    guard budget > 0 else { return false }
    return bytes[offset + 4..<offset + SpoolSegment.recordHeaderLength]
      .elementsEqual(checksum(index, content))
  }

  /// Returns the next record that verifies.
  private mutating func nextRecord(
    behind index: UInt64, _ offset: Int
  ) -> (index: UInt64, offset: Int)? {
    for candidate in offset + 1..<max(offset + 1, bytes.count) {
      guard let end = declaredEnd(at: candidate), hasChecksum(at: candidate) else { continue }
      // The maximum number of records that fit between.
      let most = UInt64((candidate - offset) / SpoolSegment.recordHeaderLength) + 1
      for number in index + 1...index + most where budget > 0 {
        if verifies(number, candidate, end) { return (number, candidate) }
      }
    }
    return nil
  }
}
