package import Advertising
import Glibc
package import Support

/// Writes HCI events to a btsnoop file of datalink 1002 (H4), which tshark, btmon and Android read.
///
/// What is written is complete after `close`; a writer let go without it loses what is still in
/// memory (64 KiB at most), and no error is stated.
package struct BTSnoopWriter: ~Copyable {
  /// Records written.
  package private(set) var packets = 0
  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  /// A Boolean value that is true if the file still holds what it held before.
  private var isOlder: Bool
  /// The length of what is in the file, in whole records.
  private var written = 0
  private static let capacity = 1 << 16

  /// Creates a file, or opens one that is emptied at the first flush: what cannot be begun replaces
  /// nothing. `-` is the standard output.
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
    append(BTSnoopFormat.version)
    append(BTSnoopDatalink.h4.rawValue)
  }

  deinit { Glibc.close(descriptor) }

  /// Writes one HCI event, distinguished from its event code on.
  ///
  /// - Parameter time: nanoseconds since the Unix epoch; the file keeps microseconds, rounded down.
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

  /// Writes out what is still in memory and closes the file.
  package consuming func close() throws(RSSIError) { try flush() }

  /// Writes out what is still in memory; what cannot be written is lost.
  package mutating func flush() throws(RSSIError) {
    defer { buffer.removeAll(keepingCapacity: true) }
    if isOlder, ftruncate(descriptor, 0) != 0 {
      throw .writeFailed(path: path, reason: systemMessage(errno))
    }
    isOlder = false
    do throws(RSSIError) {
      try writeAll(buffer, to: descriptor, path: path)
    } catch {
      // A part of a record would make the whole file unreadable.
      _ = ftruncate(descriptor, off_t(written))
      throw error
    }
    written += buffer.count
  }

  /// Closes the file with the records that are in it; a new file that has none is removed.
  package consuming func abandon() {
    if written == 0, !isOlder, path != "-" { unlink(path) }
  }

  private mutating func append(_ number: some FixedWidthInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      buffer.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}

extension BTSnoopWriter: ReportSink {
  /// Writes the events that would have stated of a report.
  package mutating func receive(_ report: AdvertisingReport, payload: Span<UInt8>) throws {
    for event in HCIEventEncoder.events(of: report, payload: payload) {
      try write(event: event.span, time: report.time)
    }
  }
}
