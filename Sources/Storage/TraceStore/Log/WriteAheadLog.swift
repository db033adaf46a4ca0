internal import CDeflate
import Glibc
import Support
import Synchronization

/// The write-ahead log of a live trace, `TRACE.wal`: the initial trace and all writes to its
/// columns since, in order.
///
/// HDF5 changes its metadata in place, and the kernel writes pages in any order, so after a power
/// failure an entire trace may be unreadable. A log only grows, so synchronised data stays readable
/// in any case, and one growing file is synchronised much faster than one that changes in dozens of
/// places. Readers of a trace whose writer has ended read the log.
///
/// | bytes | what |
/// |---|---|
/// | 8 | `rssiwal1` |
/// | 16 | the identity of the log, which the trace has as its attribute `log` |
/// | … | records |
///
/// | bytes of a record | what |
/// |---|---|
/// | 4 | length of the content as stored |
/// | 4 | length of the content; the same where it is not deflated |
/// | 4 | CRC-32 of the identity, the number of the record (8 bytes), the two lengths and the content |
/// | … | the content, deflated (RFC 1951) or as it is |
///
/// The content of the first record is the initial file of the trace; that of the others is a
/// sequence of `LogEntry`. Numbers are little-endian.
final class WriteAheadLog {
  let identity = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
  private var file: LogFile?
  private var pending: [UInt8] = []
  private var records: UInt64 = 0
  private let compressor = libdeflate_alloc_compressor(1)

  deinit { libdeflate_free_compressor(compressor) }

  /// Starts the log of a trace that is about to be renamed to its final name.
  ///
  /// - Parameters:
  ///   - path: The future path of the trace.
  ///   - image: The file of the trace, before its first row.
  ///   - share: A closure that gives the trace its name.
  /// - Returns: The trace, under its name.
  func begin(
    _ path: String, image: [UInt8], share: () throws(RSSIError) -> LiveFile
  ) throws(RSSIError) -> LiveFile {
    let name = path + Self.suffix
    guard access(name, F_OK) != 0 || isLog(name) else {
      throw RSSIError(
        .inputOutput, "this file is not a log of rssi, but has the name of the log of \(path)",
        in: name, advice: "move it, or use another name for the trace")
    }
    var output = try AtomicFile(path: name)
    let start = Self.format + identity + record(image)
    try output.write(start)
    // In this order an older trace is never without its log.
    let trace = try share()
    file = LogFile(try output.commitLive(permissionsOf: trace))
    return trace
  }

  /// Adds a write to a column.
  ///
  /// - Parameters:
  ///   - column: The path of the column from the root of the file.
  ///   - first: The row of the first value.
  ///   - values: The values as in the file, which is the form of little-endian machines.
  ///   - width: The size of a value in bytes.
  func add<Element>(
    _ column: String, from first: Int, _ values: [Element], width: Int = MemoryLayout<Element>.size
  ) throws(RSSIError) {
    // Writes before the start of the log are in the image of the file.
    guard file != nil else { return }
    let rows = values.count * MemoryLayout<Element>.size / width
    let most = max(1, Self.recordLength / width)
    for start in stride(from: 0, to: rows, by: most) {
      let count = min(most, rows - start)
      values.withUnsafeBytes { bytes in
        let part = UnsafeRawBufferPointer(rebasing: bytes[start * width..<(start + count) * width])
        // Most columns repeat one value for hours.
        let isConstant = TraceStore.isConstant(part, width: width)
        pending +=
          LogEntry(
            column: column, first: first + start, rows: count, width: width, isConstant: isConstant
          ).head
        pending.append(contentsOf: isConstant ? .init(rebasing: part.prefix(width)) : part)
      }
      if pending.count >= Self.recordLength { try commit() }
    }
  }

  /// Writes the added entries, which then survive if the program is killed.
  ///
  /// - Throws: Also if an earlier synchronisation failed.
  func commit() throws(RSSIError) {
    guard let file, !pending.isEmpty else { return }
    try file.requireSynchronised()
    try file.append(record(pending))
    pending.removeAll(keepingCapacity: true)
  }

  /// Starts to flush the writes to the disk, in the background.
  func synchronise() { file?.synchronise() }

  /// Renames the log to match a trace that another program moved.
  func follow(_ place: LivePlace) {
    if case .moved(let path) = place { file?.move(to: path + Self.suffix) }
  }

  /// Removes the log of a trace that is complete and on the disk.
  func remove() { file?.remove() }

  /// Returns the content as a record.
  private func record(_ content: [UInt8]) -> [UInt8] {
    defer { records += 1 }
    let stored = deflated(content) ?? content
    let lengths = [UInt32(stored.count), UInt32(content.count)].flatMap(\.littleEndianBytes)
    return lengths + checksum(identity, records, lengths, stored[...]).littleEndianBytes + stored
  }

  /// Returns the deflated content, or `nil` if it would not be shorter, or comes so fast that speed
  /// matters more.
  private func deflated(_ content: [UInt8]) -> [UInt8]? {
    guard let compressor, content.count <= Self.deflatedLength || records == 0 else { return nil }
    let packed = [UInt8](unsafeUninitializedCapacity: content.count) { output, count in
      count = libdeflate_deflate_compress(
        compressor, content, content.count, output.baseAddress, content.count - 1)
    }
    return packed.isEmpty ? nil : packed
  }

  static let suffix = ".wal"
  static let format = Array("rssiwal1".utf8)
  /// The size of content in bytes after which a record ends, which bounds the memory.
  static let recordLength = 1 << 20
  /// The size in bytes of the longest content that is deflated: a flush of about 10,000 reports.
  private static let deflatedLength = 1 << 18
}

/// Returns the checksum of a record, which also covers its number and its log, so that leftovers on
/// a disk are not mistaken for a record.
func checksum(
  _ identity: [UInt8], _ number: UInt64, _ lengths: [UInt8], _ stored: ArraySlice<UInt8>
) -> UInt32 {
  let head = identity + number.littleEndianBytes + lengths
  let seed = libdeflate_crc32(0, head, head.count)
  return stored.withUnsafeBytes { libdeflate_crc32(seed, $0.baseAddress, $0.count) }
}

/// Rows that were written to a column: the length of its path (2 bytes), the path, the first row
/// (8), the number of rows (4), the size of a value (4), 1 if all rows have the same value and else
/// 0 (1), then the value or the values.
struct LogEntry {
  var column: String
  var first: Int
  var rows: Int
  var width: Int
  var isConstant: Bool

  /// The bytes before the values.
  var head: [UInt8] {
    var bytes = UInt16(column.utf8.count).littleEndianBytes
    bytes += column.utf8
    bytes += UInt64(first).littleEndianBytes
    bytes += UInt32(rows).littleEndianBytes
    bytes += UInt32(width).littleEndianBytes
    bytes.append(isConstant ? 1 : 0)
    return bytes
  }
}

/// The file of a log, which another thread flushes to the disk: a slow card takes seconds, and a
/// program that receives from a radio must not wait for it.
private final class LogFile: Sendable {
  private let file: LiveFile
  private let path: Mutex<String>
  private let isBusy = Atomic(false)
  /// The error number of a failed synchronisation; 0 for none.
  private let failure = Atomic<Int32>(0)

  init(_ file: LiveFile) {
    self.file = file
    path = Mutex(file.path)
  }

  func append(_ record: [UInt8]) throws(RSSIError) {
    try writeAll(record, to: file.descriptor, path: file.path)
  }

  func requireSynchronised() throws(RSSIError) {
    let number = failure.load(ordering: .acquiring)
    guard number == 0 else {
      throw .writeFailed(path: file.path, reason: systemMessage(number))
    }
  }

  /// Starts a synchronisation, unless one is in progress; then the next call does it.
  func synchronise() {
    guard !isBusy.exchange(true, ordering: .acquiring) else { return }
    runInBackground { [self] in
      // File systems that cannot synchronise are used without it.
      if fdatasync(file.descriptor) != 0, errno != EINVAL, errno != EROFS {
        failure.store(errno, ordering: .releasing)
      }
      isBusy.store(false, ordering: .releasing)
    }
  }

  func move(to new: String) {
    path.withLock { path in
      guard path != new else { return }
      // Moved with its folder, it is already there.
      let isThere = FileIdentity(path: new) == FileIdentity(descriptor: file.descriptor)
      if isThere || access(new, F_OK) != 0 && rename(path, new) == 0 { path = new }
    }
  }

  func remove() {
    path.withLock { path in
      guard FileIdentity(path: path) == FileIdentity(descriptor: file.descriptor) else { return }
      unlink(path)
      synchroniseFolder(of: path)
    }
  }
}

/// Returns a Boolean value that is true if all values of a width in bytes are the same, or there
/// are none.
func isConstant(_ bytes: UnsafeRawBufferPointer, width: Int) -> Bool {
  guard let first = bytes.baseAddress else { return true }
  return memcmp(first, first + width, bytes.count - width) == 0
}
