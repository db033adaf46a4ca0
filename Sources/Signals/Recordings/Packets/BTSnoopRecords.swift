package import Advertising
import Sightings

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

/// The records of a btsnoop file: their packets, and counts of them.
struct BTSnoopRecords {
  private(set) var datalink: BTSnoopDatalink
  /// The number of complete records, of every kind.
  private(set) var packets = 0
  /// The packets lost since the file began, as the recording program counted them.
  private(set) var drops: UInt64 = 0
  /// The drops not yet attributed to a packet.
  private(set) var untoldDrops: UInt64 = 0
  var rejections = RejectionCounts()
  var account = RecordingAccount()
  /// The drop counter of the latest record.
  private var lastDrops: UInt32 = 0

  init(_ datalink: BTSnoopDatalink) { self.datalink = datalink }

  /// Starts the next recording of the file.
  mutating func beginRecording(_ datalink: BTSnoopDatalink) {
    self.datalink = datalink
    lastDrops = 0
    account.beginRecording()
  }

  /// Counts a complete record, and passes on its packet if the time is plausible.
  @inline(__always)
  mutating func pass(
    _ record: Span<UInt8>, to body: (BTSnoopPacket, Span<UInt8>) throws -> Void
  ) throws {
    let header = BTSnoopFormat.recordHeaderLength
    let length = record.count - header
    packets += 1
    note(drops: record.bigEndian32(at: 12))
    if record.bigEndian32(at: 0) > length { account.noteCut(to: length) }
    guard var packet = packet(of: record) else { return rejections.add(.badTime) }
    account.clock.note(packet.time, adapter: packet.adapter, isOfHost: !packet.isEvent)
    packet.lost = untoldDrops
    untoldDrops = 0
    let type = datalink == .h4 ? min(length, 1) : 0
    try body(packet, record.extracting(droppingFirst: header + type))
  }

  /// Processes a record's drop counter. A lower value than before restarted at zero: the loss in
  /// between is unknown, so it is not counted.
  private mutating func note(drops count: UInt32) {
    if count > lastDrops {
      untoldDrops += UInt64(count - lastDrops)
      drops += UInt64(count - lastDrops)
    }
    lastDrops = count
  }

  /// Returns the packet that a record describes, or `nil` if the time is implausible.
  @inline(__always)
  func packet(of record: Span<UInt8>) -> BTSnoopPacket? {
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
