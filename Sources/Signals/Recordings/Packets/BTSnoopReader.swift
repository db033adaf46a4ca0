public import Advertising
public import Sightings
public import Support

/// A reader of btsnoop files (btmon, hcidump, Android) in constant memory.
///
/// A truncated record, or one with an impossible length, is counted in `rejections`. Reading
/// continues at the start of the next recording if several were concatenated, such as a phone's
/// logs.
///
/// ```swift
/// var reader = try BTSnoopReader(path: "walk.btsnoop")
/// let counts = try reader.decode(into: &sink)
/// print(counts.packets, counts.rejectedPackets)
/// ```
public struct BTSnoopReader: ~Copyable {
  /// The counts of the packets that `decode` read, even if it threw.
  public private(set) var counts = DecodingCounts()
  private var file: FileBlocks
  private var records: BTSnoopRecords

  package var datalink: BTSnoopDatalink { records.datalink }
  /// The number of complete records, of every kind.
  public var packets: Int { records.packets }
  /// The packets lost since the file began, as the recording program counted them.
  public var drops: UInt64 { records.drops }
  /// The numbers of rejected records, by reason.
  public var rejections: RejectionCounts { records.rejections }
  /// Further facts about the file.
  package var account: RecordingAccount { records.account }

  /// Opens a file and reads its header; `-` is the standard input.
  ///
  /// - Parameter progress: A closure that receives the number of bytes read.
  public init(
    path: String, progress: any ActivityProgress = SilentLog()
  ) throws(RSSIError) {
    try self.init(path: path, window: 1 << 18, progress: progress)
  }

  /// - Parameter window: The size of the window in bytes, at least that of the longest record and
  ///   the header after it.
  init(
    path: String, window: Int, progress: any ActivityProgress = SilentLog()
  ) throws(RSSIError) {
    var file = try FileBlocks(path: path, capacity: window, progress: progress)
    file.endsAtDamage = true
    let whole = try file.require(BTSnoopFormat.headerLength)
    if file.available == 0 { throw .empty(path: path) }
    let length = min(file.available, BTSnoopFormat.magic.count)
    let hasMagic = file.withBytes(0..<length) { bytes in
      bytes.indices.allSatisfy { bytes[$0] == BTSnoopFormat.magic[$0] }
    }
    guard whole, hasMagic else { throw .wrongFormat(path: path, expected: "btsnoop") }
    let version = file.withBytes(8..<12) { $0.bigEndian32(at: 0) }
    guard version == BTSnoopFormat.version else {
      throw .unsupportedVersion(path: path, version: version)
    }
    let number = file.withBytes(12..<16) { $0.bigEndian32(at: 0) }
    guard let datalink = BTSnoopDatalink(rawValue: number) else {
      throw .unsupportedDatalink(path: path, datalink: number)
    }
    file.skip(BTSnoopFormat.headerLength)
    file.look(for: BTSnoopFormat.magic)
    self.file = file
    records = BTSnoopRecords(datalink)
  }

  /// Passes every remaining packet to a closure; the bytes are valid only during the call.
  ///
  /// - Throws: `RSSIError` if the file cannot be read, or any error of the closure.
  public mutating func forEachPacket(
    _ body: (BTSnoopPacket, Span<UInt8>) throws -> Void
  ) throws {
    defer { records.account.end(file) }
    let header = BTSnoopFormat.recordHeaderLength
    while true {
      try passWholeRecords(body)
      // The next record continues outside the window, or is unusual.
      guard try file.require(header) else { break }
      let length = file.withBytes(4..<8) { Int($0.bigEndian32(at: 0)) }
      guard length <= BTSnoopFormat.maximumLength else {
        guard try resume(after: .oversizedRecord) else { return }
        continue
      }
      let isWhole = try file.require(header + length)
      guard isWhole, try !isCut(to: header + length) else {
        guard try resume(after: .truncatedRecord) else { return }
        continue
      }
      let hasPacket = file.withBytes(0..<header + length) { records.packet(of: $0) != nil }
      guard hasPacket || length > 0 else {
        // Zeros that a program wrote ahead of the records.
        guard try resume(after: .damagedRecord) else { return }
        continue
      }
      try file.withBytes(0..<header + length) { try records.pass($0, to: body) }
      file.skip(header + length)
    }
    if file.available > 0 { while try resume(after: .truncatedRecord) {} }
  }

  /// Passes on the records that are completely in memory, up to an unusual one.
  private mutating func passWholeRecords(
    _ body: (BTSnoopPacket, Span<UInt8>) throws -> Void
  ) throws {
    let header = BTSnoopFormat.recordHeaderLength
    let end = file.nextFile(within: file.available) ?? file.available
    var place = 0
    defer { file.skip(place) }
    try file.withBytes(0..<end) { window in
      while place + header < end {
        let length = Int(window.bigEndian32(at: place + 4))
        let next = place + header + length
        guard length > 0, length <= BTSnoopFormat.maximumLength, next <= end else { return }
        try records.pass(window.extracting(place..<next), to: body)
        place = next
      }
    }
  }

  /// Returns a Boolean value that is true if another recording starts within the record, which was
  /// therefore truncated, rather than being packet data followed by a record.
  private mutating func isCut(to end: Int) throws(RSSIError) -> Bool {
    while let place = file.nextFile(within: end) {
      guard try beginsRecording(at: place) else {
        file.passNextFile()
        continue
      }
      let header = BTSnoopFormat.recordHeaderLength
      let isFollowed =
        try file.require(end + header)
        ? file.withBytes(end..<end + header) { $0.isRecordHeader } : file.available == end
      if place + BTSnoopFormat.headerLength == end || !isFollowed { return true }
      file.passNextFile()
    }
    return false
  }

  /// Returns a Boolean value that is true if the header of a recording of the same kind is at a
  /// place of the window.
  private mutating func beginsRecording(at place: Int) throws(RSSIError) -> Bool {
    guard try file.require(place + BTSnoopFormat.headerLength) else { return false }
    let isMonitor = records.datalink == .monitor
    return file.withBytes(place..<place + BTSnoopFormat.headerLength) { bytes in
      BTSnoopFormat.magic.indices.allSatisfy { bytes[$0] == BTSnoopFormat.magic[$0] }
        && bytes.bigEndian32(at: 8) == BTSnoopFormat.version
        && BTSnoopDatalink(rawValue: bytes.bigEndian32(at: 12)).map {
          ($0 == .monitor) == isMonitor
        }
          == true
    }
  }

  /// Moves to the next recording in the file, and counts the bytes before it; returns `false` if
  /// there is none.
  private mutating func resume(after reason: Rejection) throws(RSSIError) -> Bool {
    let start = file.position
    var isFound = try beginsRecording(at: 0)
    while !isFound, try file.skipToNextFile() {
      isFound = try beginsRecording(at: 0)
      if !isFound { file.passNextFile() }
    }
    if file.position > start {
      records.rejections.add(reason)
      records.account.skip(from: start, to: file.position)
    }
    guard isFound else { return false }
    let number = file.withBytes(12..<16) { $0.bigEndian32(at: 0) }
    records.beginRecording(BTSnoopDatalink(rawValue: number) ?? records.datalink)
    file.look(for: BTSnoopFormat.magic)
    file.skip(BTSnoopFormat.headerLength)
    return true
  }

  /// Decodes every remaining HCI event and passes the advertising reports to a sink, with the times
  /// of lost packets.
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
    var losses = RecordedLosses(namesAdapter: datalink != .monitor)
    defer {
      counts = decoder.counts
      counts.rejectPackets(rejections)
      counts.unreadBytes = account.unreadBytes
    }
    try forEachPacket { packet, bytes in
      try losses.note(packet, into: &sink)
      if let kind = packet.kind { return decoder.pass(kind) }
      try decoder.decode(bytes, time: packet.time, adapter: packet.adapter, into: &sink)
    }
    losses.add(records.untoldDrops)
    try losses.flush(into: &sink)
    try records.account.finish(into: &sink)
    try decoder.flush(into: &sink)
  }
}

extension Span where Element == UInt8 {
  /// A Boolean value that is true if this looks like the header of a record: not longer than the
  /// packet was, and of a year from 1970 to 2100.
  fileprivate var isRecordHeader: Bool {
    let (original, length) = (bigEndian32(at: 0), bigEndian32(at: 4))
    let time = Int64(bitPattern: bigEndian64(at: 16)) &- BTSnoopFormat.epoch
    return length <= original && length <= BTSnoopFormat.maximumLength
      && (0..<4_102_444_800_000_000).contains(time)
  }
}
