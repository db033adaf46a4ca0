internal import CDeflate
import Glibc
import Support

/// The records of a log, up to the first incomplete one.
struct LogRecords: ~Copyable {
  let identity: [UInt8]
  private let descriptor: Int32
  private let fileLength: Int
  private var offset: Int
  private var number: UInt64 = 0

  /// Opens a log, or returns `nil` if the file is not one.
  init?(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let head = bytes(ofFile: descriptor, at: 0, count: WriteAheadLog.format.count + 16)
    guard let length = regularFileLength(descriptor), let head,
      head.starts(with: WriteAheadLog.format)
    else {
      Glibc.close(descriptor)
      return nil
    }
    (self.descriptor, fileLength) = (descriptor, length)
    offset = head.count
    identity = Array(head[WriteAheadLog.format.count...])
  }

  deinit { close(descriptor) }

  /// Returns the content of the next record, or `nil` at the end, or from the first incomplete one
  /// on.
  mutating func next() -> [UInt8]? {
    guard let head = bytes(ofFile: descriptor, at: offset, count: 12) else { return nil }
    let (length, expanded) = (Int(littleEndian(head[..<4])), Int(littleEndian(head[4..<8])))
    guard 0 < length, length <= expanded, expanded <= Self.longest,
      length <= fileLength - offset - 12,
      let stored = bytes(ofFile: descriptor, at: offset + 12, count: length),
      littleEndian(head[8...]) == checksum(identity, number, Array(head[..<8]), stored[...])
    else { return nil }
    offset += 12 + length
    number += 1
    return length == expanded ? stored : inflated(stored, to: expanded)
  }

  private func inflated(_ stored: [UInt8], to length: Int) -> [UInt8]? {
    guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
    defer { libdeflate_free_decompressor(decompressor) }
    var isWhole = false
    let content = [UInt8](unsafeUninitializedCapacity: length) { output, count in
      isWhole =
        libdeflate_deflate_decompress(
          decompressor, stored, stored.count, output.baseAddress, length, &count)
        == LIBDEFLATE_SUCCESS
    }
    return isWhole && content.count == length ? content : nil
  }

  /// The largest content in bytes; ours is the image of a new trace, half a megabyte.
  static let longest = 1 << 24
}

extension LogEntry {
  /// Parses the head of an entry from the start of some bytes, or returns `nil` if it is not one.
  init?(_ bytes: inout ArraySlice<UInt8>) {
    guard let length = bytes.take(2), let name = bytes.take(Int(littleEndian(length))),
      let column = String(validating: name, as: UTF8.self), let head = bytes.take(17)
    else { return nil }
    let numbers = Array(head)
    self.column = column
    first = Int(clamping: littleEndian(numbers[..<8]))
    rows = Int(littleEndian(numbers[8..<12]))
    width = Int(littleEndian(numbers[12..<16]))
    isConstant = numbers[16] != 0
  }
}

extension ArraySlice<UInt8> {
  /// Removes bytes from the start, or returns `nil` if there are fewer.
  mutating func take(_ count: Int) -> ArraySlice? {
    guard count <= self.count else { return nil }
    defer { removeFirst(count) }
    return prefix(count)
  }
}

/// Removes the log of a trace that another file has replaced.
func removeLog(of path: String) {
  let path = path + WriteAheadLog.suffix
  if isLog(path), !isBeingWritten(path) { unlink(path) }
}

/// Removes a trace that was started in vain, with its log.
///
/// - Returns: A Boolean value that is true if the trace existed.
package func removeTrace(_ path: String) -> Bool {
  if isLog(path + WriteAheadLog.suffix) { unlink(path + WriteAheadLog.suffix) }
  return unlink(path) == 0
}

/// Returns a Boolean value that is true for a file that starts like a write-ahead log.
func isLog(_ path: String) -> Bool { LogRecords(path) != nil }
