internal import Advertising
internal import Sightings
internal import Support

/// This program's dialect: the contents of a trace for up to 50 reports of one receiver, its radio
/// parameters, losses and refusals.
///
///     rssi/hall-1
///     {"dialect":"rssi","version":1,"receiver":"hall-1",
///      "radio":{"adapter":"hci0","scan":"passive","interval_s":0.01,"window_s":0.01,"phys":"1m"},
///      "reports":[{"time_ns":1700000000123456789,"address":"C0:00:00:00:00:01","address_type":1,
///        "event_type":19,"rssi_dbm":-60,"data":"0201061AFF4C0002…"}],
///      "lost":[{"reason":"silence","start_ns":…,"end_ns":…,"events":0}],
///      "rejected":{"truncated-report":2}}
///
/// Omitted members have their default (`RSSIMessage`). Times are taken unchanged: a message may
/// have waited for weeks, or be of a recording. If the message names no receiver, the last level of
/// the topic does.
struct RSSIDialect: GatewayDialect {
  static let version: Int64 = 1
  /// The maximum number of losses and reasons in one message.
  private static let mostRows = 1024

  func recognises(_ message: GatewayMessage) -> Bool {
    message.json["dialect"]?.text?.elementsEqual("rssi".utf8) == true
  }

  func read(_ message: GatewayMessage, into batch: inout GatewayBatch) {
    let json = message.json
    guard recognises(message) else { return batch.reject(.noSighting) }
    guard json["version"]?.integer == Self.version else { return batch.reject(.unknownVersion) }
    guard let radio = radio(json["radio"]) else { return batch.reject(.badName) }
    let name = json["receiver"]?.text ?? message.level(fromEnd: 0)
    guard batch.setGateway(name, rssiKind: radio.rssiKind) else { return }
    batch.describe(radio, losses: losses(json["lost"]), rejected: rejected(json["rejected"]))
    guard let reports = json["reports"] else { return }
    for report in reports.children {
      if let beacon = report["beacon"]?.text {
        add(beacon, report, radio, message.arrival, to: &batch)
      } else {
        add(report, radio, message.arrival, to: &batch)
      }
    }
  }

  /// Returns the radio parameters; nil for a text that is not UTF-8 or has a zero byte. A text that
  /// is too long is cut.
  private func radio(_ json: JSONElement?) -> Radio? {
    var radio = Radio()
    guard let json else { return radio }
    for (key, member) in [
      ("adapter" as StaticString, \Radio.adapter), ("controller", \.controller),
      ("scan", \.scan), ("phys", \.phys),
    ] {
      guard let text = json[key]?.text else { continue }
      guard TextLimit.isText(text.span) else { return nil }
      radio[keyPath: member] = String(decoding: text, as: UTF8.self)
    }
    radio.interval = seconds(json["interval_s"])
    radio.window = seconds(json["window_s"])
    radio.rssiKind = word(json["rssi_kind"]) ?? radio.rssiKind
    radio.timeKind = word(json["time_kind"]) ?? radio.timeKind
    return radio
  }

  private func seconds(_ json: JSONElement?) -> Float {
    json?.number.map { $0 >= 0 && $0 < 1e6 ? Float($0) : .nan } ?? .nan
  }

  private func word<Word: RawRepresentable<String>>(_ json: JSONElement?) -> Word? {
    json?.text.flatMap { Word(rawValue: String(decoding: $0, as: UTF8.self)) }
  }

  private func losses(_ json: JSONElement?) -> [Loss] {
    guard let json else { return [] }
    return json.children.prefix(Self.mostRows).compactMap { row in
      guard let reason: Gap.Reason = word(row["reason"]), let start = time(row["start_ns"]),
        let end = time(row["end_ns"]), 0 <= start, start <= end
      else { return nil }
      let events = row["events"]?.integer ?? 0
      return Loss(
        adapter: 0, reason: reason, start: start, end: end,
        dropped: UInt64(UInt32(clamping: events)))
    }
  }

  private func rejected(_ json: JSONElement?) -> [Rejected] {
    guard let json, json.kind == .object else { return [] }
    return json.children.prefix(Self.mostRows).compactMap { row in
      guard let count = row.integer, (1...Int64(UInt32.max)).contains(count) else { return nil }
      return Rejected(
        reason: String(decoding: row.name, as: UTF8.self), count: UInt64(count))
    }
  }

  /// Returns a time in the supported range; nil for anything else.
  private func time(_ json: JSONElement?) -> Int64? {
    json?.integer.flatMap { abs($0 / Timestamp.second) < Timestamp.limit ? $0 : nil }
  }

  private func add(
    _ json: JSONElement, _ radio: Radio, _ arrival: Int64, to batch: inout GatewayBatch
  ) {
    guard let bits = json["address"]?.text.flatMap(addressBits) else {
      return batch.reject(.badAddress)
    }
    guard let rssi = level(of: json) else { return batch.reject(.badRSSI) }
    guard let time = json["time_ns"].map(time) ?? arrival,
      let addressType: UInt8 = whole(json["address_type"], default: 0),
      let eventType: UInt16 = whole(json["event_type"], default: Sighting.unknownEventType),
      let channel: UInt8 = whole(json["channel"], default: 255),
      let primaryPHY: UInt8 = whole(json["primary_phy"], default: 1),
      let secondaryPHY: UInt8 = whole(json["secondary_phy"], default: 0),
      let sid: UInt8 = whole(json["sid"], default: 255),
      let txPower: Int8 = whole(json["tx_power_dbm"], default: 127),
      let dataStatus: UInt8 = whole(json["data_status"], default: 0), let angle = angle(of: json)
    else { return batch.reject(.badField) }
    var report = AdvertisingReport(
      time: time, address: DeviceAddress(bits: bits, type: addressType), rssi: rssi,
      eventType: eventType)
    (report.channel, report.primaryPHY, report.secondaryPHY) = (channel, primaryPHY, secondaryPHY)
    (report.sid, report.txPower, report.dataStatus) = (sid, txPower, dataStatus)
    report.angle = angle
    batch.add(report, timeKind: kind(of: json, radio)) { bytes in
      guard let data = json["data"] else { return true }
      return data.text.map { bytes.append(hexadecimal: $0) } ?? false
    }
  }

  private func add(
    _ beacon: ArraySlice<UInt8>, _ json: JSONElement, _ radio: Radio, _ arrival: Int64,
    to batch: inout GatewayBatch
  ) {
    guard batch.admits(beacon) else { return }
    guard let rssi = level(of: json) else { return batch.reject(.badRSSI) }
    guard let time = json["time_ns"].map(time) ?? arrival,
      let channel: UInt8 = whole(json["channel"], default: 255), let angle = angle(of: json)
    else { return batch.reject(.badField) }
    var sighting = GatewaySighting(
      time: time, adapter: 0, beacon: String(decoding: beacon, as: UTF8.self), rssi: rssi)
    sighting.measuredPower = json["measured_power_dbm"]?.measuredPower ?? .nan
    (sighting.channel, sighting.angle) = (channel, angle)
    batch.add(sighting, timeKind: kind(of: json, radio))
  }

  /// Returns the level; NaN if there is none, nil if it is not a number.
  private func level(of json: JSONElement) -> Float? {
    guard let rssi = json["rssi_dbm"] else { return .nan }
    return rssi.number.map { Float($0) }
  }

  /// Returns the direction, unknown if there is none; nil for an impossible one.
  private func angle(of json: JSONElement) -> Angle? {
    func degrees(_ name: StaticString) -> Float { json[name]?.number.map { Float($0) } ?? .nan }
    return .possible(azimuthDeg: degrees("azimuth_deg"), elevationDeg: degrees("elevation_deg"))
  }

  private func kind(of json: JSONElement, _ radio: Radio) -> Radio.TimeKind {
    json["time_ns"] == nil ? .arrival : radio.timeKind
  }

  /// Returns the integer; nil for anything that the type cannot represent.
  private func whole<Number: FixedWidthInteger>(
    _ json: JSONElement?, default standard: Number
  ) -> Number? {
    guard let json else { return standard }
    return json.integer.flatMap { Number(exactly: $0) }
  }
}
