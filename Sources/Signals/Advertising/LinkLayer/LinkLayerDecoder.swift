/// Turns the link-layer packets that a sniffer heard into advertising reports.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 4 | access address, 0x8E89BED6 on the advertising channels, least significant byte first |
/// | 4 | 1 | coding indicator, on LE Coded only |
/// | 4 | 1 | bits 0 to 3 PDU type, 6 the advertiser's address is random, 7 the target's is |
/// | 5 | 1 | length of the payload |
/// | 6 | n | payload |
/// | 6 + n | 3 | checksum |
///
/// | type | PDU | becomes |
/// |---|---|---|
/// | 0, 1, 2, 6 | ADV_IND, ADV_DIRECT_IND, ADV_NONCONN_IND, ADV_SCAN_IND | a report, see `decodeLegacy` |
/// | 4 | SCAN_RSP | a report |
/// | 7 | ADV_EXT_IND, AUX_ADV_IND, AUX_SCAN_RSP, AUX_CHAIN_IND | reports, see `decodeExtended` |
/// | 3, 5, 8 | requests to an advertiser and its answer | counted by kind |
///
/// A packet with a wrong checksum is refused, because its address and its data may be anyone's.
/// Where the sniffer states that it compared the checksum, it is believed; else it is computed here.
/// Packets with other access addresses (connections, periodic advertising) are counted by kind.
///
/// A packet is one report at most, so that a packet refused counts as no report.
///
/// Source: Bluetooth Core Specification 5.4, volume 6, part B, sections 2.1 to 2.3 and 3.1.1.
package struct LinkLayerDecoder: Sendable {
  /// What became of the packets so far.
  package internal(set) var counts = DecodingCounts()
  let framing: LinkLayerFraming
  /// Whether legacy packets with a wrong checksum are reports too, with data status 3.
  private let keepsWrongChecksums: Bool
  /// Whether the packet at hand has one.
  private var checksumIsWrong = false
  var pending = PendingFragments()
  var pointers = ExtendedPointers()
  /// Whom the packet before this one asked for a scan response on a secondary channel.
  var scanRequest: DeviceAddress?

  /// The access address of the advertising channels.
  static let advertisingAddress: UInt32 = 0x8E89_BED6

  /// - Parameters:
  ///   - framing: what is written before the access address.
  ///   - keepsWrongChecksums: whether legacy packets with a wrong checksum are reports too, with
  ///     data status 3, for those who study how packets are lost.
  package init(framing: LinkLayerFraming, keepsWrongChecksums: Bool = false) {
    self.framing = framing
    self.keepsWrongChecksums = keepsWrongChecksums
  }

  /// Decodes one packet and hands its report, if it completes one, to a sink.
  ///
  /// - Parameters:
  ///   - packet: the packet, with the sniffer's header.
  ///   - time: when the sniffer received it, in nanoseconds since the Unix epoch.
  /// - Throws: only what the sink throws; malformed input is counted in `counts`.
  package mutating func decode<Sink: ReportSink & ~Copyable>(
    _ packet: Span<UInt8>, time: Int64, into sink: inout Sink
  ) throws {
    checksumIsWrong = false
    let reception: LinkLayerReception
    let pdu: Range<Int>
    do throws(Rejection) {
      reception = try framing.reception(of: packet)
      guard let range = try advertisingPDU(of: packet, reception) else {
        return pass(reception.contents == .message ? .snifferMessage : .dataChannel)
      }
      pdu = range
    } catch {
      return counts.rejectPacket(error)
    }
    // Extended ones refer to each other, and a wrong reference would spoil a sound packet.
    if checksumIsWrong, !keepsWrongChecksums || packet[pdu.lowerBound] & 0xF == 7 {
      return counts.rejectPacket(.badCRC)
    }
    let request = scanRequest
    scanRequest = nil
    switch packet[pdu.lowerBound] & 0xF {
    case 0, 1, 2, 4, 6:
      try decodeLegacy(packet.extracting(pdu), reception, time: time, into: &sink)
    case 7:
      try decodeExtended(
        packet.extracting(pdu), reception, time: time, request: request, into: &sink)
    case 3:
      noteScanRequest(packet.extracting(pdu), reception)
      pass(.scanRequest)
    case 5: pass(.connectRequest)
    case 8: pass(.connectResponse)
    default: counts.rejectPacket(.reservedPDUType)
    }
  }

  /// Delivers the advertisements still waiting for more, with data status 1: the recording is over.
  package mutating func flush<Sink: ReportSink & ~Copyable>(into sink: inout Sink) throws {
    checksumIsWrong = false
    while let set = pending.removeOldest() { try deliverIncomplete(set, into: &sink) }
  }

  /// Where the PDU of a packet lies, from its header to the end of its payload; nil where the
  /// packet is none of an advertising channel.
  private mutating func advertisingPDU(
    of packet: Span<UInt8>, _ reception: LinkLayerReception
  ) throws(Rejection) -> Range<Int>? {
    guard reception.contents != .data, reception.contents != .message else { return nil }
    guard packet.count >= reception.start + 4 else { throw .truncatedPacket }
    guard packet.littleEndian32(at: reception.start) == Self.advertisingAddress else { return nil }
    checksumIsWrong = reception.checksum == .invalid
    let header = reception.start + (reception.phy == 3 ? 5 : 4)
    guard packet.count >= header + 2 else { throw checksumIsWrong ? .badCRC : .truncatedPacket }
    let end = header + 2 + Int(packet[header + 1])
    guard packet.count >= end + LinkLayerChecksum.length else {
      // A length that was received wrong, where the sniffer knows that something was.
      throw checksumIsWrong ? .badCRC : .truncatedPacket
    }
    if reception.checksum == .unchecked {
      let received = packet.littleEndian24(at: end)
      checksumIsWrong = LinkLayerChecksum.of(packet.extracting(header..<end)) != received
    }
    return header..<end
  }

  mutating func pass(_ kind: PacketKind) { counts.otherEvents.add(kind) }

  mutating func deliver<Sink: ReportSink & ~Copyable>(
    _ report: AdvertisingReport, payload: Span<UInt8>, into sink: inout Sink
  ) throws {
    counts.sightings += 1
    var report = report
    if checksumIsWrong { report.dataStatus = 3 }
    try sink.receive(report, payload: payload)
  }
}
