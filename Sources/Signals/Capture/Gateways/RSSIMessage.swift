internal import Advertising
internal import Sightings
internal import Support

/// A message in the dialect `rssi`: the contents of a trace for some rows of one receiver.
///
/// Members with their default value are omitted: an unknown event type, channel or level, PHY 1 and
/// no secondary one, no advertising set, no transmit power, complete and empty data.
/// no second one, no advertising set, no transmit power, complete and empty data.
struct RSSIMessage {
  /// The maximum number of reports in a message.
  static let mostReports = 50
  /// The number of bytes of advertising data after which a message takes no more reports.
  static let mostData = 32_768

  var receiver: String
  var radio: Radio
  var reports: [Report] = []
  /// The losses of the receiver; their adapter is not written.
  var losses: [Loss] = []
  var rejected: [Rejected] = []
  /// The number of bytes of the data of its reports.
  private var dataBytes = 0

  /// A report with its data, or a sighting of which only the beacon's name is known.
  enum Report {
    case data(AdvertisingReport, [UInt8])
    case name(GatewaySighting)
  }

  init(receiver: String, radio: Radio) { (self.receiver, self.radio) = (receiver, radio) }

  var isFull: Bool { reports.count >= Self.mostReports || dataBytes >= Self.mostData }

  mutating func append(_ report: Report) {
    reports.append(report)
    if case .data(_, let data) = report { dataBytes += data.count }
  }

  var bytes: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("dialect", "rssi")
      json.member("version", Int(RSSIDialect.version))
      json.member("receiver", receiver)
      json.key("radio")
      json.object(write)
      if !reports.isEmpty {
        json.key("reports")
        json.array { json in for report in reports { json.object { write(report, to: &$0) } } }
      }
      if !losses.isEmpty {
        json.key("lost")
        json.array { json in for loss in losses { json.object { write(loss, to: &$0) } } }
      }
      if !rejected.isEmpty {
        json.key("rejected")
        json.object { json in for row in rejected { json.member(row.reason, Int(row.count)) } }
      }
    }
    return json.bytes
  }

  private func write(_ json: inout JSONWriter) {
    for (key, text) in [
      ("adapter", radio.adapter), ("controller", radio.controller), ("scan", radio.scan),
      ("phys", radio.phys),
    ] where !text.isEmpty {
      json.member(key, text)
    }
    if radio.interval.isFinite { json.member("interval_s", number: radio.interval) }
    if radio.window.isFinite { json.member("window_s", number: radio.window) }
    if radio.rssiKind != .raw { json.member("rssi_kind", radio.rssiKind.rawValue) }
    if radio.timeKind != .recorded { json.member("time_kind", radio.timeKind.rawValue) }
  }

  private func write(_ report: Report, to json: inout JSONWriter) {
    switch report {
    case .data(let report, let data): write(report, data, to: &json)
    case .name(let sighting):
      json.member("time_ns", Int(sighting.time))
      json.member("beacon", sighting.beacon)
      if sighting.rssi.isFinite { json.member("rssi_dbm", number: sighting.rssi) }
      if sighting.measuredPower.isFinite {
        json.member("measured_power_dbm", number: sighting.measuredPower)
      }
      if sighting.channel != 255 { json.member("channel", Int(sighting.channel)) }
      write(sighting.angle, to: &json)
    }
  }

  private func write(_ angle: Angle, to json: inout JSONWriter) {
    if !angle.azimuthDeg.isNaN { json.member("azimuth_deg", number: angle.azimuthDeg) }
    if !angle.elevationDeg.isNaN { json.member("elevation_deg", number: angle.elevationDeg) }
  }

  private func write(_ report: AdvertisingReport, _ data: [UInt8], to json: inout JSONWriter) {
    json.member("time_ns", Int(report.time))
    json.member("address", report.address.description)
    json.member("address_type", Int(report.address.type))
    if report.eventType != Sighting.unknownEventType {
      json.member("event_type", Int(report.eventType))
    }
    if report.rssi.isFinite { json.member("rssi_dbm", number: report.rssi) }
    if report.channel != 255 { json.member("channel", Int(report.channel)) }
    if report.primaryPHY != 1 { json.member("primary_phy", Int(report.primaryPHY)) }
    if report.secondaryPHY != 0 { json.member("secondary_phy", Int(report.secondaryPHY)) }
    if report.sid != 255 { json.member("sid", Int(report.sid)) }
    if report.txPower != 127 { json.member("tx_power_dbm", Int(report.txPower)) }
    if report.dataStatus != 0 { json.member("data_status", Int(report.dataStatus)) }
    write(report.angle, to: &json)
    if !data.isEmpty { json.member("data", hexadecimal(data, uppercase: true)) }
  }

  private func write(_ loss: Loss, to json: inout JSONWriter) {
    json.member("reason", loss.reason.rawValue)
    json.member("start_ns", Int(loss.start))
    json.member("end_ns", Int(loss.end))
    json.member("events", Int(clamping: loss.dropped))
  }
}
