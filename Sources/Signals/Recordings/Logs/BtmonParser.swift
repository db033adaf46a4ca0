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
/// btmon prints the UUID of an iBeacon in reverse, and major and minor with their bytes swapped; both
/// are put right. The data of extended reports are printed as bytes. Of legacy reports they are
/// composed again from what is printed, and marked as incomplete if that is not all. Source: BlueZ,
/// monitor/packet.c.
struct BtmonParser: LogParser {
  private struct Report {
    var report: AdvertisingReport
    var hasAddress = false
    var level: Float?
    /// The printed length of the data; nil before its line.
    var length: Int?
    var data: [UInt8] = []
    /// The bytes of extended reports.
    var dump: [UInt8] = []
  }

  private static let (mostReports, longestData) = (25, 1650)

  private var clock = LogClock()
  /// A Boolean value that is true if a time counted from the first packet.
  private var isRelative = false
  private var packet: (time: Int64, adapter: UInt16)?
  private var subevent: Int?
  private var reports: [Report] = []
  /// The AD structure whose content is on the next lines: its type and its UUID or company.
  private var structure: (type: UInt8, id: UInt16)?
  private var apple: [UInt8] = []

  var timeNote: String? {
    isRelative
      ? "its times count from the first packet: record with `btmon -T` or `btmon -w`" : clock.note
  }

  mutating func read(_ line: Span<UInt8>?, into batch: inout LogBatch) {
    guard let line else { return batch.counts.rejectPacket(.oversizedRecord) }
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
    endStructure()
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
    for found in reports {
      guard found.hasAddress, let level = found.level else {
        batch.counts.rejectReport(.badLine)
        continue
      }
      var report = found.report
      (report.time, report.adapter, report.rssi) = (packet.time, packet.adapter, level)
      let start = batch.bytes.count
      let isDumped = !found.dump.isEmpty
      batch.bytes += isDumped ? found.dump : found.data
      let length = found.length ?? 0
      if batch.bytes.count - start != length, report.dataStatus == 0 { report.dataStatus = 1 }
      if !batch.add(report, dataFrom: start) { batch.counts.rejectReport(.badLine) }
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
    if text.starts(with: "HCI Event"), let code = hexadecimal(text.after("(0x") ?? []) {
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
    guard subevent != nil else {
      subevent = Self.code(text)
      return
    }
    guard subevent == 0x02 || subevent == 0x0B || subevent == 0x0D else { return }
    if text.starts(with: "Event type: ") {
      endStructure()
      begin(Self.code(text) ?? Self.hexadecimal(text.after("0x") ?? []))
      return
    }
    guard !reports.isEmpty else { return }
    let last = reports.count - 1
    let value = text.after(": ")
    if text.starts(with: "RSSI: ") {
      endStructure()
      // "invalid (0x7f)" has no number before the bytes.
      let level = Self.code(text).map { Int(Int8(truncatingIfNeeded: $0)) } ?? value?.leadingNumber
      reports[last].level = level.map { -127...20 ~= $0 ? Float($0) : .nan }
    } else if let length = text.starts(with: "Data length: ") ? value : nil {
      reports[last].length =
        length.starts(with: "0x") ? Self.hexadecimal(length.dropFirst(2)) : length.leadingNumber
    } else if reports[last].length == nil {
      readHeader(text, value ?? [], last)
    } else {
      readData(text, value, last)
    }
  }

  private mutating func begin(_ type: Int?) {
    // One more than an event can have, which is refused.
    guard reports.count <= Self.mostReports else { return }
    var event = Sighting.unknownEventType
    var status: UInt8 = 0
    if let type, subevent == 0x0D {
      event = UInt16(truncatingIfNeeded: type & ~0x60)
      status = UInt8(type >> 5 & 3)
    } else if let code = type.flatMap(UInt8.init(exactly:)).flatMap(LegacyEventType.extended) {
      event = code
    }
    var report = AdvertisingReport(
      time: 0, address: DeviceAddress(bits: 0, type: 0), rssi: .nan, eventType: event)
    report.dataStatus = status
    reports.append(Report(report: report))
  }

  private mutating func readHeader(
    _ text: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, _ last: Int
  ) {
    if text.starts(with: "Address type: ") {
      reports[last].report.address.type = UInt8(truncatingIfNeeded: Self.code(text) ?? 0)
    } else if text.starts(with: "Address: "),
      let address = DeviceAddress(String(decoding: value.prefix(17), as: UTF8.self))
    {
      reports[last].report.address.bits = address.bits
      reports[last].hasAddress = true
    } else if text.starts(with: "Primary PHY: ") {
      reports[last].report.primaryPHY = value.after("Coded") == nil ? 1 : 3
    } else if text.starts(with: "Secondary PHY: ") {
      reports[last].report.secondaryPHY =
        value.starts(with: "LE 1M")
        ? 1 : value.starts(with: "LE 2M") ? 2 : value.after("Coded") == nil ? 0 : 3
    } else if text.starts(with: "SID: ") {
      let code = Self.hexadecimal(value.after("0x") ?? [])
      reports[last].report.sid = UInt8(truncatingIfNeeded: code ?? value.leadingNumber ?? 0xFF)
    } else if text.starts(with: "TX power: ") {
      reports[last].report.txPower = Int8(truncatingIfNeeded: value.leadingNumber ?? 127)
    }
  }

  /// Reads a line of advertising data.
  private mutating func readData(
    _ text: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>?, _ last: Int
  ) {
    if subevent == 0x0D {
      // Sixteen bytes, then the same as characters.
      let rest = min(reports[last].length ?? 0, Self.longestData) - reports[last].dump.count
      let words = text.split(separator: 0x20).prefix(min(16, max(0, rest)))
      let bytes = words.compactMap { $0.count == 2 ? Self.hexadecimal($0) : nil }
      if !bytes.isEmpty, bytes.count == min(16, rest) {
        reports[last].dump += bytes.map { UInt8(truncatingIfNeeded: $0) }
      }
      return
    }
    // More than a report can have.
    guard let value, reports[last].data.count <= Self.longestData else { return }
    func add(_ type: UInt8, _ bytes: [UInt8]) {
      guard bytes.count < 255 else { return }
      reports[last].data += [UInt8(bytes.count + 1), type] + bytes
    }
    if text.starts(with: "Data") {
      var bytes: [UInt8] = []
      guard let structure, appendHexadecimal(value.trimmed, to: &bytes) else { return }
      self.structure = nil
      let kind = apple.isEmpty ? [] : [apple[0], UInt8(truncatingIfNeeded: bytes.count)]
      apple = []
      add(structure.type, [UInt8(structure.id & 0xFF), UInt8(structure.id >> 8)] + kind + bytes)
    } else if structure != nil, text.starts(with: "Type: ") {
      apple = [UInt8(truncatingIfNeeded: text.after("(")?.leadingNumber ?? 0)]
    } else if apple == [2], text.starts(with: "UUID: ") {
      var bytes: [UInt8] = []
      if appendHexadecimal(value, separator: UInt8(ascii: "-"), to: &bytes) {
        apple += [0x15] + bytes.reversed()
      }
    } else if apple.count == 18, text.starts(with: "Version: "), let minor = value.after(".") {
      for number in [value.leadingNumber, minor.leadingNumber] {
        let number = UInt16(truncatingIfNeeded: number ?? 0)
        apple += [UInt8(number & 0xFF), UInt8(number >> 8)]
      }
    } else if apple.count == 22, text.starts(with: "TX power: ") {
      add(
        ADStructure.manufacturerData,
        [0x4C, 0] + apple + [UInt8(truncatingIfNeeded: value.leadingNumber ?? 0)])
      (structure, apple) = (nil, [])
    } else {
      endStructure()
      if text.starts(with: "Flags: "), let flags = Self.hexadecimal(value.dropFirst(2)) {
        add(ADStructure.flags, [UInt8(truncatingIfNeeded: flags)])
      } else if text.starts(with: "Name (complete): ") {
        add(ADStructure.completeLocalName, Array(value))
      } else if text.starts(with: "Name (short): ") {
        add(ADStructure.shortenedLocalName, Array(value))
      } else if text.starts(with: "TX power: "), let power = value.leadingNumber {
        add(ADStructure.txPowerLevel, [UInt8(truncatingIfNeeded: power)])
      } else if text.starts(with: "Company: "), let id = Self.lastNumber(text) {
        structure = (ADStructure.manufacturerData, id)
      } else if text.starts(with: "Service Data"), let id = Self.code(text) {
        structure = (ADStructure.serviceData16, UInt16(truncatingIfNeeded: id))
        // Older versions have the data on the same line.
        var bytes: [UInt8] = []
        if value.first != nil, !value.contains(UInt8(ascii: "(")),
          appendHexadecimal(value, to: &bytes)
        {
          add(ADStructure.serviceData16, [UInt8(id & 0xFF), UInt8(id >> 8 & 0xFF)] + bytes)
          structure = nil
        }
      } else if text.starts(with: "Appearance: "), let code = Self.code(text) {
        add(0x19, [UInt8(code & 0xFF), UInt8(code >> 8 & 0xFF)])
      }
    }
  }

  private mutating func endStructure() { (structure, apple) = (nil, []) }

  /// Returns the hexadecimal number in the last brackets of a line.
  private static func code(_ text: ArraySlice<UInt8>) -> Int? {
    guard let bracket = text.lastIndex(of: UInt8(ascii: "(")), text[bracket...].starts(with: "(0x")
    else { return nil }
    return hexadecimal(text[(bracket + 3)...])
  }

  /// Returns the decimal number in the last brackets of a line.
  private static func lastNumber(_ text: ArraySlice<UInt8>) -> UInt16? {
    text.lastIndex(of: UInt8(ascii: "(")).flatMap { text[($0 + 1)...].leadingNumber }
      .flatMap(UInt16.init(exactly:))
  }

  private static func hexadecimal(_ text: ArraySlice<UInt8>) -> Int? {
    let digits = text.prefix { hexadecimalDigit($0) != nil }
    return digits.count <= 8 ? Int(String(decoding: digits, as: UTF8.self), radix: 16) : nil
  }
}
