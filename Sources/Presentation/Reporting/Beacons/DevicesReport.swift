import Sightings
package import Support
package import TracePipelines

/// The devices that were received, as JSON and as CSV; both name them in full.
package struct DevicesReport {
  let heard: HeardDevices

  package init(_ heard: HeardDevices) { self.heard = heard }

  package var json: JSONValue {
    .object(["devices": .array(heard.devices.map(Self.json))])
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

  package var csv: String {
    ([Self.columns] + heard.devices.map(Self.fields)).map { $0.joined(separator: ",") + "\n" }
      .joined()
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
