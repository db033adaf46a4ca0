public import Advertising

/// What each packet of a pcap or pcapng file is.
///
/// | number | packet |
/// |---|---|
/// | 187 | H4: type 1 (4 event), then HCI |
/// | 201 | direction 4, then as 187 |
/// | 254 | Linux monitor: adapter 2, opcode 2 (3 event), both big endian, then HCI |
/// | 251, 256, 272 | a link-layer packet, see `LinkLayerFraming` |
///
/// Source: tcpdump.org, link-layer header types.
public enum PcapLinkType: Equatable, Sendable {
  case h4
  case h4WithDirection
  case monitor
  case linkLayer(LinkLayerFraming)
  /// Any other; its number and name are libpcap's.
  case unsupported(number: Int32, name: String)

  /// - Parameter name: called for a type that is not read.
  init(number: Int32, name: @autoclosure () -> String) {
    self =
      switch number {
      case 187: .h4
      case 201: .h4WithDirection
      case 251: .linkLayer(.none)
      case 254: .monitor
      case 256: .linkLayer(.radio)
      case 272: .linkLayer(.nordic)
      default: .unsupported(number: number, name: name())
      }
  }

  /// Whether packets were heard on the air, by a sniffer, and not told by an adapter.
  public var isSniffer: Bool {
    if case .linkLayer = self { true } else { false }
  }

  /// The HCI event that a packet of an adapter is; nil where it is anything else.
  ///
  /// - Returns: the adapter's index and where the event begins.
  func event(in packet: Span<UInt8>) throws(Rejection) -> (adapter: UInt16, start: Int)? {
    switch self {
    case .h4:
      guard packet.count > 0 else { throw .truncatedPacket }
      return packet[0] == 4 ? (0, 1) : nil
    case .h4WithDirection:
      guard packet.count > 4 else { throw .truncatedPacket }
      return packet[4] == 4 ? (0, 5) : nil
    case .monitor:
      guard packet.count >= 4 else { throw .truncatedPacket }
      let header = packet.bigEndian32(at: 0)
      return header & 0xFFFF == 3 ? (UInt16(header >> 16), 4) : nil
    case .linkLayer, .unsupported: return nil
    }
  }
}
