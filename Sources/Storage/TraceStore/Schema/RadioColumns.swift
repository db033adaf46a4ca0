internal import Sightings
import Support

/// The columns of `/receivers` that show how each listens.
struct RadioColumns {
  private let adapter: TextColumn
  private let controller: TextColumn
  private let scan: TextColumn
  private let interval: Column<Float>
  private let window: Column<Float>
  private let phys: TextColumn
  private let rssiKind: TextColumn
  private let timeKind: TextColumn

  init(in table: Table) throws(RSSIError) {
    adapter = try table.text(
      "adapter", .adapter, isOptional: true, "Where the radio is, such as hci0")
    controller = try table.text(
      "controller", .controller, isOptional: true, "What the controller says it is")
    scan = try table.text(
      "scan", .scan, isOptional: true, "passive or active; empty = not known")
    interval = try table.column(
      "scan_interval_s", Float.self, units: "s", missing: .nan,
      "From one scan window to the next; NaN = not known")
    window = try table.column(
      "scan_window_s", Float.self, units: "s", missing: .nan,
      "Listening in each interval; NaN = not known")
    phys = try table.text(
      "phys", .phys, isOptional: true, "Physical layers listened to, such as 1m,coded")
    rssiKind = try table.text(
      "rssi_kind", .words(16), isOptional: true,
      "raw = one advertisement, last = last of several, filtered = smoothed by the receiver")
    timeKind = try table.text(
      "time_kind", .words(16), isOptional: true,
      "kernel, host, gateway-s, gateway-ms, arrival or recorded")
  }

  func write(_ radios: [Radio], from row: Int) throws(RSSIError) {
    try adapter.write(radios.map(\.adapter), from: row)
    try controller.write(radios.map(\.controller), from: row)
    try scan.write(radios.map(\.scan), from: row)
    try interval.write(radios.map(\.interval), from: row)
    try window.write(radios.map(\.window), from: row)
    try phys.write(radios.map(\.phys), from: row)
    try rssiKind.write(radios.map(\.rssiKind.rawValue), from: row)
    try timeKind.write(radios.map(\.timeKind.rawValue), from: row)
  }

  func read() throws(RSSIError) -> [Radio] {
    let adapters = try adapter.readAll()
    let controllers = try controller.readAll()
    let scans = try scan.readAll()
    let intervals = try interval.readAll()
    let windows = try window.readAll()
    let layers = try phys.readAll()
    let levels = try rssiKind.readAll()
    let times = try timeKind.readAll()
    return adapters.indices.map { (row: Int) -> Radio in
      var radio = Radio()
      radio.adapter = adapters[row]
      radio.controller = controllers[row]
      radio.scan = scans[row]
      radio.interval = intervals[row]
      radio.window = windows[row]
      radio.phys = layers[row]
      radio.rssiKind = Radio.RSSIKind(rawValue: levels[row]) ?? .raw
      radio.timeKind = Radio.TimeKind(rawValue: times[row]) ?? .recorded
      return radio
    }
  }
}
