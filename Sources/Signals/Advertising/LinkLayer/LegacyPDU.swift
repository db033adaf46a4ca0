extension LinkLayerDecoder {
  /// Decodes an ADV_IND, ADV_DIRECT_IND, ADV_NONCONN_IND, ADV_SCAN_IND or SCAN_RSP.
  ///
  /// | offset | bytes | field |
  /// |---|---|---|
  /// | 0 | 2 | header |
  /// | 2 | 6 | advertiser's address, least significant byte first |
  /// | 8 | n | advertising data, 0 to 31; of ADV_DIRECT_IND the target's address, 6, not kept |
  ///
  /// These PDUs are sent on channels 37, 38 and 39 only; a report of another channel states that it
  /// is not known. A scan response does not show what it answered; it counts as an answer to
  /// ADV_IND, as in HCI's legacy reports.
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
    // Some programs write another number than that of the channel: these PDUs are on no other.
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

  /// As HCI's extended reports write it, see `LegacyEventType`.
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
  /// The advertiser's address at an offset of a PDU, whose header shows whether it is random.
  func advertiser(at offset: Int) -> DeviceAddress {
    DeviceAddress(bits: deviceAddressBits(at: offset), type: self[0] >> 6 & 1)
  }
}
