internal import Advertising
internal import Sightings
internal import Support

/// The text of tshark, with one packet per line (`-T fields`, with a header), per object
/// (`-T json`) or per two lines (`-T ek`).
///
/// If it has the bytes of packets (`-x`), these are decoded as in a recording, so that all counts are
/// the same. Otherwise a report has the values of the fields, and structures that tshark prints in
/// another form than it received are missing from its data, which are then marked as incomplete. A
/// packet that tshark dissected only in part is rejected.
///
/// Source: Wireshark, epan/print.c and the dissectors of Bluetooth.
struct TsharkParser: LogParser {
  private var packet = TsharkPacket()
  private let document = JSONDocument(maximumDepth: 64)
  /// The columns of `-T fields`; nil for JSON.
  private var columns: [TsharkPacket.Field?]?
  private var separator = UInt8(ascii: "\t")
  private var isHeader = false

  /// - Parameter hasHeader: A Boolean value that is true if the first line names the fields.
  init(hasHeader: Bool) {
    if hasHeader { (columns, isHeader) = ([], true) }
  }

  mutating func read(_ line: Span<UInt8>, into batch: inout LogBatch) {
    guard !line.isEmpty else { return }
    packet.removeAll()
    if columns != nil {
      let text = line.indices.map { line[$0] }
      if isHeader { return readHeader(text) }
      guard readRow(text) else { return batch.count(false) }
    } else {
      guard document.parse(line), document.root.kind == .object else { return batch.count(false) }
      // A line that only names the index of the next packet.
      if document.root["index"] != nil, document.root["layers"] == nil { return }
      readDocument()
    }
    guard let time = packet.nanoseconds else { return batch.counts.rejectPacket(.badTime) }
    read(at: time, into: &batch)
  }

  // MARK: - The forms

  private mutating func readHeader(_ text: [UInt8]) {
    isHeader = false
    separator = Self.separator(of: text)
    columns = text.split(separator: separator, omittingEmptySubsequences: false).map {
      TsharkPacket.fields[String(decoding: $0.unquoted, as: UTF8.self)]
    }
  }

  /// Returns the first byte of a header that is not in the name of a field.
  private static func separator(of header: [UInt8]) -> UInt8 {
    header.first { byte in
      !(byte | 0x20 >= 97 && byte | 0x20 <= 122 || byte >= 48 && byte <= 57
        || "._\"'".utf8.contains(byte))
    } ?? UInt8(ascii: "\t")
  }

  /// Returns the known fields of a header.
  static func fields(ofHeader line: ArraySlice<UInt8>) -> [TsharkPacket.Field] {
    let text = Array(line)
    return text.split(separator: separator(of: text)).compactMap {
      TsharkPacket.fields[String(decoding: $0.unquoted, as: UTF8.self)]
    }
  }

  private mutating func readRow(_ text: [UInt8]) -> Bool {
    guard let columns else { return false }
    let values = text[...].fields(separator, quotes: "\"'")
    guard values.count == columns.count else { return false }
    for (field, value) in zip(columns, values) where !value.isEmpty {
      guard let field else { continue }
      packet[field] = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    }
    return true
  }

  private mutating func readDocument() {
    let (nodes, bytes) = (document.nodes, document.bytes)
    var array: (field: TsharkPacket.Field, end: Int)?
    for (index, node) in nodes.enumerated() {
      var field: TsharkPacket.Field?
      if let open = array, index < open.end {
        field = open.field
      } else if !node.name.isEmpty {
        array = nil
        field = TsharkPacket.fields[String(decoding: bytes[node.name], as: UTF8.self)]
      }
      guard let field else { continue }
      switch node.kind {
      case .array: array = (field, node.end)
      case .string, .number:
        // Of the bytes of a packet the first value are the digits, the others their place.
        if field == .frame, packet.has(.frame) { continue }
        packet[field].append(bytes[node.text])
      case .true: packet[field].append([UInt8(ascii: "1")])
      case .false: packet[field].append([UInt8(ascii: "0")])
      case .object, .null:
        if field == .wrongChecksum || field == .malformed { packet[field].append([]) }
      }
    }
  }

  // MARK: - Packets

  private func read(at time: Int64, into batch: inout LogBatch) {
    let protocols = String(decoding: packet[.protocols].first ?? [], as: UTF8.self)
      .split(separator: ":").map(String.init)
    let adapter = packet.number(.adapter).flatMap(UInt16.init(exactly:)) ?? 0
    if let kind = packet.number(.opcode).flatMap(UInt16.init(exactly:)).flatMap(
      PacketKind.ofMonitor)
    {
      batch.counts.otherEvents.add(kind)
    } else if packet.has(.frame), let (framing, start) = Self.framing(protocols) {
      let first = batch.bytes.count
      guard let digits = packet[.frame].first, appendHexadecimal(digits, to: &batch.bytes),
        batch.bytes.count >= first + start
      else { return batch.count(false) }
      if start == 1, let kind = PacketKind.ofH4(type: batch.bytes[first]) {
        return batch.counts.otherEvents.add(kind)
      }
      if framing != nil { batch.nameReceiver("sniffer") }
      batch.add(packet: framing, time: time, adapter: adapter, first + start..<batch.bytes.count)
    } else if packet.has(.accessAddress) || packet.has(.advertiser) || packet.has(.pduType) {
      readPDU(time, into: &batch)
    } else {
      readEvent(time, adapter, protocols, into: &batch)
    }
  }

  /// Returns the header of a packet's bytes, nil for HCI, and the offset of an HCI event in them;
  /// nil if they are of another kind.
  private static func framing(_ protocols: [String]) -> (LinkLayerFraming?, Int)? {
    if protocols.contains("hci_h4") { return (nil, 1) }
    if protocols.contains("hci_mon") || protocols.contains("hci_h1") {
      return protocols.contains("bthci_evt") ? (nil, 0) : nil
    }
    if protocols.contains("btle_rf") { return (.radio, 0) }
    if protocols.contains("nordic_ble") { return (.nordic, 0) }
    return protocols.contains("btle") ? (LinkLayerFraming.none, 0) : nil
  }

  /// Reads the fields of an HCI packet.
  private func readEvent(
    _ time: Int64, _ adapter: UInt16, _ protocols: [String], into batch: inout LogBatch
  ) {
    if let kind = Self.kind(protocols) ?? eventKind { return batch.counts.otherEvents.add(kind) }
    let addresses = packet[.address]
    guard packet.has(.reports) || !addresses.isEmpty && packet.has(.level) else {
      return batch.counts.otherEvents.add(.otherLine)
    }
    guard packet[.level].count == addresses.count,
      packet.number(.reports) ?? addresses.count == addresses.count
    else { return batch.count(false) }
    batch.counts.packetsWithReports += 1
    if addresses.count > 1 { batch.counts.packetsWithSeveralReports += 1 }
    var place = TsharkPacket.DataPlace()
    for index in addresses.indices {
      guard let level = packet.number(.level, index),
        let address = DeviceAddress(String(decoding: addresses[index], as: UTF8.self)),
        let type = packet.number(.addressType, index) ?? 0 as Int?, 0...255 ~= type
      else {
        batch.counts.rejectReport(.badLine)
        continue
      }
      var report = AdvertisingReport(
        time: time, address: DeviceAddress(bits: address.bits, type: UInt8(type)),
        rssi: Self.rssi(level), eventType: eventType(index))
      report.adapter = adapter
      func byte(_ field: TsharkPacket.Field, _ missing: UInt8) -> UInt8 {
        packet.number(field, index).map { UInt8(truncatingIfNeeded: $0) } ?? missing
      }
      report.primaryPHY = byte(.primaryPHY, packet.has(.subevent) ? 1 : 0)
      report.secondaryPHY = byte(.secondaryPHY, 0)
      report.sid = byte(.sid, 0xFF)
      report.txPower = Int8(bitPattern: byte(.txPower, 127))
      report.dataStatus = report.eventType == .max ? 0 : UInt8(report.eventType >> 5 & 3)
      if report.eventType != .max { report.eventType &= ~0x60 }
      add(report, packet.number(.dataLength, index), &place, into: &batch)
    }
  }

  /// The kind of a packet other than an HCI event; nil for events and unknown ones.
  private static func kind(_ protocols: [String]) -> PacketKind? {
    for (name, kind) in [
      ("bthci_cmd", PacketKind.command), ("bthci_acl", .aclData), ("bthci_sco", .scoData),
      ("bthci_iso", .isoData),
    ] where protocols.contains(name) { return kind }
    return nil
  }

  /// The kind of an event without reports; nil for one with reports, or an unknown one.
  private var eventKind: PacketKind? {
    guard let code = packet.number(.event).flatMap(UInt8.init(exactly:)) else { return nil }
    guard code == 0x3E else { return .event(code) }
    guard let subevent = packet.number(.subevent).flatMap(UInt8.init(exactly:)) else { return nil }
    return [0x02, 0x0B, 0x0D].contains(subevent) ? nil : .lowEnergyEvent(subevent)
  }

  private func eventType(_ index: Int) -> UInt16 {
    if let type = packet.number(.extendedType, index) { return UInt16(truncatingIfNeeded: type) }
    return packet.number(.legacyType, index).flatMap(UInt8.init(exactly:))
      .flatMap(LegacyEventType.extended) ?? Sighting.unknownEventType
  }

  private static func rssi(_ level: Int) -> Float { -127...20 ~= level ? Float(level) : .nan }

  /// Reads the fields of a packet of a sniffer.
  private func readPDU(_ time: Int64, into batch: inout LogBatch) {
    batch.nameReceiver("sniffer")
    if let text = packet[.accessAddress].first,
      TsharkPacket.number(text) != Int(0x8E89_BED6)
    {
      return batch.counts.otherEvents.add(.dataChannel)
    }
    let isWrong =
      packet.flag(.nordicChecksum).map(!)
      ?? (packet.flag(.isChecked) == true
        ? packet.flag(.isValid) == false : packet.has(.wrongChecksum))
    guard !isWrong else { return batch.counts.rejectPacket(.badCRC) }
    guard !packet.isCut else { return batch.count(false) }
    let type = packet.number(.pduType)
    let eventType: UInt16
    switch type {
    case 0: eventType = 0x13
    case 1: eventType = 0x15
    case 2: eventType = 0x10
    case 4: eventType = 0x1B
    case 6: eventType = 0x12
    case 3: return batch.counts.otherEvents.add(.scanRequest)
    case 5: return batch.counts.otherEvents.add(.connectRequest)
    case 8: return batch.counts.otherEvents.add(.connectResponse)
    case 7 where packet.has(.type) && packet.has(.advertiser): eventType = 0
    // Only the bytes tell which packet on another channel follows.
    case 7:
      batch.counts.packetsWithReports += 1
      batch.counts.pointers += 1
      return
    case nil: eventType = Sighting.unknownEventType
    default: return batch.counts.rejectPacket(.reservedPDUType)
    }
    guard let text = packet[.advertiser].first,
      let address = DeviceAddress(String(decoding: text, as: UTF8.self))
    else { return batch.count(false) }
    let isRandom = packet.flag(.isRandom) == true
    var report = AdvertisingReport(
      time: time, address: DeviceAddress(bits: address.bits, type: isRandom ? 1 : 0),
      rssi: (packet.number(.signal) ?? packet.number(.nordicLevel)).map(Self.rssi) ?? .nan,
      eventType: eventType)
    let channel =
      packet.number(.nordicChannel)
      ?? packet.number(.rfChannel).flatMap { RadioChannel.index(megahertz: Double(2402 + 2 * $0)) }
      .map(Int.init)
    if let channel, (type == 7 ? 0...39 : 37...39).contains(channel) {
      report.channel = UInt8(channel)
    }
    let phy = packet.number(.radioPHY) ?? packet.number(.nordicPHY) ?? 0
    report.primaryPHY = UInt8(truncatingIfNeeded: max(0, min(phy, 2)) + 1)
    batch.counts.packetsWithReports += 1
    var place = TsharkPacket.DataPlace()
    let length = packet.number(.pduLength).map { type == 1 ? 0 : $0 - 6 }
    add(report, type == 7 ? nil : length, &place, into: &batch)
  }

  /// Adds a report with its data; one without any field of data is known only by its address.
  private func add(
    _ report: AdvertisingReport, _ length: Int?, _ place: inout TsharkPacket.DataPlace,
    into batch: inout LogBatch
  ) {
    var report = report
    let hasData = length != nil || packet.has(.data) || packet.has(.serviceData)
    let start = batch.bytes.count
    if hasData, !packet.appendData(length, from: &place, to: &batch.bytes), report.dataStatus == 0 {
      report.dataStatus = 1
    }
    let isKept =
      hasData
      ? batch.add(report, dataFrom: start)
      : batch.add(
        LogBatch.NamedReport(
          time: report.time, rssi: report.rssi, beacon: "addr:\(report.address)",
          channel: report.channel, adapter: report.adapter))
    if !isKept { batch.counts.rejectReport(.badLine) }
  }
}
