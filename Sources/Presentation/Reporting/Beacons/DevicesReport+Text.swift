import Screens
import Sightings
import Support
import TracePipelines

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
      devices.map { decimals($0.levels?[keyPath: value], places) }
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
        heading: "sd", unit: "dB", cells: devices.map { decimals($0.levels?.deviation, 1) }, rank: 4
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
    return rate < 0.005 ? "<0.01" : decimals(rate, rate < 100 ? 2 : 0)
  }
}
