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
