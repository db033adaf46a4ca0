import Glibc
import Support

/// A file read in large blocks, of which a window of bytes is in memory at a time.
struct FileBlocks: ~Copyable {
  let path: String
  private let descriptor: Int32
  private let progress: any ActivityProgress
  private var bytesRead = 0
  private var buffer: [UInt8]
  private var start = 0
  private var end = 0

  /// Opens a file; `-` is the standard input.
  ///
  /// - Parameters:
  ///   - capacity: the bytes in memory, at least those of the longest record.
  ///   - progress: receives how many bytes were read.
  init(
    path: String, capacity: Int = 1 << 18, progress: any ActivityProgress = SilentLog()
  ) throws(RSSIError) {
    let descriptor = try openForReading(path)
    self.progress = progress
    self.path = path
    self.descriptor = descriptor
    buffer = [UInt8](repeating: 0, count: capacity)
  }

  deinit { close(descriptor) }

  /// The most bytes that the window can hold.
  var capacity: Int { buffer.count }

  /// The bytes in the window.
  var available: Int { end - start }

  /// The first bytes of the window, which the caller has required.
  func withBytes<Result>(
    _ range: Range<Int>, _ body: (Span<UInt8>) throws -> Result
  ) rethrows -> Result {
    try body(buffer.span.extracting((start + range.lowerBound)..<(start + range.upperBound)))
  }

  /// Whether the window holds so many bytes, after reading more if it has to.
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

  /// Waits until there is more to read; true where nothing came within so many nanoseconds.
  func isQuiet(forNanoseconds time: Int64) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, Int32(clamping: (max(0, time) + 999_999) / 1_000_000)) == 0
  }

  /// Moves the window past so many bytes.
  mutating func skip(_ count: Int) { start += min(count, available) }

  /// Reads behind the window; false at the end of the file.
  private mutating func fill() throws(RSSIError) -> Bool {
    precondition(end < buffer.count, "a record longer than the buffer was required")
    while true {
      let end = end
      let count = buffer.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress.map { $0 + end }, $0.count - end)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .readFailed(path: path, reason: systemMessage(errno)) }
      self.end += count
      bytesRead += count
      progress.update(bytesRead)
      return count > 0
    }
  }
}
