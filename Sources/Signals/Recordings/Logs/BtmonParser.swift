internal import Advertising
internal import Sightings
internal import Support

/// The text of btmon: a title per packet, with lines of its content behind it.
///
///     > HCI Event: LE Meta Event (0x3e) plen 42         #1 [hci0] 2024-04-04 13:49:27.702528
///           LE Advertising Report (0x02)
///             Num reports: 1
///             Event type: Connectable undirected - ADV_IND (0x00)
///             Address type: Random (0x01)
///             Address: C1:02:03:04:05:06 (Static)
///             Data length: 30
///             Flags: 0x06
///             Company: Apple, Inc. (76)
///               Type: iBeacon (2)
///               UUID: 0f0e0d0c-0b0a-0908-0706-050403020100
///               Version: 256.0
///               TX power: -59 dB
///             RSSI: -56 dBm (0xc8)
///
/// Source: BlueZ, monitor/packet.c.
struct BtmonParser: LogParser {
  private static let mostReports = 25

  private var clock = LogClock()
  /// A Boolean value that is true if a time counted from the first packet.
  private var isRelative = false
  private var packet: (time: Int64, adapter: UInt16)?
  private var subevent: Int?
  private var reports: [BtmonReport] = []

  var timeNote: String? {
    isRelative
      ? "its times count from the first packet: record with `btmon -T` or `btmon -w`" : clock.note
  }

  mutating func read(_ line: Span<UInt8>, into batch: inout LogBatch) {
    let text = line.indices.map { line[$0] }[...].uncoloured[...]
    guard let first = text.first, first != 0x20 else {
      if packet != nil { readContent(text.trimmed) }
      return
    }
    finish(into: &batch)
    guard "><@=*#".utf8.contains(first), text.dropFirst().first == 0x20 else {
      return batch.counts.otherEvents.add(.otherLine)
    }
    // Long names are cut, codes are not.
    guard text.starts(with: "> HCI Event: "), text.after("(0x3e) plen") != nil else {
      return batch.counts.otherEvents.add(Self.kind(text))
    }
    guard let time = time(of: text) else { return batch.counts.rejectPacket(.badTime) }
    let adapter = text.after("[hci")?.leadingNumber.flatMap(UInt16.init(exactly:)) ?? 0
    packet = (time, adapter)
  }

  mutating func finish(into batch: inout LogBatch) {
    guard let packet = packet.take() else { return }
    defer { (subevent, reports) = (nil, []) }
    guard let subevent, let code = UInt8(exactly: subevent) else {
      return batch.counts.otherEvents.add(.event(0x3E))
    }
    guard [0x02, 0x0B, 0x0D].contains(subevent) else {
      return batch.counts.otherEvents.add(.lowEnergyEvent(code))
    }
    guard 1...Self.mostReports ~= reports.count else { return batch.count(false) }
    batch.counts.packetsWithReports += 1
    if reports.count > 1 { batch.counts.packetsWithSeveralReports += 1 }
    for report in reports
    where !report.add(to: &batch, time: packet.time, adapter: packet.adapter) {
      batch.counts.rejectReport(.badLine)
    }
  }

  // MARK: - Titles

  private static func kind(_ title: ArraySlice<UInt8>) -> PacketKind {
    let text = title.dropFirst(2)
    switch title.first {
    case UInt8(ascii: "@"): return .management
    case UInt8(ascii: "="):
      return text.before("Index") == nil ? .log : .adapterChange
    default: break
    }
    if text.starts(with: "HCI Command") { return .command }
    if text.starts(with: "ACL Data") { return .aclData }
    if text.starts(with: "SCO Data") { return .scoData }
    if text.starts(with: "ISO Data") { return .isoData }
    if text.starts(with: "HCI Event"), let code = text.after("(0x")?.leadingHexadecimal {
      return .event(UInt8(truncatingIfNeeded: code))
    }
    return .otherLine
  }

  /// Returns the time at the end of a title.
  private mutating func time(of title: ArraySlice<UInt8>) -> Int64? {
    let words = title.split(separator: 0x20)
    guard let last = words.last else { return nil }
    if let time = DecimalNumber.nanoseconds(last.span) {
      isRelative = true
      return time
    }
    if words.count > 1, words[words.count - 2].count == 10,
      let time = clock.time(words[words.count - 2] + [0x20] + last)
    {
      return time
    }
    return clock.time(last)
  }

  // MARK: - Content

  private mutating func readContent(_ text: ArraySlice<UInt8>) {
    guard let subevent else {
      subevent = text.bracketedCode
      return
    }
    guard [0x02, 0x0B, 0x0D].contains(subevent) else { return }
    if text.starts(with: "Event type: ") {
      // One more than an event can have, which is refused.
      guard reports.count <= Self.mostReports else { return }
      let type = text.bracketedCode ?? text.after("0x")?.leadingHexadecimal
      reports.append(BtmonReport(eventType: type, isExtended: subevent == 0x0D))
    } else if !reports.isEmpty {
      reports[reports.count - 1].read(text)
    }
  }
}
