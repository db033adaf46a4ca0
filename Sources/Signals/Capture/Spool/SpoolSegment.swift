internal import Glibc
internal import Support

/// A file of a spool: records in sequence, and the count of acknowledged ones.
///
/// It begins with eight bytes that name the format, 16 bytes that are unique to the segment, and
/// the count of acknowledged records, four bytes and their complement, the only part that is
/// rewritten. A record is its length in four bytes, a checksum of 16, and its bytes. All numbers
/// are little-endian. The checksum also covers the index of the record and the segment, so that
/// stale data on a disk never verify.
final class SpoolSegment {
  let path: String
  let number: UInt64
  private let descriptor: Int32
  private let identity: String
  private let isEarlier: Bool
  /// A Boolean value that is true if another process wrote it, so that it does not grow.
  private let isOfAnother: Bool
  /// The length of the file in bytes, up to the last complete record.
  private(set) var length: Int
  /// The number of acknowledged records, and the place of the first unacknowledged one.
  private(set) var acknowledged: SpoolPlace
  /// The number of records that this process appended.
  private var appended: UInt64 = 0
  /// The records of another process if their lengths do not lead to the end of the file.
  private var scan: SpoolScan?
  /// A Boolean value that is true if a record is unreadable, so that the file is kept.
  private(set) var isDamaged = false

  static let headerLength = 32
  static let recordHeaderLength = 20
  static let longestRecord = 1 << 20
  private static let format = Array("rssispl2".utf8)
  /// The earlier format, in which the count has eight bytes.
  private static let earlierFormat = Array("rssispl1".utf8)

  /// Creates an empty segment.
  init(creating path: String, number: UInt64) throws(RSSIError) {
    descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    (self.path, self.number) = (path, number)
    let random = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    identity = hexadecimal(random)
    (isEarlier, isOfAnother) = (false, false)
    length = Self.headerLength
    acknowledged = SpoolPlace(segment: number, index: 0, offset: Self.headerLength)
    do throws(RSSIError) {
      try writeAll(Self.format + random + Self.bytes(ofCount: 0), to: descriptor, path: path)
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Opens a segment that another process wrote.
  ///
  /// - Throws: `RSSIError` for a file that is not a segment.
  init(opening path: String, number: UInt64) throws(RSSIError) {
    descriptor = Glibc.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    (self.path, self.number) = (path, number)
    guard let length = regularFileLength(descriptor),
      let header = Support.bytes(ofFile: descriptor, at: 0, count: Self.headerLength),
      header.starts(with: Self.format) || header.starts(with: Self.earlierFormat)
    else {
      close(descriptor)
      throw RSSIError(.badInput, "this is not a segment of a spool", in: path)
    }
    identity = hexadecimal(header[8..<24])
    self.length = length
    acknowledged = SpoolPlace(segment: number, index: 0, offset: Self.headerLength)
    (isEarlier, isOfAnother) = (header.starts(with: Self.earlierFormat), true)
    let (low, high) = (littleEndian(header[24..<28]), littleEndian(header[28...]))
    // If the counts differ, the smaller one loses no record.
    let count = isEarlier ? low | high << 32 : min(low, high ^ 0xFFFF_FFFF)
    isDamaged = !isEarlier && low != high ^ 0xFFFF_FFFF
    if !leadsToEnd { scanRecords() }
    while acknowledged.index < count, let next = place(after: acknowledged) { acknowledged = next }
  }

  deinit { close(descriptor) }

  /// A Boolean value that is true if it ends within a record, as after the kill of its writer.
  var isCut: Bool { scan?.isCut ?? false }

  /// The number of records that are intact except for their length.
  var mended: Int { scan?.mended ?? 0 }

  /// Finds the records by their checksums.
  private func scanRecords() {
    guard let bytes = Support.bytes(ofFile: descriptor, at: 0, count: length) else { return }
    let identity = identity
    scan = SpoolScan(bytes) { Self.checksum(identity, $0, $1) }
  }

  /// A Boolean value that is true if the lengths of the records lead to the end of the file.
  private var leadsToEnd: Bool {
    var place = acknowledged
    while let next = self.place(after: place) { place = next }
    return place.offset == length
  }

  /// A Boolean value that is true if it has any record.
  var isUsed: Bool { length > Self.headerLength }

  /// A Boolean value that is true if every record was acknowledged.
  var isFinished: Bool { place(after: acknowledged) == nil }

  /// Appends a record to a segment that this process created; a failure leaves no part of it.
  func append(_ bytes: [UInt8]) throws(RSSIError) {
    let record =
      UInt32(bytes.count).littleEndianBytes + Self.checksum(identity, appended, bytes[...]) + bytes
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

  /// Returns the record at a place; nil at the end, and for a truncated record.
  func record(at place: SpoolPlace) -> SpoolRecord? {
    let offset = scan?.entry(at: place.index)?.offset ?? place.offset
    guard let next = self.place(after: place),
      let bytes = Support.bytes(ofFile: descriptor, at: offset, count: next.offset - offset)
    else { return nil }
    let content = bytes[Self.recordHeaderLength...]
    let isWhole: Bool
    if let scan {
      isWhole = scan.entry(at: place.index)?.isWhole == true
    } else {
      isWhole = bytes[4..<20].elementsEqual(Self.checksum(identity, place.index, content))
      // A wrong length may still lead to the end.
      if !isWhole, isOfAnother {
        scanRecords()
        return record(at: place)
      }
    }
    if !isWhole { isDamaged = true }
    return SpoolRecord(
      bytes: isWhole ? Array(content) : nil, id: "\(identity)-\(place.index)",
      count: next.index - place.index, end: next)
  }

  /// Returns the place of the record after the one at a place; nil if there is no complete record.
  func place(after place: SpoolPlace) -> SpoolPlace? {
    if let scan {
      return scan.entry(at: place.index).map {
        SpoolPlace(segment: number, index: $0.next.index, offset: $0.next.offset)
      }
    }
    guard place.offset + Self.recordHeaderLength <= length,
      let header = Support.bytes(ofFile: descriptor, at: place.offset, count: 4)
    else { return nil }
    let count = littleEndian(header[...])
    let end = place.offset + Self.recordHeaderLength + Int(count)
    guard count <= UInt64(Self.longestRecord), end <= length else { return nil }
    return SpoolPlace(segment: number, index: place.index + 1, offset: end)
  }

  /// Notes that every record before a place was acknowledged.
  func acknowledge(upTo place: SpoolPlace) {
    guard place.index > acknowledged.index else { return }
    acknowledged = place
    // If the mark cannot be written the next process sends records again.
    let bytes = isEarlier ? place.index.littleEndianBytes : Self.bytes(ofCount: place.index)
    _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 24) }
  }

  /// Returns a second descriptor of the file, which the caller closes.
  func duplicate() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }

  private static func checksum(
    _ identity: String, _ index: UInt64, _ bytes: ArraySlice<UInt8>
  ) -> [UInt8] {
    var hash = SHA256()
    let name = Array("\(identity)-\(index):".utf8)
    hash.update(name.span)
    hash.update(bytes.span)
    return Array(hash.hexadecimalDigest().utf8.prefix(16))
  }

  /// Returns the bytes of a count of records, and its complement.
  private static func bytes(ofCount count: UInt64) -> [UInt8] {
    let count = UInt32(clamping: count)
    return count.littleEndianBytes + (~count).littleEndianBytes
  }

  private static func failure(_ path: String, _ number: Int32) -> RSSIError {
    switch number {
    case ENOSPC, EDQUOT: .diskFull(path: path)
    case EACCES, EPERM, EROFS: .permissionDenied(path: path)
    default: .writeFailed(path: path, reason: systemMessage(number))
    }
  }
}

/// A record of a spool, or several lost ones.
struct SpoolRecord {
  /// The bytes of the record; nil if it is damaged.
  var bytes: [UInt8]?
  /// A unique identifier of the record.
  var id: String
  var count: UInt64
  /// The place of the next record.
  var end: SpoolPlace
}

/// The position of a record in a spool.
struct SpoolPlace: Equatable {
  var segment: UInt64
  /// The number of records before it in the segment.
  var index: UInt64
  /// The offset from the beginning of the segment, in bytes.
  var offset: Int
}
