package import Advertising
import Glibc
package import Support

/// A writer of HCI events to a btsnoop file of datalink 1002 (H4), which tshark, btmon and Android
/// read.
///
/// The file is complete after `close`; a writer released without it silently loses its buffer (64
/// KiB at most).
package struct BTSnoopWriter: ~Copyable {
  /// The number of records written.
  package private(set) var packets = 0
  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  /// A Boolean value that is true if the file still has its old content.
  private var isOlder: Bool
  /// The length of the written records.
  private var written = 0
  private static let capacity = 1 << 16

  /// Creates a file, or opens one that is truncated at the first flush, so that a failed start
  /// replaces nothing. `-` is the standard output.
  package init(path: String) throws(RSSIError) {
    let descriptor =
      path == "-" ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      switch errno {
      case EISDIR: throw .isDirectory(path: path)
      case EACCES, EPERM: throw .permissionDenied(path: path)
      default: throw .writeFailed(path: path, reason: systemMessage(errno))
      }
    }
    self.path = path
    self.descriptor = descriptor
    isOlder = path != "-" && regularFileLength(descriptor) ?? 0 > 0
    buffer.reserveCapacity(Self.capacity + BTSnoopFormat.maximumLength)
    buffer += BTSnoopFormat.magic
    buffer.append(bigEndian: BTSnoopFormat.version)
    buffer.append(bigEndian: BTSnoopDatalink.h4.rawValue)
  }

  deinit { Glibc.close(descriptor) }

  /// Writes one HCI event, starting with its event code.
  ///
  /// - Parameter time: The time in nanoseconds since the Unix epoch; the file stores microseconds,
  ///   rounded down.
  package mutating func write(event: Span<UInt8>, time: Int64) throws(RSSIError) {
    let length = UInt32(event.count + 1)
    append(length)
    append(length)
    append(UInt32(3))  // received, event
    append(UInt32(0))  // drops
    let microseconds = time.quotientAndRemainder(dividingBy: 1000)
    append(
      UInt64(
        bitPattern: microseconds.quotient - (microseconds.remainder < 0 ? 1 : 0)
          + BTSnoopFormat.epoch))
    buffer.append(4)
    for index in event.indices { buffer.append(event[index]) }
    packets += 1
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Flushes the buffer and closes the file.
  package consuming func close() throws(RSSIError) { try flush() }

  /// Flushes the buffer; data that cannot be written is lost.
  package mutating func flush() throws(RSSIError) {
    defer { buffer.removeAll(keepingCapacity: true) }
    if isOlder, ftruncate(descriptor, 0) != 0 {
      throw .writeFailed(path: path, reason: systemMessage(errno))
    }
    isOlder = false
    do throws(RSSIError) {
      try writeAll(buffer, to: descriptor, path: path)
    } catch {
      // A partial record would make the whole file unreadable.
      _ = ftruncate(descriptor, off_t(written))
      throw error
    }
    written += buffer.count
  }

  /// Closes the file with its written records; a new file without any is removed.
  package consuming func abandon() {
    if written == 0, !isOlder, path != "-" { unlink(path) }
  }

  private mutating func append(_ number: some FixedWidthInteger) {
    buffer.append(bigEndian: number)
  }
}

extension BTSnoopWriter: ReportSink {
  /// Writes the events that a controller would have sent for a report.
  package mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    for event in HCIEventEncoder.events(of: report, payload: payload) {
      try write(event: event.span, time: report.time)
    }
  }
}
