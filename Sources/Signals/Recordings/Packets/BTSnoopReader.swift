public import Advertising
public import Sightings
public import Support

/// One packet of a btsnoop file, without its bytes.
public struct BTSnoopPacket: Equatable, Sendable {
  /// The time of recording, in nanoseconds since the Unix epoch.
  public var time: Int64
  /// The adapter's index in a monitor recording, else 0.
  public var adapter: UInt16
  /// The kind of the packet unless it is an HCI event; the bytes of an event start with its code.
  package var kind: PacketKind?
  /// The packets lost since the previous one, as the recording program counted them.
  public var lost: UInt64 = 0

  /// A Boolean value that is true if the bytes are an HCI event.
  public var isEvent: Bool { kind == nil }
}

/// A reader of btsnoop files (btmon, hcidump, Android) in constant memory.
///
/// A truncated record, or one with an impossible length, is counted in `rejections`. Reading
/// continues at the start of the next recording if several were concatenated, such as a phone's
/// logs.
/// phone's logs.
///
/// ```swift
/// var reader = try BTSnoopReader(path: "walk.btsnoop")
/// let counts = try reader.decode(into: &sink)
/// print(counts.packets, counts.rejectedPackets)
/// ```
public struct BTSnoopReader: ~Copyable {
  package private(set) var datalink: BTSnoopDatalink
  /// The number of complete records, of every kind.
  public private(set) var packets = 0
  /// The packets lost since the file began, as the recording program counted them.
  public private(set) var drops: UInt64 = 0
  /// The counts of the packets that `decode` read, even if it threw.
  public private(set) var counts = DecodingCounts()
  /// The numbers of rejected records, by reason.
  public private(set) var rejections = RejectionCounts()
  /// Further facts about the file.
  package private(set) var account = RecordingAccount()
  private var file: FileBlocks
  /// The drop counter of the latest record, followed by the drops not yet attributed to a packet.
  private var lastDrops: UInt32 = 0
  private var untold: UInt64 = 0

  /// Opens a file and reads its header; `-` is the standard input.
  ///
  /// - Parameter progress: A closure that receives the number of bytes read.
  public init(
    path: String, progress: any ActivityProgress = SilentLog()
  ) throws(RSSIError) {
    var file = try FileBlocks(path: path, progress: progress)
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
    self.datalink = datalink
    self.file = file
  }

  /// Passes every remaining packet to a closure; the bytes are valid only during the call.
  ///
  /// - Throws: `RSSIError` if the file cannot be read, or any error of the closure.
  public mutating func forEachPacket(
    _ body: (BTSnoopPacket, Span<UInt8>) throws -> Void
  ) throws {
    defer { account.end(file) }
    let header = BTSnoopFormat.recordHeaderLength
    while try file.require(header) {
      let (original, length) = file.withBytes(0..<8) {
        (Int($0.bigEndian32(at: 0)), Int($0.bigEndian32(at: 4)))
      }
      guard length <= BTSnoopFormat.maximumLength else {
        guard try resume(after: .oversizedRecord) else { return }
        continue
      }
      let isWhole = try file.require(header + length)
      guard isWhole, try !isCut(to: header + length) else {
        guard try resume(after: .truncatedRecord) else { return }
        continue
      }
      let (packet, drops) = file.withBytes(0..<(header + min(length, 1))) {
        (describe($0), $0.bigEndian32(at: 12))
      }
      guard packet != nil || length > 0 else {
        // Zeros that a program wrote ahead of the records.
        guard try resume(after: .damagedRecord) else { return }
        continue
      }
      packets += 1
      note(drops: drops)
      if original > length { account.noteCut(to: length) }
      if var packet {
        account.clock.note(
          packet.time, adapter: packet.adapter, isOfHost: !packet.isEvent)
        packet.lost = untold
        untold = 0
        let type = datalink == .h4 ? min(length, 1) : 0
        try file.withBytes((header + type)..<(header + length)) { try body(packet, $0) }
      } else {
        rejections.add(.badTime)
      }
      file.skip(header + length)
    }
    if file.available > 0 { while try resume(after: .truncatedRecord) {} }
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
    let isMonitor = datalink == .monitor
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
      rejections.add(reason)
      account.skip(from: start, to: file.position)
    }
    guard isFound else { return false }
    let number = file.withBytes(12..<16) { $0.bigEndian32(at: 0) }
    datalink = BTSnoopDatalink(rawValue: number) ?? datalink
    lastDrops = 0
    account.beginRecording()
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
    losses.add(untold)
    try losses.flush(into: &sink)
    try account.finish(into: &sink)
    try decoder.flush(into: &sink)
  }

  /// Processes a record's drop counter. A lower value than before restarted at zero: the loss in
  /// between is unknown, so it is not counted.
  private mutating func note(drops count: UInt32) {
    if count > lastDrops {
      untold += UInt64(count - lastDrops)
      drops += UInt64(count - lastDrops)
    }
    lastDrops = count
  }

  /// Returns the packet that a record's header and the first byte of its packet describe, or `nil`
  /// if the time is implausible.
  private func describe(_ record: Span<UInt8>) -> BTSnoopPacket? {
    let flags = record.bigEndian32(at: 8)
    let microseconds = Int64(bitPattern: record.bigEndian64(at: 16))
      .subtractingReportingOverflow(BTSnoopFormat.epoch)
    let time = microseconds.partialValue.multipliedReportingOverflow(by: 1000)
    guard !microseconds.overflow, !time.overflow else { return nil }
    var packet = BTSnoopPacket(time: time.partialValue, adapter: 0, kind: nil)
    switch datalink {
    case .hci: packet.kind = flags & 3 == 3 ? nil : flags & 2 == 0 ? .aclData : .command
    case .h4:
      packet.kind =
        record.count > BTSnoopFormat.recordHeaderLength
        ? PacketKind.ofH4(type: record[BTSnoopFormat.recordHeaderLength]) : .unknownType
    case .monitor:
      packet.kind = PacketKind.ofMonitor(opcode: UInt16(flags & 0xFFFF))
      packet.adapter = UInt16(truncatingIfNeeded: flags >> 16)
    }
    return packet
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

/// The times in which a recording lost packets, whose receiver may be known only later.
struct RecordedLosses {
  /// A Boolean value that is true if each packet identifies the receiver that lost something; on
  /// the Linux monitor only events do.
  let namesAdapter: Bool
  private var pending: Loss?
  private var latest: Int64?
  private var adapter: UInt16 = 0

  init(namesAdapter: Bool) { self.namesAdapter = namesAdapter }

  /// Processes the next packet, and passes on earlier losses.
  mutating func note<Sink: RecordingSink & ~Copyable>(
    _ packet: BTSnoopPacket, into sink: inout Sink
  ) throws {
    if packet.lost > 0 {
      let start = pending?.start ?? min(latest ?? packet.time, packet.time)
      pending = Loss(
        adapter: 0, reason: .overflow, start: start, end: max(start, packet.time),
        dropped: packet.lost + (pending?.dropped ?? 0))
    }
    latest = packet.time
    guard packet.isEvent || namesAdapter else { return }
    adapter = packet.adapter
    if pending != nil { try flush(into: &sink) }
  }

  /// Adds losses after the last packet.
  mutating func add(_ lost: UInt64) {
    guard lost > 0, let time = pending?.end ?? latest else { return }
    let start = pending?.start ?? time
    pending = Loss(
      adapter: 0, reason: .overflow, start: start, end: time,
      dropped: lost + (pending?.dropped ?? 0))
  }

  /// Passes on the remaining losses.
  mutating func flush<Sink: RecordingSink & ~Copyable>(into sink: inout Sink) throws {
    guard var loss = pending else { return }
    pending = nil
    loss.adapter = adapter
    try sink.lost(loss)
  }
}
