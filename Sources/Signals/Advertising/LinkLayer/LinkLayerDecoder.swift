/// A decoder of a sniffer's link-layer packets to advertising reports.
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
/// A packet with a wrong checksum is rejected, because its address and its data may be wrong. If
/// the sniffer reports the result of its comparison, it is used; otherwise the checksum is computed
/// here. Packets with other access addresses (connections, periodic advertising) are counted by
/// kind.
///
/// A packet has at most one report, so a rejected packet counts as no report.
///
/// Source: Bluetooth Core Specification 5.4, volume 6, part B, sections 2.1 to 2.3 and 3.1.1.
package struct LinkLayerDecoder: Sendable {
  /// The counts of the packets so far.
  package internal(set) var counts = DecodingCounts()
  let framing: LinkLayerFraming
  /// A Boolean value that is true if legacy packets with a wrong checksum are also reports, with
  /// data status 3.
  private let keepsWrongChecksums: Bool
  /// A Boolean value that is true if the current packet has a wrong checksum.
  private var checksumIsWrong = false
  var pending = PendingFragments()
  var pointers = ExtendedPointers()
  /// The target of the previous packet, if that requested a scan response on a secondary channel.
  var scanRequest: DeviceAddress?

  /// The access address of the advertising channels.
  static let advertisingAddress: UInt32 = 0x8E89_BED6

  /// - Parameters:
  ///   - framing: The header before the access address.
  ///   - keepsWrongChecksums: A Boolean value that is true if legacy packets with a wrong checksum
  ///     are also reports, with data status 3, for studies of packet loss.
  package init(framing: LinkLayerFraming, keepsWrongChecksums: Bool = false) {
    self.framing = framing
    self.keepsWrongChecksums = keepsWrongChecksums
  }

  /// Decodes one packet and passes its report, if it completes one, to a sink.
  ///
  /// - Parameters:
  ///   - packet: The packet, with the sniffer's header.
  ///   - time: The time of reception by the sniffer, in nanoseconds since the Unix epoch.
  /// - Throws: Only errors of the sink; malformed input is counted in `counts`.
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
    // Extended ones refer to each other, and a wrong reference would corrupt a valid packet.
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

  /// Delivers the waiting advertisements with data status 1 at the end of the recording.
  package mutating func flush<Sink: ReportSink & ~Copyable>(into sink: inout Sink) throws {
    checksumIsWrong = false
    while let set = pending.removeOldest() { try deliverIncomplete(set, into: &sink) }
  }

  /// Returns the range of the PDU in a packet, from its header to the end of its payload, or `nil`
  /// if the packet is not on an advertising channel.
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
      // The sniffer knows of an error, so the length may be wrong.
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

extension LinkLayerDecoder {
  /// Decodes an ADV_IND, ADV_DIRECT_IND, ADV_NONCONN_IND, ADV_SCAN_IND or SCAN_RSP.
  ///
  /// | offset | bytes | field |
  /// |---|---|---|
  /// | 0 | 2 | header |
  /// | 2 | 6 | advertiser's address, least significant byte first |
  /// | 8 | n | advertising data, 0 to 31; of ADV_DIRECT_IND the target's address, 6, not kept |
  ///
  /// These PDUs are sent on channels 37, 38 and 39 only; in a report with another channel, the
  /// channel is unknown. A scan response does not contain the type of the PDU it answered; it
  /// counts as an answer to ADV_IND, as in HCI's legacy reports.
  ///
  /// Source: Bluetooth Core Specification 5.4, volume 6, part B, sections 2.3.1 and 2.3.2.2.
  mutating func decodeLegacy<Sink: ReportSink & ~Copyable>(
    _ pdu: Span<UInt8>, _ reception: LinkLayerReception, time: Int64, into sink: inout Sink
  ) throws {
    guard let type = LegacyPDUType(rawValue: pdu[0] & 0xF) else {
      return counts.rejectPacket(.reservedPDUType)
    }
    let isDirected = type == .directed
    guard isDirected ? pdu.count == 14 : (8...39).contains(pdu.count) else {
      return counts.rejectPacket(.badLength)
    }
    counts.packetsWithReports += 1
    var report = AdvertisingReport(
      time: time, address: pdu.advertiser(at: 2), rssi: reception.rssi, eventType: type.eventType)
    // Some programs write a number other than the channel's; these PDUs are on no other channel.
    if (37...39).contains(reception.channel) { report.channel = reception.channel }
    report.primaryPHY = reception.phy
    try deliver(report, payload: pdu.extracting((isDirected ? 14 : 8)..<pdu.count), into: &sink)
  }
}

/// The legacy PDUs that become reports.
private enum LegacyPDUType: UInt8 {
  case connectable = 0  // ADV_IND
  case directed = 1  // ADV_DIRECT_IND
  case nonconnectable = 2  // ADV_NONCONN_IND
  case scanResponse = 4  // SCAN_RSP
  case scannable = 6  // ADV_SCAN_IND

  /// The event type as in HCI's extended reports, see `LegacyEventType`.
  var eventType: UInt16 {
    switch self {
    case .connectable: 0x13
    case .directed: 0x15
    case .nonconnectable: 0x10
    case .scanResponse: 0x1B
    case .scannable: 0x12
    }
  }
}

extension Span where Element == UInt8 {
  /// Returns the advertiser's address at an offset of a PDU, whose header contains its type.
  func advertiser(at offset: Int) -> DeviceAddress {
    DeviceAddress(bits: deviceAddressBits(at: offset), type: self[0] >> 6 & 1)
  }
}

/// The 24-bit checksum of link-layer packets.
///
/// Polynomial x^24 + x^10 + x^9 + x^6 + x^4 + x^3 + x + 1, from the PDU header to the end of the
/// payload, least significant bit of each byte first; it starts from 0x555555 on the advertising
/// channels.
///
/// Source: Bluetooth Core Specification 5.4, volume 6, part B, section 3.1.1.
enum LinkLayerChecksum {
  /// The length of the checksum after a PDU, in bytes.
  static let length = 3
  /// The value 0x555555 in a shift register whose bit 0 leaves first.
  private static let start: UInt32 = 0xAA_AAAA
  /// The effect of each byte on the register.
  private static let steps: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { register, _ in
      register >> 1 ^ (register & 1 == 1 ? 0xDA_6000 : 0)
    }
  }

  /// Returns the checksum of a PDU, as the following three bytes read least significant first.
  static func of(_ pdu: Span<UInt8>) -> UInt32 {
    var register = start
    for index in pdu.indices {
      register = register >> 8 ^ steps[Int((register ^ UInt32(pdu[index])) & 0xFF)]
    }
    return register
  }
}
