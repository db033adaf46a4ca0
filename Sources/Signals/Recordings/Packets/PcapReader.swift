public import Advertising
internal import CPcap
import Glibc
public import Sightings
public import Support

/// A reader of Bluetooth pcap and pcapng files through libpcap, in constant memory.
///
/// Times are exact to the nanosecond if the file's are. A truncated or damaged file gives
/// everything before the damage, and concatenated recordings of the same link type; losses are
/// counted in `rejections`. Interfaces of one link type are read as one.
public struct PcapReader: ~Copyable {
  package let linkType: PcapLinkType
  /// The number of complete packets, of every kind.
  public private(set) var packets = 0
  /// The numbers of rejected records, by reason.
  public private(set) var rejections = RejectionCounts()
  /// The counts of the packets that `decode` read, even if it threw.
  public private(set) var counts = DecodingCounts()
  /// Further facts about the file.
  package private(set) var account = RecordingAccount()
  private let path: String
  private let stream: CaptureStream
  private var reader: OpaquePointer
  /// The number of bytes of a pcap file up to the next packet, from the start of the recording.
  private var consumed = CaptureFormat.pcapHeaderLength
  /// The length of the header of a pcap record.
  private var recordHeaderLength: Int

  /// Returns a Boolean value that is true if a file with these first bytes is a pcap or pcapng
  /// file.
  public static func recognizes(_ head: [UInt8]) -> Bool { CaptureFormat(of: head.span) != nil }

  /// Opens a file and reads its header; `-` is the standard input.
  ///
  /// - Parameter progress: A closure that receives the number of bytes read.
  public init(
    path: String, progress: any ActivityProgress = SilentLog()
  ) throws(RSSIError) {
    let stream = try CaptureStream(path: path, progress)
    if try stream.content.isEmpty() { throw .empty(path: path) }
    let reader = try Self.open(stream, path)
    let number = pcap_datalink(reader)
    linkType = PcapLinkType(number: number, name: Self.name(of: number))
    self.path = path
    self.stream = stream
    self.reader = reader
    recordHeaderLength = stream.content.recordHeaderLength
  }

  deinit { pcap_close(reader) }

  /// Opens the recording at the current place of the stream.
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

  /// Passes every remaining packet to a closure; the bytes are valid only during the call.
  ///
  /// - Parameter body: A closure that receives the time in nanoseconds since the Unix epoch, and
  ///   the packet.
  /// - Throws: `RSSIError` if the file cannot be read, or any error of the closure.
  public mutating func forEachPacket(_ body: (Int64, Span<UInt8>) throws -> Void) throws {
    defer { stream.content.end(&account) }
    var packet = cpcap_packet()
    let linkType = linkType
    while true {
      switch cpcap_next(reader, &packet) {
      case 0:
        guard try resume(from: stream.content.position) else { return }
        continue
      case 1: break
      default:
        try reject(String(cString: pcap_geterr(reader)))
        guard
          try resume(
            from: stream.content.hasBlocks ? stream.content.block : stream.content.start + consumed)
        else {
          return
        }
        continue
      }
      packets += 1
      consumed += recordHeaderLength + packet.count
      if packet.length > packet.count { account.noteCut(to: packet.count) }
      guard let time = Self.time(packet) else {
        rejections.add(.badTime)
        continue
      }
      account.clock.note(time, isOfHost: linkType.isOfHost(packet))
      try body(time, UnsafeBufferPointer(start: packet.bytes, count: packet.count).span)
    }
  }

  /// Moves to the next recording of the same link type in the file, and counts the bytes before it;
  /// returns `false` if there is none.
  ///
  /// - Parameter end: The offset in the file at which the previous packets end.
  private mutating func resume(from end: Int) throws(RSSIError) -> Bool {
    var end = end
    while try stream.content.beginNext() {
      account.skip(from: end, to: stream.content.start)
      end = stream.content.start
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
      recordHeaderLength = stream.content.recordHeaderLength
      account.beginRecording()
      return true
    }
    account.skip(from: end, to: stream.content.position)
    return false
  }

  /// Decodes every remaining packet and passes the advertising reports to a sink.
  ///
  /// - Parameter keepsWrongChecksums: As in `LinkLayerDecoder`.
  /// - Returns: The counts of packets, including rejected records.
  /// - Throws: `RSSIError` if the file cannot be read, or any error of the sink.
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

  /// Counts the reason why reading ended; libpcap identifies its errors only by text.
  ///
  /// - Throws: `RSSIError.mixedCapture` for a file that is not damaged, but unsupported by libpcap.
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
  /// Returns a Boolean value that is true if a packet is neither an event from an adapter nor one
  /// on the air.
  fileprivate func isOfHost(_ packet: cpcap_packet) -> Bool {
    guard !isSniffer else { return false }
    let bytes = UnsafeBufferPointer(start: packet.bytes, count: packet.count).span
    return (try? contents(of: bytes))?.kind != nil
  }
}
