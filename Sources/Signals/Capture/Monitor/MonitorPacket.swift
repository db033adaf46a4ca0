internal import Advertising

/// A packet of the kernel's monitor channel.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 2 | opcode |
/// | 2 | 2 | the adapter's number; 0xFFFF = none |
/// | 4 | 2 | length of what follows |
///
/// All numbers are least significant byte first. Source: BlueZ, monitor/bt.h, src/shared/btsnoop.h.
enum MonitorPacket: Equatable {
  /// An adapter appeared.
  case appeared
  /// An adapter disappeared.
  case disappeared
  /// An adapter was switched on.
  case on
  /// An adapter was switched off.
  case off
  /// The address of an adapter and its manufacturer's identifier.
  case identity(address: String, manufacturer: UInt16)
  /// A command from a program or the kernel.
  case command(opcode: UInt16, parameters: Range<Int>)
  /// An HCI event, from its event code on.
  case event(Range<Int>)
  /// Anything else, such as audio.
  case other(PacketKind)

  /// The kind under which it is counted; nil for an HCI event.
  var kind: PacketKind? {
    switch self {
    case .appeared, .disappeared, .on, .off, .identity: .adapterChange
    case .command: .command
    case .event: nil
    case .other(let kind): kind
    }
  }

  /// Reads a packet; returns nil if its lengths contradict each other.
  static func read(_ bytes: Span<UInt8>) -> (adapter: UInt16, packet: MonitorPacket)? {
    guard bytes.count >= 6, Int(word(bytes, at: 4)) == bytes.count - 6 else { return nil }
    let adapter = word(bytes, at: 2)
    let content = 6..<bytes.count
    switch word(bytes, at: 0) {
    case 0: return (adapter, .appeared)
    case 1: return (adapter, .disappeared)
    case 2:
      guard content.count >= 3, Int(bytes[8]) == content.count - 3 else { return nil }
      return (adapter, .command(opcode: word(bytes, at: 6), parameters: 9..<bytes.count))
    case 3: return (adapter, .event(content))
    case 8: return (adapter, .on)
    case 9: return (adapter, .off)
    case 10:
      guard content.count >= 8 else { return nil }
      let address = addressText(bytes.extracting(6..<12))
      return (adapter, .identity(address: address, manufacturer: word(bytes, at: 12)))
    case let opcode: return (adapter, .other(.ofMonitor(opcode: opcode) ?? .unknownType))
    }
  }

  private static func word(_ bytes: Span<UInt8>, at offset: Int) -> UInt16 {
    UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
  }
}
