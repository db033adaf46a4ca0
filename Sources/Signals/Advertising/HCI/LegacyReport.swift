extension HCIEventDecoder {
  /// Decodes one report of an LE Advertising Report event (subevent 0x02).
  ///
  /// | offset | bytes | field |
  /// |---|---|---|
  /// | 0 | 1 | event type, 0 to 4 |
  /// | 1 | 1 | address type, 0 to 3 |
  /// | 2 | 6 | address, least significant byte first |
  /// | 8 | 1 | length of the data, 0 to 31 |
  /// | 9 | n | data |
  /// | 9 + n | 1 | RSSI in dBm, -127 to 20; 127 not available |
  ///
  /// Several reports follow each other whole, although the specification prints them as arrays.
  /// Data above 31 bytes are delivered: some hosts join an advertisement and its scan response.
  ///
  /// Source: Bluetooth Core Specification 5.4, volume 4, part E, section 7.7.65.2.
  mutating func decodeLegacy<Sink: ReportSink & ~Copyable>(
    _ event: Span<UInt8>, at offset: Int, length: Int, time: Int64, adapter: UInt16,
    into sink: inout Sink
  ) throws {
    guard let eventType = LegacyEventType.extended(event[offset]) else {
      return counts.rejectReport(.reservedEventType)
    }
    guard event[offset + 1] <= 3 else { return counts.rejectReport(.reservedAddressType) }
    let address = DeviceAddress(
      bits: event.deviceAddressBits(at: offset + 2), type: event[offset + 1])
    let data = offset + 9
    var report = AdvertisingReport(
      time: time, address: address, rssi: SignalStrength.decode(event[data + length]),
      eventType: eventType)
    report.adapter = adapter
    try deliver(report, payload: event.extracting(data..<(data + length)), into: &sink)
  }
}

/// Event types of subevent 0x02 and how subevent 0x0D writes the same PDUs.
///
/// A scan response does not state here what it answered; it counts as an answer to ADV_IND, 0x1B.
///
/// Source: Bluetooth Core Specification 5.4, volume 4, part E, section 7.7.65.13, table 7.1.
enum LegacyEventType {
  /// The extended event type of a legacy one, nil where it is reserved.
  static func extended(_ type: UInt8) -> UInt16? {
    switch type {
    case 0: 0x13  // ADV_IND
    case 1: 0x15  // ADV_DIRECT_IND
    case 2: 0x12  // ADV_SCAN_IND
    case 3: 0x10  // ADV_NONCONN_IND
    case 4: 0x1B  // SCAN_RSP
    default: nil
    }
  }

  /// The legacy event type that becomes this extended one, nil where there is none.
  static func legacy(_ type: UInt16) -> UInt8? {
    (0...4).first { extended($0) == type }
  }
}
