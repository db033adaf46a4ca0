internal import Glibc
internal import Support

/// A file of a spool: records one after the other, and how many of them were acknowledged.
///
/// It begins with eight bytes that name the format, 16 bytes that no other segment has, and the
/// count of acknowledged records, the only part that is written again. A record is its length in
/// four bytes, a checksum of 16, and its bytes. All numbers are little-endian. The checksum also
/// covers which record of which segment it is, so that nothing left over on a disk passes for one.
final class SpoolSegment {
  let path: String
  let number: UInt64
  private let descriptor: Int32
  private let identity: String
  /// The length of the file in bytes, up to the last whole record that was appended.
  private(set) var length: Int
  /// How many records were acknowledged, and where the first that was not begins.
  private(set) var acknowledged: SpoolPlace
  /// How many records this process appended.
  private var appended: UInt64 = 0

  static let headerLength = 32
  static let recordHeaderLength = 20
  static let longestRecord = 1 << 20
  private static let format = Array("rssispl1".utf8)

  /// Creates an empty segment.
  init(creating path: String, number: UInt64) throws(RSSIError) {
    descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    (self.path, self.number) = (path, number)
    let random = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    identity = hexadecimal(random)
    length = Self.headerLength
    acknowledged = SpoolPlace(segment: number, index: 0, offset: Self.headerLength)
    do throws(RSSIError) {
      try writeAll(Self.format + random + Self.bytes(of: UInt64(0)), to: descriptor, path: path)
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Opens a segment that another process wrote.
  ///
  /// - Throws: `RSSIError` for a file that is not one.
  init(opening path: String, number: UInt64) throws(RSSIError) {
    descriptor = Glibc.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    (self.path, self.number) = (path, number)
    guard let length = regularFileLength(descriptor),
      let header = Self.read(descriptor, Self.headerLength, at: 0),
      header.starts(with: Self.format)
    else {
      close(descriptor)
      throw RSSIError(.badInput, "this is not a segment of a spool", in: path)
    }
    identity = hexadecimal(header[8..<24])
    self.length = length
    acknowledged = SpoolPlace(segment: number, index: 0, offset: Self.headerLength)
    let count = Self.number(header[24...])
    while acknowledged.index < count, let next = place(after: acknowledged) { acknowledged = next }
  }

  deinit { close(descriptor) }

  /// Whether it ends within a record, as where its process was killed while it wrote.
  var isCut: Bool {
    var place = acknowledged
    while let next = self.place(after: place) { place = next }
    return place.offset < length
  }

  /// Whether it has any record.
  var isUsed: Bool { length > Self.headerLength }

  /// Whether every record was acknowledged.
  var isFinished: Bool { place(after: acknowledged) == nil }

  /// Appends a record to a segment that this process created; nothing of it stays where that fails.
  func append(_ bytes: [UInt8]) throws(RSSIError) {
    let record =
      Self.bytes(of: UInt32(bytes.count)) + Self.checksum(identity, appended, bytes) + bytes
    do throws(RSSIError) {
      guard lseek(descriptor, off_t(length), SEEK_SET) >= 0 else {
        throw Self.failure(path, errno)
      }
      try writeAll(record, to: descriptor, path: path)
    } catch {
      ftruncate(descriptor, off_t(length))
      throw error
    }
    length += record.count
    appended += 1
  }

  /// The record at a place; nil at the end, and where a record is cut.
  func record(at place: SpoolPlace) -> SpoolRecord? {
    guard let next = self.place(after: place),
      let bytes = Self.read(descriptor, next.offset - place.offset, at: place.offset)
    else { return nil }
    let content = Array(bytes[Self.recordHeaderLength...])
    let isWhole = bytes[4..<20].elementsEqual(Self.checksum(identity, place.index, content))
    return SpoolRecord(
      bytes: isWhole ? content : nil, id: "\(identity)-\(place.index)", end: next)
  }

  /// Where the record behind the one at a place begins; nil where no whole record is there.
  func place(after place: SpoolPlace) -> SpoolPlace? {
    guard place.offset + Self.recordHeaderLength <= length,
      let header = Self.read(descriptor, 4, at: place.offset)
    else { return nil }
    let count = Self.number(header[...])
    let end = place.offset + Self.recordHeaderLength + Int(count)
    guard count <= UInt64(Self.longestRecord), end <= length else { return nil }
    return SpoolPlace(segment: number, index: place.index + 1, offset: end)
  }

  /// Notes that every record before a place was acknowledged.
  func acknowledge(upTo place: SpoolPlace) {
    guard place.index > acknowledged.index else { return }
    acknowledged = place
    // A mark that cannot be written makes the next process send records again.
    let bytes = Self.bytes(of: place.index)
    _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 24) }
  }

  /// A second descriptor of the file, which the caller closes.
  func duplicate() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

  private static func read(_ descriptor: Int32, _ count: Int, at offset: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let result = bytes[done...].withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, $0.count, off_t(offset + done))
      }
      if result < 0, errno == EINTR { continue }
      guard result > 0 else { return nil }
      done += result
    }
    return bytes
  }

  private static func checksum(_ identity: String, _ index: UInt64, _ bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    let name = Array("\(identity)-\(index):".utf8)
    hash.update(name.span)
    hash.update(bytes.span)
    return Array(hash.hexadecimalDigest().utf8.prefix(16))
  }

  private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian, Array.init)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func failure(_ path: String, _ number: Int32) -> RSSIError {
    switch number {
    case ENOSPC, EDQUOT: .diskFull(path: path)
    case EACCES, EPERM, EROFS: .permissionDenied(path: path)
    default: .writeFailed(path: path, reason: systemMessage(number))
    }
  }
}

/// A record of a spool.
struct SpoolRecord {
  /// Nil where the record is damaged.
  var bytes: [UInt8]?
  /// A name that no other record has.
  var id: String
  /// Where the next record begins.
  var end: SpoolPlace
}

/// Where a record of a spool begins.
struct SpoolPlace: Equatable {
  var segment: UInt64
  /// How many records of the segment are before it.
  var index: UInt64
  /// Bytes from the beginning of the segment.
  var offset: Int
}
