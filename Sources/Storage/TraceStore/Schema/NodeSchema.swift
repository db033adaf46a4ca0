internal import Sightings

extension Schema<Node> {
  /// The schema of `/beacons` and `/receivers`: the nodes of one side.
  static func nodes(_ role: NodeRole) -> Schema {
    // Sightings refer to receivers by numbers of two bytes, to beacons by numbers of four.
    Schema(
      role == .receiver ? "receivers" : "beacons", empty: Node(id: "", kind: ""),
      limit: role == .receiver ? Int(UInt16.max) : mostBeacons,
      [
        .text(\.id, "id", .nodeIdentity, "Identity, such as ibeacon:UUID:major:minor"),
        .text(\.kind, "kind", .nodeKind, "What kind of node it is"),
        .text(\.name, "name", .nodeName, isOptional: true, "Name for people"),
        .number(\.x, "x_m", units: "m", missing: .nan, "Position; NaN = not known"),
        .number(\.y, "y_m", units: "m", missing: .nan, "Position; NaN = not known"),
        .number(\.z, "z_m", units: "m", missing: .nan, "Height; NaN = not known"),
        .number(
          \.measuredPower, "measured_power_dbm", units: "dBm", missing: .nan,
          "Advertised RSSI at 1 m; NaN = not known"),
        .floor(\.floor),
      ] + (role == .receiver ? radio : []))
  }

  /// The columns of a receiver's radio.
  private static var radio: [SchemaColumn<Node>] {
    [
      .text(
        \.radio.adapter, "adapter", .adapter, isOptional: true, "Where the radio is, such as hci0"),
      .text(
        \.radio.controller, "controller", .controller, isOptional: true,
        "What the controller says it is"),
      .text(
        \.radio.scan, "scan", .scan, isOptional: true, "passive or active; empty = not known"),
      .number(
        \.radio.interval, "scan_interval_s", units: "s", missing: .nan,
        "From one scan window to the next; NaN = not known"),
      .number(
        \.radio.window, "scan_window_s", units: "s", missing: .nan,
        "Listening in each interval; NaN = not known"),
      .text(
        \.radio.phys, "phys", .phys, isOptional: true,
        "Physical layers listened to, such as 1m,coded"
      ),
      .word(
        \.radio.rssiKind, "rssi_kind", .words(16), other: .raw, isOptional: true,
        "raw = one advertisement, last = last of several, filtered = smoothed by the receiver"),
      .word(
        \.radio.timeKind, "time_kind", .words(16), other: .recorded, isOptional: true,
        "kernel, host, gateway-s, gateway-ms, arrival or recorded"),
    ]
  }

  /// The largest number of beacons in a file, each with its identity and name in memory.
  private static var mostBeacons: Int { 1 << 24 }
}
