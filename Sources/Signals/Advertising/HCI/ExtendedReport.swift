extension HCIEventDecoder {
  /// Decodes one report of an LE Extended Advertising Report event (subevent 0x0D).
  ///
  /// | offset | bytes | field |
  /// |---|---|---|
  /// | 0 | 2 | event type: bits 0 connectable, 1 scannable, 2 directed, 3 scan response, 4 legacy PDU, 5-6 data status (0 complete, 1 more to come, 2 truncated) |
  /// | 2 | 1 | address type, 0 to 3; 255 anonymous |
  /// | 3 | 6 | address, least significant byte first |
  /// | 9 | 1 | primary PHY |
  /// | 10 | 1 | secondary PHY |
  /// | 11 | 1 | advertising set identifier, 255 none |
  /// | 12 | 1 | transmit power in dBm, 127 not stated |
  /// | 13 | 1 | RSSI in dBm, -127 to 20; 127 not available |
  /// | 14 | 2 | periodic advertising interval, not kept |
  /// | 16 | 7 | address it is directed to, with its type, not kept |
  /// | 23 | 1 | length of the data, 0 to 229 |
  /// | 24 | n | data |
  ///
  /// Source: Bluetooth Core Specification 5.4, volume 4, part E, section 7.7.65.13.
  mutating func decodeExtended<Sink: ReportSink & ~Copyable>(
    _ event: Span<UInt8>, at offset: Int, length: Int, time: Int64, adapter: UInt16,
    into sink: inout Sink
  ) throws {
    let type = event.littleEndian16(at: offset)
    let status = UInt8(type >> 5 & 3)
    guard status < 3 else { return counts.rejectReport(.reservedDataStatus) }
    let addressType = event[offset + 2]
    let anonymous = addressType == DeviceAddress.anonymousType
    guard addressType <= 3 || anonymous else { return counts.rejectReport(.reservedAddressType) }
    let bits = anonymous ? 0 : event.deviceAddressBits(at: offset + 3)
    var report = AdvertisingReport(
      time: time, address: DeviceAddress(bits: bits, type: addressType),
      rssi: SignalStrength.decode(event[offset + 13]), eventType: type & ~0x60)
    report.adapter = adapter
    report.primaryPHY = event[offset + 9]
    report.secondaryPHY = event[offset + 10]
    report.sid = event[offset + 11]
    report.txPower = Int8(bitPattern: event[offset + 12])
    report.dataStatus = status
    let data = event.extracting((offset + 24)..<(offset + 24 + length))
    if status != 1 && pending.isEmpty {
      try deliver(report, payload: data, into: &sink)
    } else {
      try join(report, data: data, into: &sink)
    }
  }

  /// Joins a fragment to the earlier ones of its advertisement; delivers them with the last one.
  private mutating func join<Sink: ReportSink & ~Copyable>(
    _ fragment: AdvertisingReport, data: Span<UInt8>, into sink: inout Sink
  ) throws {
    while let late = pending.removeExpired(at: fragment.time) {
      try deliverIncomplete(late, into: &sink)
    }
    if var set = pending.remove(matching: fragment) {
      counts.joinedFragments += 1
      set.append(data)
      if fragment.dataStatus == 1 { return pending.insert(set, at: fragment.time) }
      set.report.dataStatus = fragment.dataStatus
      if set.isOversized {
        set.report.dataStatus = 2
        counts.note(.oversizedData)
      }
      return try deliver(set.report, payload: set.data.span, into: &sink)
    }
    guard fragment.dataStatus == 1 else { return try deliver(fragment, payload: data, into: &sink) }
    if pending.isFull, let oldest = pending.removeOldest() {
      try deliverIncomplete(oldest, into: &sink)
    }
    var set = FragmentSet(first: fragment)
    set.append(data)
    pending.insert(set, at: fragment.time)
  }

  /// Delivers what there is of an advertisement whose rest never came.
  mutating func deliverIncomplete<Sink: ReportSink & ~Copyable>(
    _ set: FragmentSet, into sink: inout Sink
  ) throws {
    counts.note(.incompleteData)
    if set.isOversized { counts.note(.oversizedData) }
    try deliver(set.report, payload: set.data.span, into: &sink)
  }
}
