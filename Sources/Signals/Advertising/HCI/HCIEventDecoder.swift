/// Turns HCI events into advertising reports.
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
/// An event whose lengths contradict each other is refused whole, because a report read at a wrong
/// boundary would carry a plausible but wrong RSSI. The one damage forgiven is an event cut short
/// (fewer bytes than its header states): its reports before the cut are exact and are delivered.
///
/// Source: Bluetooth Core Specification 5.4, volume 4, part E, sections 5.4.4 and 7.7.65.
package struct HCIEventDecoder: Sendable {
  /// What became of the events so far.
  package internal(set) var counts = DecodingCounts()
  var pending = PendingFragments()

  package init() {}

  /// Decodes one event and hands its reports to a sink.
  ///
  /// - Parameters:
  ///   - event: the event from its event code on, without the H4 packet type.
  ///   - time: when the host received it, in nanoseconds since the Unix epoch.
  ///   - adapter: the index of the adapter that sent it.
  /// - Throws: only what the sink throws; malformed input is counted in `counts`.
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

  /// Counts a packet that is refused before an event is found in it.
  package mutating func reject(_ reason: Rejection) { counts.rejectPacket(reason) }

  /// The counts since the last call.
  package mutating func takeCounts() -> DecodingCounts {
    defer { counts = DecodingCounts() }
    return counts
  }

  /// Delivers the fragments still waiting for more, with data status 1: the recording is over.
  package mutating func flush<Sink: ReportSink & ~Copyable>(into sink: inout Sink) throws {
    while let set = pending.removeOldest() { try deliverIncomplete(set, into: &sink) }
  }

  mutating func deliver<Sink: ReportSink & ~Copyable>(
    _ report: AdvertisingReport, payload: Span<UInt8>, into sink: inout Sink
  ) throws {
    counts.sightings += 1
    try sink.receive(report, payload: payload)
  }

  /// How many reports of an event lie between boundaries that can be trusted.
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
    // Of the reports that are missing the first is in the event, in part; the others are not.
    if isCut { counts.rejectReport(.truncatedReport) }
    return whole
  }
}
