import Screens
import Sightings
import Support
package import TracePipelines

/// The devices that were received, as JSON and as CSV; both name them in full.
package struct DevicesReport {
  let heard: HeardDevices

  package init(_ heard: HeardDevices) { self.heard = heard }

  /// The approximate size of a piece of text in bytes.
  private static let piece = 65_536

  /// Writes the JSON document piece by piece.
  package func writeJSON(_ write: (String) throws -> Void) throws {
    var json = JSONWriter(.pretty, escapes: .short)
    var failure: (any Error)?
    json.object { json in
      json.key("devices")
      json.array { list in
        for device in heard.devices where failure == nil {
          list.value(Self.json(device))
          guard list.bytes.count > Self.piece else { continue }
          do { try write(list.takeText()) } catch { failure = error }
        }
      }
    }
    if let failure { throw failure }
    try write(json.takeText() + "\n")
  }

  private static func json(_ device: HeardDevice) -> JSONValue {
    [
      "beacon": device.beacon, "name": device.name, "company": device.company, "kind": device.kind,
      "sightings": device.sightings, "rate_hz": device.rate,
      "rssi_dbm": .object([
        "min": device.levels?.min, "median": device.levels?.median,
        "mean": device.levels?.mean, "max": device.levels?.max, "sd": device.levels?.deviation,
      ]),
      "stated_power_dbm": device.statedPower, "first": Timestamp.iso8601(device.first),
      "last": Timestamp.iso8601(device.last), "channels": device.channels,
    ]
  }

  /// Writes the table as CSV piece by piece.
  package func writeCSV(_ write: (String) throws -> Void) throws {
    let columns = columns(nil)
    try write(ReportTable(of: [], columns).csvHeader)
    for start in stride(from: 0, to: heard.devices.count, by: 256) {
      try write(ReportTable(of: heard.devices.dropFirst(start).prefix(256), columns).csvRows)
    }
  }

  /// Returns a table, and the numbers of devices and sightings.
  ///
  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - isUnicode: true if it shows more than ASCII.
  package func text(width: Int, isUnicode: Bool) -> String {
    let sum = "\(counted(heard.devices.count, "device")), \(counted(heard.sightings, "sighting"))"
    guard !heard.devices.isEmpty else { return sum + "\n" }
    func table(_ short: ShortIdentities?) -> FittedTable {
      FittedTable(ReportTable(of: heard.devices, columns(short)), isUnicode: isUnicode)
    }
    let full = table(nil)
    guard full.width > width else { return full.text(width: width) + sum + "\n" }
    let short = ShortIdentities(heard.devices.map(\.beacon))
    // Common parts do not distinguish devices.
    let common = short.commonUUID.map { "\(isUnicode ? "…" : "~") = \($0)\n" } ?? ""
    return table(short).text(width: width) + common + sum + "\n"
  }

  /// Returns the columns of the terminal and of CSV, which has full identities, times and levels.
  ///
  /// - Parameter short: shortens identities on a terminal; nil writes them in full.
  private func columns(_ short: ShortIdentities?) -> [ReportTable.Column<HeardDevice>] {
    func identity(_ device: HeardDevice) -> String {
      // Options take the bare address, too.
      if device.beacon.hasPrefix("addr:") { return String(device.beacon.dropFirst(5)) }
      return short?.short(device.beacon, keepsKind: true) ?? device.beacon
    }
    func time(_ time: Int64) -> ReportTable.Cell {
      .text(
        Timestamp.iso8601(time),
        onTerminal: Timestamp.iso8601(Timestamp.split(time).seconds * Timestamp.second))
    }
    func channels(_ device: HeardDevice) -> ReportTable.Cell {
      .text(device.channels.map(String.init).joined(separator: " "))
    }
    let isWhole = heard.devices.allSatisfy { device in
      [device.levels?.min, device.levels?.max].allSatisfy { $0.map { $0 == $0.rounded() } ?? true }
    }
    let places = isWhole ? 0 : 1
    return [
      .text("device", key: "beacon", least: 22) { .name($0.beacon, onTerminal: identity($0)) },
      .text("name", key: "name", rank: 1, least: 10) { .name($0.name ?? "") },
      .text("company", key: "company", rank: 2, least: 11, keepsEnd: false) {
        .name($0.company ?? "")
      },
      .text("kind", key: "kind", rank: 8, least: 13) { .text($0.kind) },
      .number("sightings", key: "sightings") { .count($0.sightings) },
      .number("rate", unit: "Hz", key: "rate_hz") { device in
        var cell = ReportTable.Cell.number(device.rate, 4)
        cell.textOnTerminal = Self.shown(rate: device.rate)
        return cell
      },
      .number("min", unit: "dBm", key: "rssi_min_dbm", rank: 3) {
        .exact($0.levels?.min, onTerminal: places)
      },
      .number("median", unit: "dBm", key: "rssi_median_dbm") {
        .exact($0.levels?.median, onTerminal: 1)
      },
      .number("mean", unit: "dBm", key: "rssi_mean_dbm", rank: 5) {
        .number($0.levels?.mean, onTerminal: 1)
      },
      .number("max", unit: "dBm", key: "rssi_max_dbm") {
        .exact($0.levels?.max, onTerminal: places)
      },
      .number("sd", unit: "dB", key: "rssi_sd_db", rank: 4) {
        .number($0.levels?.deviation, onTerminal: 1)
      },
      .number("power", unit: "dBm", key: "stated_power_dbm", rank: 6) {
        $0.statedPower.map { .exact($0) } ?? .text("")
      },
      // Between other columns on a terminal than in CSV.
      .text("channels", rank: 7, least: 8, channels),
      .number("first", key: "first", rank: 10) { time($0.first) },
      .number("last", key: "last", rank: 9) { time($0.last) },
      .text("", key: "channels", rank: nil, channels),
    ]
  }

  /// The rate in sightings per second; a rarely received beacon does not get 0.
  private static func shown(rate: Double?) -> String {
    guard let rate else { return "–" }
    return rate < 0.005 ? "<0.01" : decimal(rate, rate < 100 ? 2 : 0)
  }
}
