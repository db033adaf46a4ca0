import Support

/// The header of a group or a dataset, version 2, with any checksums (section IV.A.1.b).
struct ObjectHeader {
  struct Message {
    var kind: UInt8
    /// The address of the message's body in the file.
    var address: UInt64
    var body: [UInt8]
  }

  private(set) var messages: [Message] = []
  /// The blocks of the header, each with a checksum at its end.
  private var blocks: [(address: UInt64, count: Int)] = []

  /// - Returns: `nil` if there is no such header.
  init?(at address: UInt64, in file: TornFile) {
    guard let head = file.bytes(address, 6), head.starts(with: "OHDR".utf8), head[4] == 2 else {
      return nil
    }
    let flags = head[5]
    // Times, and the thresholds at which the storage of attributes changes.
    let start = 6 + (flags & 0x20 != 0 ? 16 : 0) + (flags & 0x10 != 0 ? 4 : 0)
    let width = 1 << Int(flags & 3)
    guard let size = file.bytes(address + UInt64(start), width)?.number(0, width),
      size <= Self.longest
    else { return nil }
    let isOrdered = flags & 4 != 0
    var waiting = [(address, start + width, Int(size))]
    while let (block, head, count) = waiting.popLast() {
      guard blocks.count < 64, let body = file.bytes(block + UInt64(head), count) else {
        return nil
      }
      blocks.append((block, head + count + 4))
      var place = 0
      let header = isOrdered ? 6 : 4
      while place + header <= count {
        let length = Int(body.number(place + 1, 2))
        let first = place + header
        guard first + length <= count else { break }
        let message = Message(
          kind: body[place], address: block + UInt64(head + first),
          body: Array(body[first..<first + length]))
        messages.append(message)
        place = first + length
        // A continuation: a block elsewhere, with a signature in front.
        guard message.kind == 0x10, length >= 16 else { continue }
        let (next, size) = (message.body.number(0, 8), message.body.number(8, 8))
        guard 8...Self.longest ~= size, file.bytes(next, 4) == Array("OCHK".utf8) else {
          return nil
        }
        waiting.append((next, 4, Int(size) - 8))
      }
    }
  }

  private static let longest: UInt64 = 1 << 20
  /// The places of the times of the last access and of the last change, which HDF5 sets alike.
  static let changeTimes = 6...14

  /// Corrects the number of rows to match the checksum.
  ///
  /// In a growing dataset only the number of rows and the time of the last change vary. A header
  /// that spans an old and a new page has rows, time and checksum of different writes. The candidate
  /// times are those of other headers; no other damage is accepted.
  ///
  /// - Parameter most: The largest possible number of rows.
  /// - Returns: A Boolean value that is true if the header is correct.
  mutating func mendRows(in file: TornFile, most: Int) throws(RSSIError) -> Bool {
    guard let first = blocks.first,
      blocks.dropFirst().allSatisfy({ file.isWhole($0.address, $0.count) })
    else { return false }
    if file.isWhole(first.address, first.count) { return true }
    guard let rows, var block = file.bytes(first.address, first.count) else { return false }
    let sum = UInt32(block.number(block.count - 4, 4))
    block.removeLast(4)
    let place = Int(rows.address - first.address)
    guard place >= 0, place + 8 <= block.count else { return false }
    let near = min(most, Int(clamping: rows.count))
    let hasTimes = block[5] & 0x20 != 0 && place >= Self.changeTimes.upperBound + 4
    let changed = UInt32(block.number(Self.changeTimes.upperBound, 4))
    let times = hasTimes ? [changed] + file.changeTimes.filter { $0 != changed } : [0]
    let found = block.withUnsafeMutableBytes { bytes -> Int? in
      let start = place / 12 * 12
      for time in times {
        if hasTimes, time != changed {
          for place in [Self.changeTimes.lowerBound, Self.changeTimes.upperBound] {
            bytes.storeBytes(of: time.littleEndian, toByteOffset: place, as: UInt32.self)
          }
        }
        var before = MetadataChecksum(count: bytes.count)
        for block in stride(from: 0, to: start, by: 12) {
          before.takeBlock(UnsafeRawBufferPointer(bytes), at: block)
        }
        for distance in 0...max(near, most - near) {
          for count in [near - distance, near + distance] where 0...most ~= count {
            bytes.storeBytes(of: UInt64(count).littleEndian, toByteOffset: place, as: UInt64.self)
            var checksum = before
            if checksum.take(UnsafeRawBufferPointer(bytes), from: start) == sum { return count }
          }
        }
      }
      return nil
    }
    guard let found else { return false }
    try write(rows: found, in: file)
    return true
  }

  /// Changes the number of rows of a correct header.
  mutating func write(rows count: Int, in file: TornFile) throws(RSSIError) {
    guard let rows, let first = blocks.first else { return }
    try file.write(UInt64(count), at: rows.address)
    try file.mendChecksum(of: first.address, first.count)
    guard let index = messages.firstIndex(where: { $0.kind == 1 }) else { return }
    let place = Int(rows.address - messages[index].address)
    for byte in 0..<8 {
      messages[index].body[place + byte] = UInt8(truncatingIfNeeded: count >> (8 * byte))
    }
  }

  func message(_ kind: UInt8) -> Message? { messages.first { $0.kind == kind } }

  /// The rows of a one-dimensional dataset, with the address of that number (section IV.A.2.b).
  var rows: (count: UInt64, address: UInt64)? {
    guard let space = message(1), space.body.count >= 12, space.body[1] == 1 else { return nil }
    let place = space.body[0] == 2 ? 4 : 8
    guard space.body.count >= place + 8 else { return nil }
    return (space.body.number(place, 8), space.address + UInt64(place))
  }

  /// The chunks of a one-dimensional dataset with an extensible array (section IV.A.2.i): the rows
  /// of a chunk, the bytes of a row, the five parameters of the array, and its address.
  var chunks: (rows: Int, width: Int, parameters: [UInt8], index: UInt64)? {
    guard let layout = message(8)?.body, layout.count >= 5, layout[0] == 4, layout[1] == 2,
      layout[3] == 2
    else { return nil }
    let size = Int(layout[4])
    let place = 5 + 2 * size
    guard 1...8 ~= size, layout.count >= place + 14, layout[place] == 4 else { return nil }
    let (rows, width) = (layout.number(5, size), layout.number(5 + size, size))
    guard 1...(1 << 24) ~= rows, 1...(1 << 16) ~= width else { return nil }
    return (
      Int(rows), Int(width), Array(layout[place + 1..<place + 6]), layout.number(place + 6, 8)
    )
  }

  /// A Boolean value that is true if HDF5 compresses the chunks, or filters them otherwise.
  var isFiltered: Bool { message(0x0B) != nil }
}
