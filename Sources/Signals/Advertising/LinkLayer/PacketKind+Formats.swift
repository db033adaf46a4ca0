// What packets between a controller and its host are, by the numbers that formats give them.
extension PacketKind {
  /// What a packet is by the type byte that H4 has before it; nil for an HCI event.
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

  /// What a packet of the Linux monitor is by its opcode; nil for an HCI event.
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
