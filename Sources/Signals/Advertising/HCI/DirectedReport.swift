extension HCIEventDecoder {
  /// Decodes one report of an LE Directed Advertising Report event (subevent 0x0B).
  ///
  /// | offset | bytes | field |
  /// |---|---|---|
  /// | 0 | 1 | event type, 1 connectable directed |
  /// | 1 | 1 | address type, 0 to 3 |
  /// | 2 | 6 | address, least significant byte first |
  /// | 8 | 1 | type of the address it is directed to, not kept |
  /// | 9 | 6 | address it is directed to, not kept |
  /// | 15 | 1 | RSSI in dBm, -127 to 20; 127 not available |
  ///
  /// There are no advertising data. Controllers send these in place of subevent 0x02 where the scan
  /// asks for advertisements directed to an address that they cannot resolve.
  ///
  /// Source: Bluetooth Core Specification 5.4, volume 4, part E, section 7.7.65.11.
  mutating func decodeDirected<Sink: ReportSink & ~Copyable>(
    _ event: Span<UInt8>, at offset: Int, time: Int64, adapter: UInt16, into sink: inout Sink
  ) throws {
    guard event[offset] == 1, let eventType = LegacyEventType.extended(event[offset]) else {
      return counts.rejectReport(.reservedEventType)
    }
    guard event[offset + 1] <= 3 else { return counts.rejectReport(.reservedAddressType) }
    let address = DeviceAddress(
      bits: event.deviceAddressBits(at: offset + 2), type: event[offset + 1])
    var report = AdvertisingReport(
      time: time, address: address, rssi: SignalStrength.decode(event[offset + 15]),
      eventType: eventType)
    report.adapter = adapter
    try deliver(report, payload: event.extracting(offset..<offset), into: &sink)
  }
}
