import Glibc
package import Support

/// A file that is read in large blocks, with a window of bytes in memory; a packed one is unpacked.
struct FileBlocks: ~Copyable {
  let path: String
  private let descriptor: Int32
  /// The content of a packed file; `nil` for any other.
  private let unpacked: UnpackedContent?
  /// A Boolean value that is true if a damaged packed file ends at the damage.
  var endsAtDamage = false
  /// The damage at which a packed file ended.
  private(set) var damage: RSSIError?
  private let progress: any ActivityProgress
  private var bytesRead = 0
  private var buffer: [UInt8]
  private var start = 0
  private var end = 0
  /// The bytes that identify another file, with their distance from its start.
  private var mark: (bytes: [UInt8], distance: Int) = ([], 0)
  /// The offset up to which the mark was searched.
  private var searched = 0
  /// The offset of the next concatenated file in the data read so far; `.max` for none.
  private var nextFile = Int.max
  /// Set once for a text that has to be converted.
  private var decoder: TextDecoder?
  /// Converted text that the window had no room for.
  private var pending: [UInt8] = []

  /// Opens a file; `-` is the standard input, which is not unpacked.
  ///
  /// - Parameters:
  ///   - capacity: The size of the window in bytes, at least that of the longest record.
  ///   - progress: A closure that receives the number of bytes read.
  init(
    path: String, capacity: Int = 1 << 18, progress: any ActivityProgress = SilentLog()
  ) throws(RSSIError) {
    let descriptor = try openForReading(path)
    do throws(RSSIError) {
      unpacked = try path == "-" ? nil : Self.unpack(descriptor, path)
    } catch {
      close(descriptor)
      throw error
    }
    self.progress = progress
    self.path = path
    self.descriptor = descriptor
    buffer = [UInt8](repeating: 0, count: capacity)
  }

  deinit { close(descriptor) }

  private static func unpack(
    _ descriptor: Int32, _ path: String
  ) throws(RSSIError) -> UnpackedContent? {
    var head = [UInt8](repeating: 0, count: ArchiveMember.headLength)
    let count = pread(descriptor, &head, head.count, 0)
    guard count > 0 else { return nil }
    return try UnpackedContent(of: descriptor, Array(head[..<count]), path: path)
  }

  /// A Boolean value that is true if the file is packed.
  var isPacked: Bool { unpacked != nil }

  /// A sentence for users on what is read of an archive.
  var note: String? { unpacked?.note }

  /// Converts a text that is in UTF-16, or whose lines end in other ways; before the first byte is
  /// passed over.
  mutating func decodeText() throws(RSSIError) {
    guard try require(1) else { return }
    _ = try require(min(1 << 12, capacity / 4))
    guard let form = withBytes(0..<available, { TextDecoder.form(of: $0) }) else { return }
    decoder = TextDecoder(form)
    decoder?.decode(Array(buffer[start..<end]), into: &pending)
    (start, end) = (0, 0)
    takePending()
  }

  /// Moves converted text into the window, as much as there is room for.
  private mutating func takePending() {
    let count = min(pending.count, buffer.count - end)
    for index in 0..<count { buffer[end + index] = pending[index] }
    end += count
    pending.removeFirst(count)
  }

  /// The largest size of the window in bytes.
  var capacity: Int { buffer.count }

  /// The bytes in the window.
  var available: Int { end - start }

  /// The offset of the window in the file.
  var position: Int { bytesRead - available }

  /// Calls a closure with the first bytes of the window, which the caller has required.
  func withBytes<Result>(
    _ range: Range<Int>, _ body: (Span<UInt8>) throws -> Result
  ) rethrows -> Result {
    try body(buffer.span.extracting((start + range.lowerBound)..<(start + range.upperBound)))
  }

  /// Returns a Boolean value that is true if the window has a number of bytes, after reading more
  /// if necessary.
  mutating func require(_ count: Int) throws(RSSIError) -> Bool {
    while available < count {
      if start > 0 {
        for index in 0..<available { buffer[index] = buffer[start + index] }
        (start, end) = (0, available)
      }
      guard try fill() else { return false }
    }
    return true
  }

  /// Waits for more data; returns `true` if none arrived within a time in nanoseconds.
  func isQuiet(forNanoseconds time: Int64) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, Int32(clamping: (max(0, time) + 999_999) / 1_000_000)) == 0
  }

  /// Moves the window past a number of bytes.
  mutating func skip(_ count: Int) { start += min(count, available) }

  /// Hands over the memory of the window with its first bytes, and goes on in other memory.
  ///
  /// - Parameters:
  ///   - count: The number of bytes.
  ///   - bytes: The other memory, of any size; receives that of the window.
  /// - Returns: The place of the bytes in it.
  mutating func takeWindow(_ count: Int, exchanging bytes: inout [UInt8]) -> Range<Int> {
    bytes.removeLast(max(0, bytes.count - buffer.count))
    bytes += repeatElement(0, count: buffer.count - bytes.count)
    let rest = start + count..<end
    for index in 0..<rest.count { bytes[index] = buffer[rest.lowerBound + index] }
    swap(&bytes, &buffer)
    defer { (start, end) = (0, rest.count) }
    return start..<rest.lowerBound
  }

  /// Searches from the next byte on for the start of another file, identified by bytes at a
  /// distance from it.
  mutating func look(for bytes: [UInt8], at distance: Int = 0) {
    mark = (bytes, distance)
    (searched, nextFile) = (position + 1 + distance, .max)
    search()
  }

  /// The offset in the window of the next file, if it starts among the first bytes of the window.
  @inline(__always)
  mutating func nextFile(within count: Int) -> Int? {
    nextFile < position + count ? findNextFile(within: count) : nil
  }

  private mutating func findNextFile(within count: Int) -> Int? {
    while nextFile < position { passNextFile() }
    return nextFile < position + count ? nextFile - position : nil
  }

  /// Treats an apparent next file as a part of this one.
  mutating func passNextFile() {
    guard nextFile < .max else { return }
    (searched, nextFile) = (nextFile + mark.distance + 1, .max)
    search()
  }

  /// Moves the window to the next file; returns `false` if there is none.
  mutating func skipToNextFile() throws(RSSIError) -> Bool {
    while true {
      if let place = findNextFile(within: available) {
        skip(place)
        return true
      }
      // The window may already contain the start of a mark.
      skip(max(0, available - mark.distance - mark.bytes.count))
      guard try require(available + 1) else {
        skip(available)
        return false
      }
    }
  }

  /// Searches for the mark in the data read since.
  private mutating func search() {
    guard nextFile == .max, let first = mark.bytes.first else { return }
    // A file cannot start in bytes that were skipped unread.
    let base = bytesRead - end
    var place = max(searched - base, start)
    let last = end - mark.bytes.count
    let (bytes, distance) = mark
    let found: Int? = buffer.withUnsafeBytes { buffer in
      guard let memory = buffer.baseAddress else { return nil }
      while place <= last {
        guard let hit = memchr(memory + place, Int32(first), last - place + 1) else { break }
        place = UnsafeRawPointer(hit) - memory
        if memcmp(memory + place, bytes, bytes.count) == 0 { return place }
        place += 1
      }
      return nil
    }
    searched = base + (found ?? max(place, last + 1))
    if let found { nextFile = base + found - distance }
  }

  /// Reads more data after the window; returns `false` at the end of the file.
  private mutating func fill() throws(RSSIError) -> Bool {
    precondition(end < buffer.count, "expected a record no longer than the buffer")
    guard decoder == nil else { return try fillWithText() }
    guard damage == nil else { return false }
    let end = end
    let count: Int
    do throws(RSSIError) {
      count = try Self.read(descriptor, unpacked, into: &buffer, from: end, path)
    } catch {
      guard endsAtDamage, isPacked else { throw error }
      damage = error
      return false
    }
    self.end += count
    bytesRead += count
    progress.update(unpacked?.bytesTaken ?? bytesRead)
    search()
    return count > 0
  }

  /// Reads more converted text after the window; returns `false` at the end of the file.
  private mutating func fillWithText() throws(RSSIError) -> Bool {
    var raw = [UInt8](repeating: 0, count: pending.isEmpty ? 1 << 16 : 0)
    while pending.isEmpty {
      let count = try Self.read(descriptor, unpacked, into: &raw, from: 0, path)
      guard count > 0 else { return false }
      bytesRead += count
      progress.update(unpacked?.bytesTaken ?? bytesRead)
      decoder?.decode(Array(raw[..<count]), into: &pending)
    }
    takePending()
    return true
  }

  /// Reads bytes into an array from an index on.
  ///
  /// - Returns: The number of bytes read; 0 at the end of the file.
  private static func read(
    _ descriptor: Int32, _ unpacked: UnpackedContent?, into bytes: inout [UInt8], from start: Int,
    _ path: String
  ) throws(RSSIError) -> Int {
    let count = bytes.withUnsafeMutableBytes { bytes in
      let buffer = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      return Result { () throws(RSSIError) in
        guard let unpacked else { return try readFile(descriptor, into: buffer, path) }
        return try unpacked.read(into: buffer)
      }
    }
    return try count.get()
  }
}

/// Reads the next bytes of an open file into a buffer; returns 0 at the end.
func readFile(
  _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, _ path: String
) throws(RSSIError) -> Int {
  while true {
    let count = read(descriptor, buffer.baseAddress, buffer.count)
    if count >= 0 { return count }
    guard errno == EINTR else { throw .readFailed(path: path, reason: systemMessage(errno)) }
  }
}

/// Returns the first bytes of the content of a file, which is unpacked if it is packed.
package func contentHead(
  of path: String, atMost count: Int
) throws(RSSIError) -> (bytes: [UInt8], isPacked: Bool) {
  var file = try FileBlocks(path: path, capacity: count)
  let isWhole = try file.require(count)
  let bytes = file.withBytes(0..<(isWhole ? count : file.available)) { bytes in
    bytes.indices.map { bytes[$0] }
  }
  return (bytes, file.isPacked)
}
