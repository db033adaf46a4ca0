/// Turns HCI events into advertising reports.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 1 | event code, 0x3E LE Meta |
/// | 1 | 1 | length of what follows |
/// | 2 | 1 | subevent: 0x02 LE Advertising Report, 0x0D LE Extended Advertising Report |
/// | 3 | 1 | number of reports, 1 to 25 or 1 to 10 |
/// | 4 | | the reports, one after the other |
///
/// An event whose lengths contradict each other is refused whole, because a report read at a wrong
/// boundary would carry a plausible but wrong RSSI. The one damage forgiven is an event cut short
/// (fewer bytes than its header says): its reports before the cut are exact and are delivered.
///
/// Source: Bluetooth Core Specification 5.4, volume 4, part E, sections 5.4.4 and 7.7.65.
public struct HCIEventDecoder: Sendable {
  /// What became of the events so far.
  public internal(set) var counts = DecodingCounts()
  var pending = PendingFragments()

  public init() {}

  /// Decodes one event and hands its reports to a sink.
  ///
  /// - Parameters:
  ///   - event: the event from its event code on, without the H4 packet type.
  ///   - time: when the host received it, in nanoseconds since the Unix epoch.
  ///   - adapter: the index of the adapter that sent it.
  /// - Throws: only what the sink throws; malformed input is counted in `counts`.
  public mutating func decode<Sink: ReportSink & ~Copyable>(
    _ event: Span<UInt8>, time: Int64, adapter: UInt16 = 0, into sink: inout Sink
  ) throws {
    guard event.count > 0 else { return reject(.truncatedEvent) }
    guard event[0] == 0x3E else { return ignore() }
    guard event.count > 2 else { return reject(.truncatedEvent) }
    let layout: ReportLayout
    switch event[2] {
    case 0x02: layout = .legacy
    case 0x0D: layout = .extended
    default: return ignore()
    }
    counts.advertisingEvents += 1
    guard event.count > 3 else { return reject(.truncatedEvent) }
    if event[3] > 1 { counts.eventsWithSeveralReports += 1 }
    var offset = 4
    for _ in 0..<deliverableReports(in: event, layout: layout) {
      let length = Int(event[offset + layout.lengthOffset])
      switch layout {
      case .legacy:
        try decodeLegacy(
          event, at: offset, length: length, time: time, adapter: adapter, into: &sink)
      case .extended:
        try decodeExtended(
          event, at: offset, length: length, time: time, adapter: adapter, into: &sink)
      }
      offset += layout.fixedLength + length
    }
  }

  /// Delivers the fragments still waiting for more, with data status 1: the recording is over.
  public mutating func flush<Sink: ReportSink & ~Copyable>(into sink: inout Sink) throws {
    while let set = pending.removeOldest() { try deliverIncomplete(set, into: &sink) }
  }

  private mutating func ignore() { counts.otherEvents += 1 }

  mutating func reject(_ reason: Rejection) { counts.rejections.add(reason) }

  mutating func deliver<Sink: ReportSink & ~Copyable>(
    _ report: AdvertisingReport, payload: Span<UInt8>, into sink: inout Sink
  ) throws {
    counts.reports += 1
    try sink.receive(report, payload: payload)
  }

  /// How many reports of an event lie between boundaries that can be trusted.
  private mutating func deliverableReports(in event: Span<UInt8>, layout: ReportLayout) -> Int {
    let announced = Int(event[3])
    guard announced > 0 else {
      reject(.noReports)
      return 0
    }
    let missing = 2 + Int(event[1]) - event.count
    var offset = 4
    var whole = 0
    while whole < announced, offset + layout.lengthOffset < event.count {
      let next = offset + layout.fixedLength + Int(event[offset + layout.lengthOffset])
      guard next <= event.count else { break }
      offset = next
      whole += 1
    }
    if missing == 0, whole == announced, offset == event.count { return whole }
    if missing > 0, whole < announced {
      reject(.truncatedReport)
      return whole
    }
    reject(.badLength)
    return 0
  }
}
