public import Advertising
internal import CPcap
import Glibc
public import Sightings
public import Support

/// Reads pcap and pcapng files of Bluetooth through libpcap, in constant memory.
///
/// Times are exact to the nanosecond where the file's are. A file that is cut or damaged gives all
/// before the damage, and the recordings of the same link type that were joined to it; what is lost
/// is counted in `rejections`. Interfaces of one link type are read as one.
public struct PcapReader: ~Copyable {
  package let linkType: PcapLinkType
  /// Packets read whole, of every kind.
  public private(set) var packets = 0
  /// Records refused, by reason.
  public private(set) var rejections = RejectionCounts()
  /// The counts of the packets that `decode` read, also if it threw.
  public private(set) var counts = DecodingCounts()
  /// The further facts of the file.
  package private(set) var account = RecordingAccount()
  private let path: String
  private let stream: CaptureStream
  private var reader: OpaquePointer
  /// The bytes of a pcap file up to the packet that is read next, from where the recording begins.
  private var consumed = CaptureFormat.pcapHeaderLength

  /// Returns true if a file that begins with these bytes is a pcap or pcapng file.
  public static func recognizes(_ head: [UInt8]) -> Bool { CaptureFormat(of: head.span) != nil }

  /// Opens a file and reads its header; `-` is the standard input.
  ///
  /// - Parameter progress: receives how many bytes were read.
  public init(
    path: String, progress: any ActivityProgress = SilentLog()
  ) throws(RSSIError) {
    let stream = try CaptureStream(path: path, progress)
    if try stream.isEmpty() { throw .empty(path: path) }
    let reader = try Self.open(stream, path)
    let number = pcap_datalink(reader)
    linkType = PcapLinkType(number: number, name: Self.name(of: number))
    self.path = path
    self.stream = stream
    self.reader = reader
  }

  deinit { pcap_close(reader) }

  /// Opens the recording at the place where the stream is.
  private static func open(_ stream: CaptureStream, _ path: String) throws(RSSIError)
    -> OpaquePointer
  {
    guard let file = stream.open() else {
      throw .readFailed(path: path, reason: systemMessage(errno))
    }
    var message = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
    guard let reader = cpcap_open(file, &message) else {
      fclose(file)
      if let failure = stream.failure { throw failure }
      let reason = message.withUnsafeBufferPointer {
        $0.baseAddress.map { String(cString: $0) } ?? ""
      }
      if reason == "unknown file format" { throw .wrongFormat(path: path, expected: "pcap") }
      throw .unreadableCapture(path: path, reason: reason)
    }
    return reader
  }

  /// Hands every remaining packet to a closure; the bytes are gone when it returns.
  ///
  /// - Parameter body: gets the time in nanoseconds since the Unix epoch, and the packet.
  /// - Throws: `RSSIError` where the file cannot be read, and what the closure throws.
  public mutating func forEachPacket(_ body: (Int64, Span<UInt8>) throws -> Void) throws {
    var packet = cpcap_packet()
    let linkType = linkType
    while true {
      switch cpcap_next(reader, &packet) {
      case 0:
        guard try resume(from: stream.position) else { return }
        continue
      case 1: break
      default:
        try reject(String(cString: pcap_geterr(reader)))
        guard try resume(from: stream.hasBlocks ? stream.block : stream.start + consumed) else {
          return
        }
        continue
      }
      packets += 1
      consumed += stream.recordHeaderLength + packet.count
      if packet.length > packet.count { account.noteCut(to: packet.count) }
      guard let time = Self.time(packet) else {
        rejections.add(.badTime)
        continue
      }
      account.clock.note(time, isOfHost: linkType.isOfHost(packet))
      try body(time, UnsafeBufferPointer(start: packet.bytes, count: packet.count).span)
    }
  }

  /// Moves on to the next recording of the same link type in the file, and counts what is before
  /// it; false where there is none.
  ///
  /// - Parameter end: where in the file the packets before it end.
  private mutating func resume(from end: Int) throws(RSSIError) -> Bool {
    var end = end
    while try stream.beginNext() {
      account.skip(from: end, to: stream.start)
      end = stream.start
      guard let next = try? Self.open(stream, path) else {
        rejections.add(.damagedRecord)
        continue
      }
      guard pcap_datalink(next) == pcap_datalink(reader) else {
        pcap_close(next)
        rejections.add(.unsupportedLinkType)
        continue
      }
      pcap_close(reader)
      reader = next
      consumed = CaptureFormat.pcapHeaderLength
      account.beginRecording()
      return true
    }
    account.skip(from: end, to: stream.position)
    return false
  }

  /// Decodes every remaining packet and hands the advertising reports to a sink.
  ///
  /// - Parameter keepsWrongChecksums: as in `LinkLayerDecoder`.
  /// - Returns: what became of the packets, the rejected records among them.
  /// - Throws: `RSSIError` where the file cannot be read, and what the sink throws.
  @discardableResult
  public mutating func decode<Sink: RecordingSink & ~Copyable>(
    into sink: inout Sink, keepsWrongChecksums: Bool = false
  ) throws -> DecodingCounts {
    try decodeAll(into: &sink, keepsWrongChecksums: keepsWrongChecksums)
    return counts
  }

  private mutating func decodeAll<Sink: RecordingSink & ~Copyable>(
    into sink: inout Sink, keepsWrongChecksums: Bool
  ) throws {
    defer {
      counts.rejectPackets(rejections)
      counts.unreadBytes = account.unreadBytes
    }
    switch linkType {
    case .h4, .h4WithDirection, .monitor: try decodeEvents(into: &sink)
    case .linkLayer(let framing):
      try decodePackets(
        LinkLayerDecoder(framing: framing, keepsWrongChecksums: keepsWrongChecksums), into: &sink)
    case .unsupported:
      var refused = DecodingCounts()
      defer { counts = refused }
      return try forEachPacket { _, _ in refused.rejectPacket(.unsupportedLinkType) }
    }
    try account.finish(into: &sink)
  }

  private mutating func decodePackets<Sink: RecordingSink & ~Copyable>(
    _ decoder: LinkLayerDecoder, into sink: inout Sink
  ) throws {
    var decoder = decoder
    defer { counts = decoder.counts }
    try forEachPacket { time, packet in try decoder.decode(packet, time: time, into: &sink) }
    try decoder.flush(into: &sink)
  }

  private mutating func decodeEvents<Sink: RecordingSink & ~Copyable>(
    into sink: inout Sink
  ) throws {
    let linkType = linkType
    var decoder = HCIEventDecoder()
    defer { counts = decoder.counts }
    try forEachPacket { time, packet in
      let contents: AdapterPacket
      do throws(Rejection) { contents = try linkType.contents(of: packet) } catch {
        return decoder.reject(error)
      }
      if let kind = contents.kind { return decoder.pass(kind) }
      try decoder.decode(
        packet.extracting(contents.start..<packet.count), time: time, adapter: contents.adapter,
        into: &sink)
    }
    try decoder.flush(into: &sink)
  }

  /// Counts what ended the reading; libpcap shows its errors by their text only.
  ///
  /// - Throws: `RSSIError.mixedCapture` for what is not damage, but more than libpcap reads.
  private mutating func reject(_ message: String) throws {
    if let failure = stream.failure { throw failure }
    if message.contains("different") {
      throw RSSIError.mixedCapture(path: path, reason: message)
    }
    if message.contains("truncated") { return rejections.add(.truncatedRecord) }
    rejections.add(
      message.contains("invalid packet capture length") ? .oversizedRecord : .damagedRecord)
  }

  private static func time(_ packet: cpcap_packet) -> Int64? {
    guard packet.seconds.magnitude <= UInt64(Timestamp.limit),
      (0..<Timestamp.second).contains(packet.nanoseconds)
    else { return nil }
    return Timestamp.nanoseconds(packet.seconds, packet.nanoseconds)
  }

  private static func name(of number: Int32) -> String {
    (pcap_datalink_val_to_description(number) ?? pcap_datalink_val_to_name(number))
      .map { String(cString: $0) } ?? "unknown to libpcap"
  }
}

extension PcapLinkType {
  /// Returns true if a packet is not an event that an adapter sent, nor one on the air.
  fileprivate func isOfHost(_ packet: cpcap_packet) -> Bool {
    guard !isSniffer else { return false }
    let bytes = UnsafeBufferPointer(start: packet.bytes, count: packet.count).span
    return (try? contents(of: bytes))?.kind != nil
  }
}

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

  /// A Boolean value that is true if packets were heard on the air, by a sniffer, and not stated by
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
  /// The place at which the packet begins, behind what the format writes before it.
  var start: Int
}
