import Screens
import Sightings
import Support
package import TracePipelines

/// The devices that were received, as JSON and as CSV; both name them in full.
package struct DevicesReport {
  let heard: HeardDevices

  package init(_ heard: HeardDevices) { self.heard = heard }

  /// Bytes of a piece of text, about.
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
    .object([
      "beacon": .string(device.beacon),
      "name": device.name.map(JSONValue.string) ?? .null,
      "company": device.company.map(JSONValue.string) ?? .null,
      "kind": .string(device.kind),
      "sightings": .integer(device.sightings),
      "rate_hz": .optional(device.rate),
      "rssi_dbm": .object([
        "min": .optional(device.levels?.min), "median": .optional(device.levels?.median),
        "mean": .optional(device.levels?.mean), "max": .optional(device.levels?.max),
        "sd": .optional(device.levels?.deviation),
      ]),
      "stated_power_dbm": .optional(device.statedPower),
      "first": .string(Timestamp.iso8601(device.first)),
      "last": .string(Timestamp.iso8601(device.last)),
      "channels": .array(device.channels.map(JSONValue.integer)),
    ])
  }

  private static let columns = [
    "beacon", "name", "company", "kind", "sightings", "rate_hz", "rssi_min_dbm", "rssi_median_dbm",
    "rssi_mean_dbm", "rssi_max_dbm", "rssi_sd_db", "stated_power_dbm", "first", "last", "channels",
  ]

  /// Writes the table as CSV piece by piece.
  package func writeCSV(_ write: (String) throws -> Void) throws {
    var text = Self.columns.joined(separator: ",") + "\n"
    for device in heard.devices {
      text += Self.fields(device).joined(separator: ",") + "\n"
      guard text.utf8.count > Self.piece else { continue }
      try write(text)
      text.removeAll(keepingCapacity: true)
    }
    try write(text)
  }

  private static func fields(_ device: HeardDevice) -> [String] {
    func exact(_ value: Double?) -> String { value.map { plain($0) } ?? "" }
    return [
      CSV.text(device.beacon), CSV.text(device.name ?? ""), CSV.text(device.company ?? ""),
      CSV.text(device.kind), String(device.sightings), CSV.number(device.rate, 4),
      exact(device.levels?.min), exact(device.levels?.median), CSV.number(device.levels?.mean, 2),
      exact(device.levels?.max), CSV.number(device.levels?.deviation, 2),
      exact(device.statedPower), Timestamp.iso8601(device.first), Timestamp.iso8601(device.last),
      device.channels.map(String.init).joined(separator: " "),
    ]
  }
}

extension DevicesReport {
  /// A table for people, and how many devices and sightings there are.
  ///
  /// - Parameters:
  ///   - width: columns of the terminal.
  ///   - isUnicode: whether it shows more than ASCII.
  package func text(width: Int, isUnicode: Bool) -> String {
    let sum = "\(counted(heard.devices.count, "device")), \(counted(heard.sightings, "sighting"))"
    guard !heard.devices.isEmpty else { return sum + "\n" }
    let full = FittedTable(columns(nil), isUnicode: isUnicode)
    guard full.width > width else { return full.text(width: width) + sum + "\n" }
    let short = ShortIdentities(heard.devices.map(\.beacon))
    let table = FittedTable(columns(short), isUnicode: isUnicode).text(width: width)
    // What all have in common does not distinguish devices.
    let common = short.commonUUID.map { "\(isUnicode ? "…" : "~") = \($0)\n" } ?? ""
    return table + common + sum + "\n"
  }

  /// - Parameter short: how identities are shortened; nil where they are written in full.
  private func columns(_ short: ShortIdentities?) -> [FittedTable.Column] {
    let devices = heard.devices
    func identity(_ device: HeardDevice) -> String {
      // Options take the bare address, too.
      if device.beacon.hasPrefix("addr:") { return String(device.beacon.dropFirst(5)) }
      return short?.short(device.beacon, keepsKind: true) ?? device.beacon
    }
    func level(_ value: KeyPath<LevelFigures, Double>, _ places: Int) -> [String] {
      devices.map { decimal($0.levels?[keyPath: value], places) }
    }
    func second(_ time: Int64) -> String {
      Timestamp.iso8601(Timestamp.split(time).seconds * Timestamp.second)
    }
    let isWhole = devices.allSatisfy { device in
      [device.levels?.min, device.levels?.max].allSatisfy { $0.map { $0 == $0.rounded() } ?? true }
    }
    let places = isWhole ? 0 : 1
    return [
      .init(heading: "device", cells: devices.map(identity), least: 22),
      .init(heading: "name", cells: devices.map { $0.name ?? "" }, least: 10, rank: 1),
      .init(
        heading: "company", cells: devices.map { $0.company ?? "" }, least: 11,
        keepsEnd: false, rank: 2),
      .init(heading: "kind", cells: devices.map(\.kind), least: 13, rank: 8),
      .init(heading: "sightings", cells: devices.map { String($0.sightings) }),
      .init(heading: "rate", unit: "Hz", cells: devices.map(Self.rate)),
      .init(heading: "min", unit: "dBm", cells: level(\.min, places), rank: 3),
      .init(heading: "median", unit: "dBm", cells: level(\.median, 1)),
      .init(heading: "mean", unit: "dBm", cells: level(\.mean, 1), rank: 5),
      .init(heading: "max", unit: "dBm", cells: level(\.max, places)),
      .init(
        heading: "sd", unit: "dB", cells: devices.map { decimal($0.levels?.deviation, 1) }, rank: 4
      ),
      .init(
        heading: "power", unit: "dBm",
        cells: devices.map { $0.statedPower.map { plain($0) } ?? "" },
        rank: 6),
      .init(
        heading: "channels",
        cells: devices.map { $0.channels.map(String.init).joined(separator: " ") }, least: 8,
        rank: 7),
      .init(heading: "first", cells: devices.map { second($0.first) }, rank: 10),
      .init(heading: "last", cells: devices.map { second($0.last) }, rank: 9),
    ]
  }

  /// Sightings per second; a beacon that is seldom received has not the rate 0.
  private static func rate(_ device: HeardDevice) -> String {
    guard let rate = device.rate else { return "–" }
    return rate < 0.005 ? "<0.01" : decimal(rate, rate < 100 ? 2 : 0)
  }
}
