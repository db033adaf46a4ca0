internal import CArchive
internal import CDeflate
import Glibc
import Support

/// The members of a packed file, one after the other, in constant memory.
///
/// A compressed file has one member without a name. Members are read where they are, so their names
/// are never paths.
final class Archive {
  /// A member of an archive.
  struct Member {
    var name: String
    var isFile: Bool
    var isEncrypted: Bool
  }

  private let reader: OpaquePointer
  private let path: String
  private let form: Compression
  /// The archive whose current member this one is, with the bytes of it that were read already.
  private let outer: Archive?
  private var head: [UInt8]
  private let block: UnsafeMutableRawBufferPointer
  private var members = 0
  /// The rest of the bytes that were unpacked last, which libarchive owns.
  private var unpacked = UnsafeRawBufferPointer(start: nil, count: 0)
  private var checksum: GzipChecksum?

  private static let blockLength = 1 << 16

  /// Opens a packed file from its beginning; the descriptor stays the caller's.
  convenience init(_ descriptor: Int32, _ path: String, _ form: Compression) throws(RSSIError) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw .readFailed(path: path, reason: systemMessage(errno))
    }
    try self.init(path, form)
    if form == .gzip { checksum = GzipChecksum(descriptor) }
    guard archive_read_open_fd(reader, descriptor, Self.blockLength) == ARCHIVE_OK else {
      throw failure()
    }
  }

  /// Opens the current member of another archive, which is packed itself.
  ///
  /// - Parameter head: The bytes of the member that were read already.
  convenience init(in outer: Archive, after head: [UInt8], _ form: Compression) throws(RSSIError) {
    try self.init(outer.path, form, in: outer, after: head)
    let opened = archive_read_open(
      reader, Unmanaged.passUnretained(self).toOpaque(), nil,
      { _, cookie, bytes in
        guard let cookie, let bytes else { return -1 }
        let archive = Unmanaged<Archive>.fromOpaque(cookie).takeUnretainedValue()
        bytes.pointee = UnsafeRawPointer(archive.block.baseAddress)
        return archive.fillBlock()
      }, nil)
    guard opened == ARCHIVE_OK else { throw failure() }
  }

  private init(
    _ path: String, _ form: Compression, in outer: Archive? = nil, after head: [UInt8] = []
  ) throws(RSSIError) {
    guard let reader = archive_read_new() else {
      throw .readFailed(path: path, reason: systemMessage(ENOMEM))
    }
    carchive_support(reader)
    (self.reader, self.path, self.form, self.outer, self.head) = (reader, path, form, outer, head)
    block = .allocate(byteCount: outer == nil ? 0 : Self.blockLength, alignment: 16)
  }

  deinit {
    archive_read_free(reader)
    block.deallocate()
  }

  /// The number of bytes of the packed file that were read.
  var bytesTaken: Int { outer?.bytesTaken ?? Int(archive_filter_bytes(reader, -1)) }

  /// Moves to the next member; returns `nil` after the last.
  func next() throws(RSSIError) -> Member? {
    unpacked = UnsafeRawBufferPointer(start: nil, count: 0)
    var entry: OpaquePointer?
    let status = archive_read_next_header(reader, &entry)
    guard status != ARCHIVE_EOF else { return nil }
    guard status >= ARCHIVE_WARN, let entry else { throw failure() }
    members += 1
    let name = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)
    return Member(
      name: name.map { String(cString: $0) } ?? "member \(members)",
      isFile: archive_entry_filetype(entry) == S_IFREG,
      isEncrypted: archive_entry_is_data_encrypted(entry) != 0)
  }

  /// Reads bytes of the current member; returns 0 at its end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RSSIError) -> Int {
    // Not with `archive_read_data`, which loses what precedes damage.
    while unpacked.isEmpty {
      guard try readBlock() else { return 0 }
    }
    let count = min(unpacked.count, buffer.count)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: unpacked[..<count]))
    unpacked = UnsafeRawBufferPointer(rebasing: unpacked[count...])
    return count
  }

  /// Unpacks some bytes of the current member; returns `false` at its end.
  private func readBlock() throws(RSSIError) -> Bool {
    var start: UnsafeRawPointer?
    var count = 0
    var offset: Int64 = 0
    switch archive_read_data_block(reader, &start, &count, &offset) {
    case ARCHIVE_OK:
      unpacked = UnsafeRawBufferPointer(start: start, count: count)
      checksum?.add(unpacked)
      return true
    case ARCHIVE_EOF:
      guard checksum?.isWrong != true || archive_filter_count(reader) != 2 else {
        throw damaged("the checksum is wrong")
      }
      return false
    default: throw failure()
    }
  }

  /// Returns the first bytes of the current member, or all of a shorter one.
  func readHead(_ count: Int) throws(RSSIError) -> [UInt8] {
    var head = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let read = try read(head: &head, from: filled)
      if read == 0 { break }
      filled += read
    }
    return Array(head[..<filled])
  }

  private func read(head: inout [UInt8], from start: Int) throws(RSSIError) -> Int {
    let count = head.withUnsafeMutableBytes { bytes in
      Result { () throws(RSSIError) in
        try read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
      }
    }
    return try count.get()
  }

  private func fillBlock() -> Int {
    guard head.isEmpty else {
      head.withUnsafeBytes { block.copyMemory(from: $0) }
      defer { head = [] }
      return head.count
    }
    return (try? outer?.read(into: block)) ?? -1
  }

  private func failure() -> RSSIError {
    let reason = archive_error_string(reader).map { String(cString: $0) } ?? "unknown error"
    return damaged(reason)
  }

  private func damaged(_ reason: String) -> RSSIError {
    RSSIError(
      .badInput, "the \(form.rawValue) data is damaged or cut off (\(reason))", in: path,
      advice: "copy the file again")
  }
}

/// The checksum at the end of a gzip file, which libarchive does not compare.
///
/// A file of several members, as `cat` and `pigz` make them, has one for each; that of the last is
/// compared only if its length is that of everything.
///
/// Source: RFC 1952, section 2.3.1.
struct GzipChecksum {
  private let expected: (checksum: UInt32, length: UInt32)
  private var checksum: UInt32 = 0
  private var length: UInt32 = 0

  /// Reads the last bytes of an open file, or returns `nil` if it is too short.
  init?(_ descriptor: Int32) {
    guard let size = regularFileLength(descriptor), size >= 18,
      let trailer = bytes(ofFile: descriptor, at: size - 8, count: 8)
    else { return nil }
    expected = (
      trailer.span.bigEndian32(at: 0).byteSwapped, trailer.span.bigEndian32(at: 4).byteSwapped
    )
  }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    checksum = libdeflate_crc32(checksum, bytes.baseAddress, bytes.count)
    length &+= UInt32(truncatingIfNeeded: bytes.count)
  }

  /// A Boolean value that is true if the bytes so far are as many as at the end, but others.
  var isWrong: Bool { length == expected.length && checksum != expected.checksum }
}
