public import Advertising
public import Sightings
public import Support

/// One packet of a btsnoop file, without its bytes.
public struct BTSnoopPacket: Equatable, Sendable {
  /// When it was recorded, in nanoseconds since the Unix epoch.
  public var time: Int64
  /// The adapter's index in a monitor recording, else 0.
  public var adapter: UInt16
  /// What the packet is unless it is an HCI event; the bytes of an event begin with its code.
  package var kind: PacketKind?
  /// Packets lost since the one before, as the recording program counted them.
  public var lost: UInt64 = 0

  /// Whether the bytes are an HCI event.
  public var isEvent: Bool { kind == nil }
}

/// Reads btsnoop files (btmon, hcidump, Android) in constant memory.
///
/// A record cut by the end of the file, or with a length no packet has, is counted in `rejections`
/// and ends the reading; all before it is delivered.
///
/// ```swift
/// var reader = try BTSnoopReader(path: "walk.btsnoop")
/// let counts = try reader.decode(into: &sink)
/// print(counts.packets, counts.rejectedPackets)
/// ```
public struct BTSnoopReader: ~Copyable {
  package let datalink: BTSnoopDatalink
  /// Records read whole, of every kind.
  public private(set) var packets = 0
  /// Packets lost since the file began, as the recording program counted them.
  public private(set) var drops: UInt64 = 0
  /// What became of the packets that `decode` read, also where it threw.
  public private(set) var counts = DecodingCounts()
  /// Records refused, by reason.
  public private(set) var rejections = RejectionCounts()
  private var file: FileBlocks
  /// The running count of drops of the latest record, and what of `drops` no packet has stated yet.
  private var lastDrops: UInt32 = 0
  private var untold: UInt64 = 0

  /// Opens a file and reads its header; `-` is the standard input.
  ///
  /// - Parameter progress: receives how many bytes were read.
  public init(
    path: String, progress: any ActivityProgress = SilentLog()
  ) throws(RSSIError) {
    var file = try FileBlocks(path: path, progress: progress)
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
    self.datalink = datalink
    self.file = file
  }

  /// Hands every remaining packet to a closure; the bytes are gone when it returns.
  ///
  /// - Throws: `RSSIError` where the file cannot be read, and what the closure throws.
  public mutating func forEachPacket(
    _ body: (BTSnoopPacket, Span<UInt8>) throws -> Void
  ) throws {
    let header = BTSnoopFormat.recordHeaderLength
    while try file.require(header) {
      let length = Int(file.withBytes(4..<8) { $0.bigEndian32(at: 0) })
      guard length <= BTSnoopFormat.maximumLength else { return rejections.add(.oversizedRecord) }
      guard try file.require(header + length) else { return rejections.add(.truncatedRecord) }
      packets += 1
      let (packet, drops) = file.withBytes(0..<(header + min(length, 1))) {
        (describe($0), $0.bigEndian32(at: 12))
      }
      note(drops: drops)
      if var packet {
        packet.lost = untold
        untold = 0
        let type = datalink == .h4 ? min(length, 1) : 0
        try file.withBytes((header + type)..<(header + length)) { try body(packet, $0) }
      } else {
        rejections.add(.badTime)
      }
      file.skip(header + length)
    }
    if file.available > 0 { rejections.add(.truncatedRecord) }
  }

  /// Decodes every remaining HCI event and hands the advertising reports to a sink, with the times
  /// in which packets were lost.
  ///
  /// - Returns: what became of the packets, the rejected records among them.
  /// - Throws: `RSSIError` where the file cannot be read, and what the sink throws.
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
    }
    try forEachPacket { packet, bytes in
      try losses.note(packet, into: &sink)
      if let kind = packet.kind { return decoder.pass(kind) }
      try decoder.decode(bytes, time: packet.time, adapter: packet.adapter, into: &sink)
    }
    losses.add(untold)
    try losses.flush(into: &sink)
    try decoder.flush(into: &sink)
  }

  /// Takes a record's running count of drops. A lower one than before began again at zero: how much
  /// was lost meanwhile is not known, so it is not counted as a loss.
  private mutating func note(drops count: UInt32) {
    if count > lastDrops {
      untold += UInt64(count - lastDrops)
      drops += UInt64(count - lastDrops)
    }
    lastDrops = count
  }

  /// What a record's header and the first byte of its packet state; nil where the time is absurd.
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
