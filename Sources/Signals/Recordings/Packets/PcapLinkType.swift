package import Advertising

/// The kind of packets in a pcap or pcapng file.
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
  /// Any other, with the number and name of libpcap.
  case unsupported(number: Int32, name: String)

  /// - Parameter name: A closure that is called for an unsupported type.
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

  /// A Boolean value that is true if packets were received on the air by a sniffer, not reported by
  /// an adapter.
  package var isSniffer: Bool {
    if case .linkLayer = self { true } else { false }
  }

  /// Returns the contents of a packet of an adapter.
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
  /// The kind of the packet; nil for an HCI event.
  var kind: PacketKind?
  /// The adapter's index.
  var adapter: UInt16
  /// The offset at which the packet starts, after the header of the format.
  var start: Int
}
