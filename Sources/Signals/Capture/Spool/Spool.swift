internal import Glibc
import Support

/// A queue of records on a disk that wait for their acknowledgement, in order, up to a limit of
/// bytes.
///
/// They are in the segments of a folder, which is locked by one process. Appended records survive
/// the end of the process; the next one continues with the first unacknowledged record.
/// acknowledged.
final class Spool {
  let folder: String
  /// The maximum size of all segments together, in bytes.
  let limit: UInt64
  /// Descriptions of the damage in segments of former processes.
  private(set) var damage: [String] = []

  private let lock: Int32
  private var segments: [SpoolSegment] = []
  private var isAppending = false
  private var nextNumber: UInt64 = 1
  /// The next record to return; nil for the first unacknowledged one.
  private var cursor: SpoolPlace?

  /// The number of segments within the limit, which also bounds the open files.
  private static let segments: UInt64 = 64
  static let smallestLimit: UInt64 = 1_000_000

  /// - Throws: `RSSIError` if another process uses the folder, or it cannot be written.
  init(folder: String, limit: UInt64) throws(RSSIError) {
    (self.folder, self.limit) = (folder, limit)
    try makePrivateFolders(folder)
    let path = folder + "/lock"
    lock = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw .opening(path, errno) }
    guard lockForWriting(lock) || errno != EAGAIN && errno != EACCES else {
      close(lock)
      throw RSSIError(
        .unavailable, "another capture uses this spool", in: folder,
        advice: "end that capture, or name another folder with `spool`")
    }
    for (name, number) in Self.names(in: folder) {
      nextNumber = number + 1
      let path = "\(folder)/\(name)"
      do throws(RSSIError) {
        let segment = try SpoolSegment(opening: path, number: number)
        segments.append(segment)
        if segment.isCut { damage.append("\(path) ends within a record, which is left out") }
        if segment.mended > 0 {
          damage.append(
            "\(path) has \(counted(segment.mended, "record")) of a wrong length, repaired")
        }
      } catch {
        guard error.kind == .badInput else { throw error }
        damage.append("\(path) is not a segment of a spool and is left alone")
      }
    }
    removeFinished()
  }

  deinit { close(lock) }

  /// Releases the folder, in which unacknowledged records stay.
  func end() {
    for segment in segments where segment.isFinished { remove(segment) }
    segments = []
    unlock(lock)
  }

  /// A Boolean value that is true if every record was acknowledged.
  var isEmpty: Bool { segments.allSatisfy(\.isFinished) }

  private static func name(_ number: UInt64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: 20 - digits.count) + digits + ".segment"
  }

  /// The names of segments, in order.
  private static func names(in folder: String) -> [(name: String, number: UInt64)] {
    entries(ofFolder: folder).compactMap { name in
      guard let number = UInt64(name.prefix { $0 != "." }), number < .max / 2,
        name == Self.name(number)
      else { return nil }
      return (name, number)
    }.sorted { $0.number < $1.number }
  }

  /// Appends a record.
  ///
  /// - Returns: the unacknowledged records that were dropped for it, beyond the limit.
  /// - Throws: `RSSIError` if the record cannot be written; the spool is then unchanged.
  func append(_ bytes: [UInt8]) throws(RSSIError) -> [[UInt8]] {
    do throws(RSSIError) {
      try appendToLast(bytes)
    } catch {
      // A full disk has room again if the growing segment is no longer needed.
      guard isAppending, segments.count == 1, segments[0].isFinished, segments[0].isUsed else {
        throw error
      }
      remove(segments[0])
      try appendToLast(bytes)
    }
    var givenUp: [[UInt8]] = []
    while segments.count > 1, segments.reduce(0, { $0 + UInt64($1.length) }) > limit {
      givenUp += giveUpFirst()
    }
    return givenUp
  }

  private func appendToLast(_ bytes: [UInt8]) throws(RSSIError) {
    let length = SpoolSegment.recordHeaderLength + bytes.count
    let longest = max(Int(limit / Self.segments), SpoolSegment.headerLength + length)
    if !isAppending || segments.last.map({ $0.length + length > longest }) ?? true {
      let path = "\(folder)/\(Self.name(nextNumber))"
      segments.append(try SpoolSegment(creating: path, number: nextNumber))
      isAppending = true
      nextNumber += 1
      removeFinished()
    }
    try segments[segments.count - 1].append(bytes)
  }

  /// Returns the next record to publish; nil if there are no more.
  func next() -> SpoolRecord? {
    guard let first = segments.first else { return nil }
    var place = cursor ?? first.acknowledged
    while let index = segments.firstIndex(where: { $0.number >= place.segment }) {
      let segment = segments[index]
      if segment.number > place.segment { place = segment.acknowledged }
      if let record = segment.record(at: place) {
        cursor = record.end
        return record
      }
      guard index + 1 < segments.count else { return nil }
      place = segments[index + 1].acknowledged
    }
    return nil
  }

  /// Returns to the first unacknowledged record.
  func rewind() { cursor = nil }

  /// Notes that every record before a place was acknowledged.
  func acknowledge(upTo place: SpoolPlace) {
    for segment in segments.prefix(while: { $0.number < place.segment }) {
      remove(segment)
    }
    segments.first { $0.number == place.segment }?.acknowledge(upTo: place)
    removeFinished()
  }

  /// The number of unacknowledged records.
  var waiting: Int {
    segments.reduce(0) { count, segment in
      var (count, place) = (count, segment.acknowledged)
      while let next = segment.place(after: place) { (count, place) = (count + 1, next) }
      return count
    }
  }

  /// The files to flush to the disk, as descriptors that the caller closes.
  var unsynchronised: [Int32] {
    guard let last = segments.last else { return [] }
    return [last.duplicate(), open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)].filter { $0 >= 0 }
  }

  /// Removes the first segment, and returns its unacknowledged records.
  private func giveUpFirst() -> [[UInt8]] {
    let segment = segments[0]
    var records: [[UInt8]] = []
    var place = segment.acknowledged
    while let record = segment.record(at: place) {
      if let bytes = record.bytes { records.append(bytes) }
      place = record.end
    }
    remove(segment)
    return records
  }

  /// Removes every acknowledged segment except the growing one.
  private func removeFinished() {
    while let first = segments.first, segments.count > 1 || !isAppending, first.isFinished {
      remove(first)
    }
  }

  /// Removes a segment; the latest damaged ones are kept under another name.
  private func remove(_ segment: SpoolSegment) {
    segments.removeAll { $0 === segment }
    guard segment.isDamaged else {
      unlink(segment.path)
      return
    }
    rename(segment.path, segment.path + Self.damagedSuffix)
    let kept = entries(ofFolder: folder).filter { $0.hasSuffix(Self.damagedSuffix) }.sorted()
    for name in kept.dropLast(Self.mostDamaged) { unlink("\(folder)/\(name)") }
  }

  static let damagedSuffix = ".damaged"
  /// The maximum number of damaged segments that are kept.
  private static let mostDamaged = 4
}

/// Makes a folder and its parents, accessible only to the user.
private func makePrivateFolders(_ path: String) throws(RSSIError) {
  var folder = path.hasPrefix("/") ? "" : "."
  for part in path.split(separator: "/") {
    folder += "/\(part)"
    guard mkdir(folder, 0o700) != 0, errno != EEXIST, !isFolder(folder) else { continue }
    throw RSSIError(
      [EACCES, EPERM, EROFS].contains(errno) ? .permission : .inputOutput,
      "cannot make the folder \(folder) of the spool: \(systemMessage(errno))")
  }
}
