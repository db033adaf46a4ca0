/// A decoder of HCI events to advertising reports.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 1 | event code, 0x3E LE Meta |
/// | 1 | 1 | length of what follows |
/// | 2 | 1 | subevent: LE Advertising Report 0x02, Directed 0x0B, Extended 0x0D |
/// | 3 | 1 | number of reports, 1 to 25 or 1 to 10 |
/// | 4 | | the reports, one after the other |
///
/// All other events are counted by kind.
///
/// An event with contradictory lengths is rejected entirely, because a report read at a wrong
/// boundary would have a plausible but wrong RSSI. The only tolerated damage is a truncated event
/// (fewer bytes than the length in its header): complete reports before the end are correct and are
/// delivered.
///
/// Source: Bluetooth Core Specification 5.4, volume 4, part E, sections 5.4.4 and 7.7.65.
package struct HCIEventDecoder: Sendable {
  /// The counts of the events so far.
  package internal(set) var counts = DecodingCounts()
  var pending = PendingFragments()

  package init() {}

  /// Decodes one event and passes its reports to a sink.
  ///
  /// - Parameters:
  ///   - event: The event from its event code on, without the H4 packet type.
  ///   - time: The time of reception by the host, in nanoseconds since the Unix epoch.
  ///   - adapter: The index of the adapter that sent it.
  /// - Throws: Only errors of the sink; malformed input is counted in `counts`.
  package mutating func decode<Sink: ReportSink & ~Copyable>(
    _ event: Span<UInt8>, time: Int64, adapter: UInt16 = 0, into sink: inout Sink
  ) throws {
    guard event.count > 0 else { return counts.rejectPacket(.truncatedEvent) }
    guard event[0] == 0x3E else { return pass(.event(event[0])) }
    guard event.count > 2 else { return counts.rejectPacket(.truncatedEvent) }
    guard let layout = ReportLayout(subevent: event[2]) else {
      return pass(.lowEnergyEvent(event[2]))
    }
    guard event.count > 3 else { return counts.rejectPacket(.truncatedEvent) }
    var offset = 4
    for _ in 0..<deliverableReports(in: event, layout: layout) {
      let length = layout.dataLength(in: event, at: offset) ?? 0
      switch layout {
      case .legacy:
        try decodeLegacy(
          event, at: offset, length: length, time: time, adapter: adapter, into: &sink)
      case .extended:
        try decodeExtended(
          event, at: offset, length: length, time: time, adapter: adapter, into: &sink)
      case .directed:
        try decodeDirected(event, at: offset, time: time, adapter: adapter, into: &sink)
      }
      offset += layout.fixedLength + length
    }
  }

  /// Counts a packet that is not an HCI event.
  package mutating func pass(_ kind: PacketKind) { counts.otherEvents.add(kind) }

  /// Counts a packet that is rejected before an event is found in it.
  package mutating func reject(_ reason: Rejection) { counts.rejectPacket(reason) }

  /// Returns the counts since the last call.
  package mutating func takeCounts() -> DecodingCounts {
    defer { counts = DecodingCounts() }
    return counts
  }

  /// Delivers the waiting fragments with data status 1 at the end of the recording.
  package mutating func flush<Sink: ReportSink & ~Copyable>(into sink: inout Sink) throws {
    while let set = pending.removeOldest() { try deliverIncomplete(set, into: &sink) }
  }

  mutating func deliver<Sink: ReportSink & ~Copyable>(
    _ report: AdvertisingReport, payload: Span<UInt8>, into sink: inout Sink
  ) throws {
    counts.sightings += 1
    try sink.receive(report, payload: payload)
  }

  /// Returns the number of reports of an event with reliable boundaries.
  private mutating func deliverableReports(in event: Span<UInt8>, layout: ReportLayout) -> Int {
    let announced = Int(event[3])
    guard announced > 0 else {
      counts.rejectPacket(.noReports)
      return 0
    }
    let missing = 2 + Int(event[1]) - event.count
    var offset = 4
    var whole = 0
    while whole < announced, let length = layout.dataLength(in: event, at: offset) {
      let next = offset + layout.fixedLength + length
      guard next <= event.count else { break }
      offset = next
      whole += 1
    }
    let isWhole = missing == 0 && whole == announced && offset == event.count
    let isCut = missing > 0 && whole < announced
    guard isWhole || isCut else {
      counts.rejectPacket(.badLength)
      return 0
    }
    counts.packetsWithReports += 1
    if announced > 1 { counts.packetsWithSeveralReports += 1 }
    // The first missing report is partly in the event; the others are not.
    if isCut { counts.rejectReport(.truncatedReport) }
    return whole
  }
}

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
  /// Several reports follow each other completely, although the specification prints them as
  /// arrays. Data above 31 bytes are delivered, because some hosts join an advertisement and its
  /// scan response.
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

/// The event types of subevent 0x02, with those of the same PDUs in subevent 0x0D.
///
/// A scan response does not contain the type of the PDU it answered; it counts as an answer to
/// ADV_IND, 0x1B.
///
/// Source: Bluetooth Core Specification 5.4, volume 4, part E, section 7.7.65.13, table 7.1.
package enum LegacyEventType {
  /// Returns the extended event type of a legacy one, or `nil` if it is reserved.
  package static func extended(_ type: UInt8) -> UInt16? {
    switch type {
    case 0: 0x13  // ADV_IND
    case 1: 0x15  // ADV_DIRECT_IND
    case 2: 0x12  // ADV_SCAN_IND
    case 3: 0x10  // ADV_NONCONN_IND
    case 4: 0x1B  // SCAN_RSP
    default: nil
    }
  }

  /// Returns the legacy event type of an extended one, or `nil` if there is none.
  static func legacy(_ type: UInt16) -> UInt8? {
    (0...4).first { extended($0) == type }
  }
}

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
  /// There are no advertising data. Controllers send these instead of subevent 0x02 if the scan
  /// requests advertisements directed to an address that they cannot resolve.
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
  /// | 12 | 1 | transmit power in dBm, 127 none |
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

  /// Joins a fragment to the earlier ones of its advertisement, and delivers them with the last
  /// one.
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

  /// Delivers the received part of an advertisement whose rest never came.
  mutating func deliverIncomplete<Sink: ReportSink & ~Copyable>(
    _ set: FragmentSet, into sink: inout Sink
  ) throws {
    counts.note(.incompleteData)
    if set.isOversized { counts.note(.oversizedData) }
    try deliver(set.report, payload: set.data.span, into: &sink)
  }
}
