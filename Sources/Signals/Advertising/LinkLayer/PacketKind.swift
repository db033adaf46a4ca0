/// The kind of a valid packet without an advertising report.
///
/// Its description is the name under which it is counted in reports and files, such as
/// `le-periodic-advertising-report`: at most 48 lowercase letters, digits and hyphens.
package struct PacketKind: Hashable, Sendable {
  /// The index: HCI events by their code, LE subevents by theirs, then `named`.
  let index: Int

  /// An HCI event, by its event code.
  package static func event(_ code: UInt8) -> PacketKind { PacketKind(index: Int(code)) }

  /// An LE Meta event, by its subevent code.
  package static func lowEnergyEvent(_ subevent: UInt8) -> PacketKind {
    PacketKind(index: 0x100 + Int(subevent))
  }

  private static func named(_ position: Int) -> PacketKind { PacketKind(index: 0x200 + position) }

  // HCI packets that are not events.
  package static let command = named(0)
  package static let aclData = named(1)
  package static let scoData = named(2)
  package static let isoData = named(3)
  /// A packet of a reserved type, or without a type.
  package static let unknownType = named(4)
  /// A message of the link manager protocol, which PacketLogger keeps.
  package static let linkManager = named(5)
  /// A line of a log between the packets.
  package static let log = named(6)
  /// An adapter that was added, opened, closed, removed or described, on the Linux monitor.
  package static let adapterChange = named(7)
  /// A message of Linux's management interface.
  package static let management = named(8)
  package static let vendorDiagnostic = named(9)

  // Link-layer packets that are not advertisements.
  /// SCAN_REQ or AUX_SCAN_REQ.
  package static let scanRequest = named(10)
  /// CONNECT_IND or AUX_CONNECT_REQ.
  package static let connectRequest = named(11)
  package static let connectResponse = named(12)
  /// AUX_SYNC_IND.
  package static let periodicAdvertising = named(13)
  /// A packet with an access address other than that of the advertising channels: of a connection,
  /// isochronous, or of periodic advertising.
  package static let dataChannel = named(14)
  /// A message of the sniffer itself, without a packet.
  package static let snifferMessage = named(15)

  /// A message of a gateway without a report, such as one that repeats the previous one.
  package static let emptyMessage = named(16)
  /// A line of a text without a report of an advertisement.
  package static let otherLine = named(17)
  /// A line of a text with a value of a motion sensor, or of another one than a radio.
  package static let sensorLine = named(18)
  /// The true place of a node at a time, which is kept as truth.
  package static let waypoint = named(19)
  /// The place of a receiver, which is kept.
  package static let anchor = named(20)

  private static let names = [
    "command", "acl-data", "sco-data", "iso-data", "unknown-packet-type", "link-manager", "log",
    "adapter-change", "management", "vendor-diagnostic", "scan-request", "connect-request",
    "connect-response", "periodic-advertising", "data-channel", "sniffer-message", "empty-message",
    "other-line", "sensor-line", "waypoint", "anchor",
  ]

  /// The number of kinds.
  static let count = 0x200 + names.count
}

extension PacketKind: CustomStringConvertible {
  package var description: String {
    switch index {
    case 0..<0x100: Self.eventName(UInt8(index))
    case 0x100..<0x200: Self.lowEnergyEventName(UInt8(index - 0x100))
    default: Self.names[index - 0x200]
    }
  }

  /// Source: Bluetooth Core Specification 5.4, volume 4, part E, section 7.7.
  private static func eventName(_ code: UInt8) -> String {
    switch code {
    case 0x02: "inquiry-result"
    case 0x03: "connection-complete"
    case 0x05: "disconnection-complete"
    case 0x08: "encryption-change"
    case 0x0C: "read-remote-version-information-complete"
    case 0x0E: "command-complete"
    case 0x0F: "command-status"
    case 0x10: "hardware-error"
    case 0x13: "number-of-completed-packets"
    case 0x22: "inquiry-result-with-rssi"
    case 0x2F: "extended-inquiry-result"
    case 0xFF: "vendor-event"
    default: "event-" + hexadecimal(code)
    }
  }

  /// Source: Bluetooth Core Specification 5.4, volume 4, part E, section 7.7.65.
  private static func lowEnergyEventName(_ subevent: UInt8) -> String {
    switch subevent {
    case 0x01: "le-connection-complete"
    case 0x03: "le-connection-update-complete"
    case 0x04: "le-read-remote-features-complete"
    case 0x05: "le-long-term-key-request"
    case 0x06: "le-remote-connection-parameter-request"
    case 0x07: "le-data-length-change"
    case 0x0A: "le-enhanced-connection-complete"
    case 0x0C: "le-phy-update-complete"
    case 0x0E: "le-periodic-advertising-sync-established"
    case 0x0F: "le-periodic-advertising-report"
    case 0x10: "le-periodic-advertising-sync-lost"
    case 0x11: "le-scan-timeout"
    case 0x12: "le-advertising-set-terminated"
    case 0x13: "le-scan-request-received"
    case 0x14: "le-channel-selection-algorithm"
    default: "le-event-" + hexadecimal(subevent)
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return "0x" + (digits.count < 2 ? "0" : "") + digits
  }
}

/// The number of packets of each kind.
package struct PacketKindCounts: Equatable, Sendable {
  /// The counts, one per kind.
  private var counts = [Int](repeating: 0, count: PacketKind.count)

  package init() {}

  /// The count of one kind.
  package subscript(kind: PacketKind) -> Int { counts[kind.index] }

  /// The count of all kinds.
  package private(set) var total = 0

  /// Counts one or several packets.
  package mutating func add(_ kind: PacketKind, count: Int = 1) {
    counts[kind.index] += count
    total += count
  }

  /// Adds the counts of another source.
  package mutating func merge(_ other: PacketKindCounts) {
    guard other.total > 0 else { return }
    for index in counts.indices { counts[index] += other.counts[index] }
    total += other.total
  }
}

extension PacketKindCounts: Sequence {
  /// Returns the kinds that occurred, with their counts.
  package func makeIterator() -> some IteratorProtocol<(kind: PacketKind, count: Int)> {
    counts.enumerated().lazy.filter { $0.element > 0 }
      .map { (kind: PacketKind(index: $0.offset), count: $0.element) }.makeIterator()
  }
}

// The kinds of packets between a controller and its host, by the numbers of formats.
extension PacketKind {
  /// Returns the kind of a packet by its preceding H4 type byte, or `nil` for an HCI event.
  ///
  /// Source: Bluetooth Core Specification 5.4, volume 4, part A, section 2.
  package static func ofH4(type: UInt8) -> PacketKind? {
    switch type {
    case 1: .command
    case 2: .aclData
    case 3: .scoData
    case 4: nil
    case 5: .isoData
    default: .unknownType
    }
  }

  /// Returns the kind of a packet of the Linux monitor by its opcode, or `nil` for an HCI event.
  ///
  /// Source: BlueZ, src/shared/btsnoop.h.
  package static func ofMonitor(opcode: UInt16) -> PacketKind? {
    switch opcode {
    case 0, 1, 8, 9, 10: .adapterChange
    case 2: .command
    case 3: nil
    case 4, 5: .aclData
    case 6, 7: .scoData
    case 11: .vendorDiagnostic
    case 12, 13: .log
    case 14...17: .management
    case 18, 19: .isoData
    default: .unknownType
    }
  }
}
