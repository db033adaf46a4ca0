package import Advertising

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
package enum PcapLinkType: Equatable, Sendable {
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

  /// Whether packets were heard on the air, by a sniffer, and not stated by an adapter.
  package var isSniffer: Bool {
    if case .linkLayer = self { true } else { false }
  }

  /// What a packet of an adapter is.
  func contents(of packet: Span<UInt8>) throws(Rejection) -> AdapterPacket {
    switch self {
    case .h4:
      guard packet.count > 0 else { throw .truncatedPacket }
      return AdapterPacket(kind: PacketKind.ofH4(type: packet[0]), adapter: 0, start: 1)
    case .h4WithDirection:
      guard packet.count > 4 else { throw .truncatedPacket }
      return AdapterPacket(kind: PacketKind.ofH4(type: packet[4]), adapter: 0, start: 5)
    case .monitor:
      guard packet.count >= 4 else { throw .truncatedPacket }
      let header = packet.bigEndian32(at: 0)
      return AdapterPacket(
        kind: PacketKind.ofMonitor(opcode: UInt16(header & 0xFFFF)), adapter: UInt16(header >> 16),
        start: 4)
    case .linkLayer, .unsupported: throw .unsupportedLinkType
    }
  }
}

/// A packet between an adapter and its host.
struct AdapterPacket {
  /// What it is; nil for an HCI event.
  var kind: PacketKind?
  /// The adapter's index.
  var adapter: UInt16
  /// Where the packet begins behind what the format writes before it.
  var start: Int
}
