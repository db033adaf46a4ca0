public import Advertising

/// One packet of a btsnoop file, without its bytes.
public struct BTSnoopPacket: Equatable, Sendable {
  /// When it was recorded, in nanoseconds since the Unix epoch.
  public var time: Int64
  /// The adapter's index in a monitor recording, else 0.
  public var adapter: UInt16
  /// Whether the bytes are an HCI event, from the event code on.
  public var isEvent: Bool
}

/// Reads btsnoop files (btmon, hcidump, Android) in constant memory.
///
/// A record cut by the end of the file, or with a length no packet has, is counted in `rejections`
/// and ends the reading; all before it is delivered.
public struct BTSnoopReader: ~Copyable {
  public let datalink: BTSnoopDatalink
  /// Records read whole, of every kind.
  public private(set) var packets = 0
  /// Packets the recording program says it lost.
  public private(set) var drops = 0
  /// Records refused, by reason.
  public private(set) var rejections = RejectionCounts()
  private var file: FileBlocks

  /// Opens a file and reads its header; `-` is the standard input.
  public init(path: String) throws(RecordingError) {
    var file = try FileBlocks(path: path)
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
  /// - Throws: `RecordingError` where the file cannot be read, and what the closure throws.
  public mutating func forEachPacket(
    _ body: (BTSnoopPacket, Span<UInt8>) throws -> Void
  ) throws {
    let header = BTSnoopFormat.recordHeaderLength
    while try file.require(header) {
      let length = Int(file.withBytes(4..<8) { $0.bigEndian32(at: 0) })
      guard length <= BTSnoopFormat.maximumLength else { return rejections.add(.oversizedRecord) }
      guard try file.require(header + length) else { return rejections.add(.truncatedRecord) }
      packets += 1
      let (packet, lost) = file.withBytes(0..<(header + min(length, 1))) { describe($0) }
      drops = max(drops, lost)
      if let packet {
        let type = datalink == .h4 ? min(length, 1) : 0
        try file.withBytes((header + type)..<(header + length)) { try body(packet, $0) }
      } else {
        rejections.add(.badTime)
      }
      file.skip(header + length)
    }
    if file.available > 0 { rejections.add(.truncatedRecord) }
  }

  /// Decodes every remaining HCI event and hands the advertising reports to a sink.
  ///
  /// - Returns: what was decoded, with the rejected records among the rejections.
  /// - Throws: `RecordingError` where the file cannot be read, and what the sink throws.
  public mutating func decode<Sink: ReportSink & ~Copyable>(
    into sink: inout Sink
  ) throws -> DecodingCounts {
    var decoder = HCIEventDecoder()
    try forEachPacket { packet, bytes in
      guard packet.isEvent else { return }
      try decoder.decode(bytes, time: packet.time, adapter: packet.adapter, into: &sink)
    }
    try decoder.flush(into: &sink)
    var counts = decoder.counts
    counts.rejections.merge(rejections)
    return counts
  }

  /// What a record's header and the first byte of its packet say; no packet where the time is absurd.
  private func describe(_ record: Span<UInt8>) -> (BTSnoopPacket?, drops: Int) {
    let flags = record.bigEndian32(at: 8)
    let drops = Int(record.bigEndian32(at: 12))
    let microseconds = Int64(bitPattern: record.bigEndian64(at: 16))
      .subtractingReportingOverflow(BTSnoopFormat.epoch)
    let time = microseconds.partialValue.multipliedReportingOverflow(by: 1000)
    guard !microseconds.overflow, !time.overflow else { return (nil, drops) }
    var packet = BTSnoopPacket(time: time.partialValue, adapter: 0, isEvent: false)
    switch datalink {
    case .hci: packet.isEvent = flags & 3 == 3
    case .h4:
      packet.isEvent =
        record.count > BTSnoopFormat.recordHeaderLength
        && record[BTSnoopFormat.recordHeaderLength] == 4
    case .monitor:
      packet.isEvent = flags & 0xFFFF == 3
      packet.adapter = UInt16(truncatingIfNeeded: flags >> 16)
    }
    return (packet, drops)
  }
}
