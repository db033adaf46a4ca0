import Support

/// The index of a dataset's chunks, as far as its blocks reached the disk (section VII.D).
///
/// An index block has the first addresses, then those of data blocks, then those of secondary
/// blocks, which have more data blocks each. Each block has a signature, a pointer to the header
/// and a checksum at its end, which is wrong if the block spans an old and a new page.
struct ExtensibleArray {
  /// The addresses of the chunks, up to the first missing one.
  private(set) var chunks: [UInt64] = []
  private let file: TornFile
  private let address: UInt64
  private let header: [UInt8]

  /// Finds the chunks, and corrects the index up to them.
  ///
  /// - Parameters:
  ///   - address: The address of the index header.
  ///   - parameters: The parameters of the array from the header of the dataset: bits of a count,
  ///     elements in the index block, least pointers of a secondary block, least elements of a data
  ///     block, bits of a page.
  ///   - chunkLength: The size of a chunk in bytes; `nil` if chunks differ in size.
  ///   - most: The largest number of chunks needed.
  init?(
    at address: UInt64, _ parameters: [UInt8], in file: TornFile, chunkLength: Int?, most: Int
  ) throws(RSSIError) {
    guard let header = file.bytes(address, Self.headerLength),
      header.starts(with: "EAHD".utf8), header[4] == 0,
      chunkLength == nil
        ? header[5] == 1 && 13...20 ~= header[6] : header[5] == 0 && header[6] == 8,
      header[7] == parameters[0], header[8] == parameters[1], header[9] == parameters[3],
      header[10] == parameters[2], header[11] == parameters[4],
      header[7] <= 32, header[9].nonzeroBitCount == 1, header[10].nonzeroBitCount == 1,
      header[11] < 16
    else { return nil }
    (self.file, self.address, self.header) = (file, address, header)
    try find(chunkLength ?? 1, most)
    // HDF5 does not look at anything beyond.
    try file.write(UInt64(chunks.count), at: address + 44)
    try file.mendChecksum(of: address, Self.headerLength)
  }

  private static let headerLength = 72

  private var width: Int { Int(header[6]) }
  private var inIndex: Int { Int(header[8]) }
  private var smallest: Int { Int(header[9]) }
  private var pointers: Int { Int(header[10]) }
  private var largestPage: Int { 1 << Int(header[11]) }
  /// The size of the common head of blocks, in bytes.
  private var headLength: Int { 14 }
  private var offsetLength: Int { (Int(header[7]) + 7) / 8 }

  private mutating func find(_ chunkLength: Int, _ most: Int) throws(RSSIError) {
    let secondary = 1 + Int(header[7]) - smallest.trailingZeroBitCount
    let direct = 2 * pointers.trailingZeroBitCount
    guard secondary >= direct, inIndex > 0 else { return }
    let blocks = 2 * (pointers - 1)
    let start = headLength + inIndex * width
    let index = header.number(60, 8)
    guard
      let block = try block(
        "EAIB", index, start + 8 * (blocks + secondary - direct) + 4)
    else { return }
    guard take(block, headLength, inIndex, chunkLength, most) else { return }
    var next = start
    for level in 0..<secondary {
      let (count, length) = (1 << (level / 2), smallest << ((level + 1) / 2))
      // Data blocks of several pages occur only in traces of a billion rows.
      guard length <= largestPage else { return }
      var (list, place) = (block, next)
      if level >= direct {
        guard
          let second = try self.block(
            "EASB", block.number(next, 8), headLength + offsetLength + 8 * count + 4)
        else { return }
        (list, place) = (second, headLength + offsetLength)
        next += 8
      } else {
        next += 8 * count
      }
      for number in 0..<count {
        guard
          let data = try self.block(
            "EADB", list.number(place + 8 * number, 8),
            headLength + offsetLength + length * width + 4),
          take(data, headLength + offsetLength, length, chunkLength, most)
        else { return }
      }
    }
  }

  /// Returns a block of the index after correcting its checksum, or `nil` if it did not reach the
  /// disk.
  private func block(
    _ signature: String, _ address: UInt64, _ count: Int
  ) throws(RSSIError) -> [UInt8]? {
    guard let block = file.bytes(address, count), block.starts(with: signature.utf8),
      block[4] == 0, block[5] == header[5], block.number(6, 8) == self.address
    else { return nil }
    try file.mendChecksum(of: address, count)
    return block
  }

  /// Reads addresses from a block; returns `false` at the first invalid one.
  private mutating func take(
    _ block: [UInt8], _ place: Int, _ count: Int, _ chunkLength: Int, _ most: Int
  ) -> Bool {
    for number in 0..<count {
      let chunk = block.number(place + number * width, 8)
      guard chunks.count < most, chunk > 0, chunk < UInt64(file.length),
        chunkLength <= file.length - Int(chunk)
      else { return false }
      chunks.append(chunk)
    }
    return true
  }
}
