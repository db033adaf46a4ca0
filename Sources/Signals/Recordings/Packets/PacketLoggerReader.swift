public import Advertising
public import Sightings
public import Support

/// A reader of recordings of Apple's PacketLogger (macOS, iOS) in constant memory.
///
/// A truncated record, or one with an impossible length, is counted in `rejections`. Reading
/// continues where three records follow each other, such as those of a concatenated recording.
public struct PacketLoggerReader: ~Copyable {
  /// The number of complete records, of every kind.
  public private(set) var packets = 0
  /// The numbers of rejected records, by reason.
  public private(set) var rejections = RejectionCounts()
  /// The counts of the packets that `decode` read, even if it threw.
  public private(set) var counts = DecodingCounts()
  /// Further facts about the file.
  package private(set) var account = RecordingAccount()
  private var isBigEndian: Bool
  private var file: FileBlocks

  /// Opens a file; `-` is the standard input.
  ///
  /// - Parameter progress: A closure that receives the number of bytes read.
  public init(
    path: String, progress: any ActivityProgress = SilentLog()
  ) throws(RSSIError) {
    // Room for three records after one.
    var file = try FileBlocks(path: path, capacity: 1 << 19, progress: progress)
    file.endsAtDamage = true
    let whole = try file.require(PacketLoggerFormat.headerLength)
    if file.available == 0 { throw .empty(path: path) }
    guard whole, let isBigEndian = file.withBytes(0..<4, PacketLoggerFormat.isBigEndian) else {
      throw .wrongFormat(path: path, expected: "PacketLogger")
    }
    self.isBigEndian = isBigEndian
    self.file = file
  }

  /// Returns a Boolean value that is true if the first five records of a file, or all of fewer, are
  /// such as PacketLogger writes; the last may be truncated.
  public static func recognizes(path: String) throws(RSSIError) -> Bool {
    var file = try FileBlocks(path: path)
    guard try file.require(4) else { return false }
    guard let isBigEndian = file.withBytes(0..<4, PacketLoggerFormat.isBigEndian) else {
      return false
    }
    for record in 0..<5 {
      guard try file.require(PacketLoggerFormat.headerLength + 1) else { return record > 0 }
      let (isRecord, length) = file.withBytes(0..<13) {
        (
          PacketLoggerFormat.isRecord($0, isBigEndian: isBigEndian),
          $0.number(at: 0, isBigEndian: isBigEndian)
        )
      }
      guard isRecord else { return false }
      guard try file.require(4 + Int(length)) else { return record > 0 }
      file.skip(4 + Int(length))
    }
    return true
  }

  /// Passes every remaining packet to a closure; the bytes are valid only during the call.
  ///
  /// - Parameter body: A closure that receives the time in nanoseconds since the Unix epoch, the
  ///   kind of the packet if it is not an HCI event, and the packet, which starts with the event
  ///   code if it is one.
  /// - Throws: `RSSIError` if the file cannot be read, or any error of the closure.
  package mutating func forEachPacket(
    _ body: (Int64, PacketKind?, Span<UInt8>) throws -> Void
  ) throws {
    defer { account.end(file) }
    let header = PacketLoggerFormat.headerLength
    while try file.require(header) {
      let order = isBigEndian
      let (length, seconds, microseconds) = file.withBytes(0..<header) {
        (
          Int($0.number(at: 0, isBigEndian: order)), $0.number(at: 4, isBigEndian: order),
          $0.number(at: 8, isBigEndian: order)
        )
      }
      guard PacketLoggerFormat.lengths.contains(length) else {
        let isShort = length < PacketLoggerFormat.lengths.lowerBound
        guard try resume(after: isShort ? .damagedRecord : .oversizedRecord) else { return }
        continue
      }
      let isWhole = try file.require(4 + length)
      guard isWhole, try !isCut(to: 4 + length) else {
        guard try resume(after: .truncatedRecord, from: 1) else { return }
        continue
      }
      packets += 1
      if microseconds >= 1_000_000 {
        rejections.add(.badTime)
      } else {
        let time = Int64(seconds) * 1_000_000_000 + Int64(microseconds) * 1000
        let isEmpty = header == 4 + length
        let kind =
          isEmpty
          ? .unknownType
          : file.withBytes(header..<header + 1) { PacketLoggerFormat.kind(of: $0[0]) }
        account.clock.note(time, isOfHost: kind != nil)
        try file.withBytes(header..<(4 + length)) { record in
          try body(time, kind, record.extracting(min(1, record.count)..<record.count))
        }
      }
      file.skip(4 + length)
    }
    if file.available > 0 {
      rejections.add(.truncatedRecord)
      account.skip(from: file.position, to: file.position + file.available)
    }
  }

  /// Returns a Boolean value that is true if the record overlaps others, so that it was truncated.
  private mutating func isCut(to end: Int) throws(RSSIError) -> Bool {
    let header = PacketLoggerFormat.headerLength + 1
    guard try file.require(end + header) else { return false }
    let isBigEndian = isBigEndian
    let seconds = file.withBytes(4..<8) { $0.number(at: 0, isBigEndian: isBigEndian) }
    let isFollowed = file.withBytes(end..<end + header) {
      $0.isRecord(near: seconds, isBigEndian: isBigEndian)
        || $0.isRecord(near: seconds, isBigEndian: !isBigEndian)
    }
    guard !isFollowed else { return false }
    for place in 1..<end where try order(of: place) != nil { return true }
    return false
  }

  /// Returns the byte order of three consecutive records at a place of the window, or of fewer up
  /// to the end of the file, or `nil` if there are none.
  private mutating func order(of place: Int) throws(RSSIError) -> Bool? {
    orders: for isBigEndian in [self.isBigEndian, !self.isBigEndian] {
      var start = place
      var latest: UInt32?
      for _ in 0..<3 {
        let header = PacketLoggerFormat.headerLength + 1
        guard try file.require(start + header) else {
          if start > place, file.available == start { return isBigEndian }
          continue orders
        }
        let (isRecord, length, seconds) = file.withBytes(start..<start + header) {
          (
            PacketLoggerFormat.isRecord($0, isBigEndian: isBigEndian),
            Int($0.number(at: 0, isBigEndian: isBigEndian)),
            $0.number(at: 4, isBigEndian: isBigEndian)
          )
        }
        guard isRecord, isNear(seconds, latest ?? seconds) else { continue orders }
        latest = seconds
        start += 4 + length
      }
      return isBigEndian
    }
    return nil
  }

  /// Moves to the next readable records, and counts the bytes before them; returns `false` if there
  /// are none.
  ///
  /// - Parameter place: The first possible place, relative to the window.
  private mutating func resume(
    after reason: Rejection, from place: Int = 0
  ) throws(RSSIError) -> Bool {
    let start = file.position
    file.skip(place)
    var order: Bool?
    while order == nil, try file.require(1) {
      order = try self.order(of: 0)
      if order == nil { file.skip(1) }
    }
    if file.position > start {
      rejections.add(reason)
      account.skip(from: start, to: file.position)
    }
    guard let order else { return false }
    if order != isBigEndian { account.beginRecording() }
    isBigEndian = order
    return true
  }

  /// Decodes every remaining HCI event and passes the advertising reports to a sink.
  ///
  /// - Returns: The counts of packets, including rejected records.
  /// - Throws: `RSSIError` if the file cannot be read, or any error of the sink.
  @discardableResult
  public mutating func decode<Sink: RecordingSink & ~Copyable>(
    into sink: inout Sink
  ) throws -> DecodingCounts {
    try decodeAll(into: &sink)
    return counts
  }

  private mutating func decodeAll<Sink: RecordingSink & ~Copyable>(into sink: inout Sink) throws {
    var decoder = HCIEventDecoder()
    defer {
      counts = decoder.counts
      counts.rejectPackets(rejections)
      counts.unreadBytes = account.unreadBytes
    }
    try forEachPacket { time, kind, packet in
      if let kind { return decoder.pass(kind) }
      try decoder.decode(packet, time: time, into: &sink)
    }
    try account.finish(into: &sink)
    try decoder.flush(into: &sink)
  }
}

/// Returns a Boolean value that is true if two times in seconds are within a day of each other, as
/// those of neighbours are.
private func isNear(_ one: UInt32, _ other: UInt32) -> Bool {
  max(one, other) - min(one, other) < 86_400
}

extension Span where Element == UInt8 {
  fileprivate func isRecord(near seconds: UInt32, isBigEndian: Bool) -> Bool {
    PacketLoggerFormat.isRecord(self, isBigEndian: isBigEndian)
      && isNear(number(at: 4, isBigEndian: isBigEndian), seconds)
  }
}

/// The file format of Apple's PacketLogger; there is no header, only records.
///
/// | offset | bytes | record |
/// |---|---|---|
/// | 0 | 4 | length of what follows |
/// | 4 | 4 | seconds since the Unix epoch |
/// | 8 | 4 | microseconds |
/// | 12 | 1 | type: 1 is an HCI event |
/// | 13 | n | the packet, without H4 type byte |
///
/// Numbers are big-endian or little-endian, the same in the whole file. The first length determines
/// it, because no length is valid in both orders.
///
/// Source: Wireshark, wiretap/packetlogger.c and epan/dissectors/packet-packetlogger.c.
enum PacketLoggerFormat {
  static let headerLength = 12
  /// The valid lengths of a record.
  static let lengths = 8...65_535
  /// Commands, events, data, link manager packets and the logs of macOS.
  static let types = Set<UInt8>([0, 1, 2, 3, 8, 9, 0x0A, 0x0B]).union(0xF7...0xFE)

  /// Returns the kind of a packet by its type, or `nil` for an HCI event.
  static func kind(of type: UInt8) -> PacketKind? {
    switch type {
    case 0: .command
    case 1: nil
    case 2, 3: .aclData
    case 8, 9: .scoData
    case 0x0A, 0x0B: .linkManager
    case 0xF7...0xFE: .log
    default: .unknownType
    }
  }

  /// Returns a Boolean value that is true if some bytes, at least 13, start with a record header
  /// such as PacketLogger writes.
  static func isRecord(_ bytes: Span<UInt8>, isBigEndian: Bool) -> Bool {
    let length = bytes.number(at: 0, isBigEndian: isBigEndian)
    return lengths.contains(Int(length))
      && bytes.number(at: 8, isBigEndian: isBigEndian) < 1_000_000
      && (length == 8 || types.contains(bytes[12]))
  }

  /// Returns a Boolean value that is true if numbers are big-endian, or `nil` if the first length
  /// is valid in neither order.
  static func isBigEndian(firstLength bytes: Span<UInt8>) -> Bool? {
    let number = bytes.bigEndian32(at: 0)
    if lengths.contains(Int(number)) { return true }
    return lengths.contains(Int(number.byteSwapped)) ? false : nil
  }
}
