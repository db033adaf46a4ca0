internal import Sightings

extension Schema<DistanceStay> {
  /// The schema of `/truth/distances`: stays of a link at a known distance.
  static var stays: Schema {
    Schema(
      "truth/distances",
      empty: DistanceStay(beacon: 0, receiver: 0, trace: 0, start: 0, end: 0, distance: 0),
      [
        .time(\.start, "start_s", "First sighting of the stay"),
        .time(\.end, "end_s", "Last sighting of the stay"),
        .number(\.beacon, "beacon", "Row of /beacons"),
        .number(\.receiver, "receiver", "Row of /receivers"),
        .number(\.trace, "series", "Row of /traces"),
        .number(\.distance, "distance_m", units: "m", "True distance"),
        .text(
          \.pose, "pose", .words(TextLimit.pose.bytes), isOptional: true, "How the device was held"),
      ])
  }
}

extension SchemaColumn where Row: NodeTruth {
  fileprivate static var role: Self {
    .code(\.role, "role", other: .receiver, "0 = node is a row of /receivers, 1 = of /beacons")
  }
  fileprivate static var node: Self { .number(\.node, "node", "Row of /receivers or /beacons") }
  fileprivate static var trace: Self { .number(\.trace, "trace", "Row of /traces") }
}

extension Schema<TruthPoint> {
  /// The schema of `/truth/positions`: the positions of the moving nodes.
  static var truth: Schema {
    Schema(
      "truth/positions",
      empty: TruthPoint(time: 0, role: .receiver, node: 0, trace: 0, x: 0, y: 0, z: 0),
      [
        .time(\.time, "time_s", "When the node was there"),
        .role, .node, .trace,
        .number(\.x, "x_m", units: "m", "Position"),
        .number(\.y, "y_m", units: "m", "Position"),
        .number(\.z, "z_m", units: "m", missing: .nan, "Height; NaN = not known"),
        .floor(\.floor),
      ])
  }
}

extension Schema<RoomMark> {
  /// The schema of `/truth/rooms`: the rooms of nodes. A trace without known rooms has none.
  static var rooms: Schema {
    Schema(
      "truth/rooms",
      empty: RoomMark(time: 0, role: .receiver, node: 0, trace: 0, room: ""),
      [
        .time(\.time, "time_s", "When the node was in the room; it stays until its next row"),
        .role, .node, .trace,
        .text(\.room, "room", .room, "Name of the room; empty = not known"),
      ])
  }
}

extension Schema<TruthLevel> {
  /// The schema of `/truth/levels`: the true mean levels of links. Traces of earlier versions have
  /// none.
  static var levels: Schema {
    Schema(
      "truth/levels", empty: TruthLevel(time: 0, beacon: 0, receiver: 0, trace: 0, rssi: 0),
      isLong: true, limit: 1 << 28,
      [
        .time(\.time, "time_s", "When the link had the level; linear in between"),
        .number(\.beacon, "beacon", "Row of /beacons"),
        .number(\.receiver, "receiver", "Row of /receivers"),
        .number(\.trace, "trace", "Row of /traces"),
        .coded(
          \.rssi, "rssi_dbm", units: "dBm",
          "True mean level of the link, without what differs from packet to packet",
          code: { $0 }, value: TruthLevel.usable),
      ])
  }
}
