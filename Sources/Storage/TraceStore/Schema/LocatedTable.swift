internal import CHDF5
internal import Sightings
import Support

/// `/positions/NAME`: what one algorithm answered, a row for each node and epoch.
struct LocatedTable {
  let group: Table
  private let time: Column<Double>
  private let role: Column<UInt8>
  private let node: Column<UInt32>
  private let trace: Column<UInt16>
  private let anchors: Column<UInt32>
  /// Columns by where they belong in a `StoredPosition`.
  private let numbers: [(place: WritableKeyPath<StoredPosition, Double>, column: Column<Double>)]
  private let texts: [(place: WritableKeyPath<StoredPosition, String>, column: TextColumn)]

  init(
    name: String, in file: Handle, mode: Table.Mode, timeUnits: String, path: String
  ) throws(RSSIError) {
    let table = try Table("positions/\(name)", in: file, mode: mode, path: path)
    time = try table.column(
      "time_s", Double.self, units: timeUnits,
      "Epoch: the end of the window, and the time of the position")
    role = try table.column(
      "role", UInt8.self, units: "1", "0 = node is a row of /receivers, 1 = of /beacons")
    node = try table.column("node", UInt32.self, units: "1", "Row of /receivers or /beacons")
    trace = try table.column("trace", UInt16.self, units: "1", "Row of /traces")
    anchors = try table.column("anchors", UInt32.self, units: "1", "Anchors heard in the window")
    func number(
      _ place: WritableKeyPath<StoredPosition, Double>, _ name: String, _ units: String,
      _ description: String
    ) throws(RSSIError) -> (WritableKeyPath<StoredPosition, Double>, Column<Double>) {
      (
        place,
        try table.column(
          name, Double.self, units: units, missing: .nan, description + "; NaN = none")
      )
    }
    func text(
      _ place: WritableKeyPath<StoredPosition, String>, _ name: String, _ limit: TextLimit,
      _ description: String
    ) throws(RSSIError) -> (WritableKeyPath<StoredPosition, String>, TextColumn) {
      (place, try table.text(name, limit, isOptional: true, description))
    }
    numbers = [
      try number(\.x, "x_m", "m", "Position"), try number(\.y, "y_m", "m", "Position"),
      try number(\.z, "z_m", "m", "Height, where it was asked"),
      try number(\.varianceX, "var_x_m2", "m2", "Variance of x"),
      try number(\.covarianceXY, "cov_xy_m2", "m2", "Covariance of x and y"),
      try number(\.varianceY, "var_y_m2", "m2", "Variance of y"),
      try number(\.covarianceXZ, "cov_xz_m2", "m2", "Covariance of x and z"),
      try number(\.covarianceYZ, "cov_yz_m2", "m2", "Covariance of y and z"),
      try number(\.varianceZ, "var_z_m2", "m2", "Variance of z"),
    ]
    texts = [
      try text(
        \.room, "room", .words(128), "Smallest room of the site that holds it; empty = none"),
      try text(\.spot, "spot", .words(128), "Spot of the site at which the node is; empty = none"),
      try text(\.refusal, "reason", .words(32), "Why there is no position; empty = there is one"),
      try text(
        \.withoutCovariance, "no_covariance", .words(32), "Why a position has no covariance"),
    ]
    try table.alignToFirstColumn()
    group = table
  }

  func append(_ rows: [StoredPosition], clock: Clock) throws(RSSIError) {
    try time.append(rows.map { clock.seconds($0.time) })
    try role.append(rows.map(\.role.rawValue))
    try node.append(rows.map(\.node))
    try trace.append(rows.map(\.trace))
    try anchors.append(rows.map(\.anchors))
    for (place, column) in numbers { try column.append(rows.map { $0[keyPath: place] }) }
    for (place, column) in texts { try column.append(rows.map { $0[keyPath: place] }) }
  }

  /// - Throws: `.badInput` for times that are not finite.
  func read(clock: Clock, path: String) throws(RSSIError) -> [StoredPosition] {
    let times = try time.readTimes(by: clock)
    let (roles, nodes, traces) = (try role.readAll(), try node.readAll(), try trace.readAll())
    let heard = try anchors.readAll()
    var rows = times.indices.map { (row: Int) -> StoredPosition in
      var one = StoredPosition(
        time: times[row], role: NodeRole(rawValue: roles[row]) ?? .receiver,
        node: nodes[row], trace: traces[row])
      one.anchors = heard[row]
      return one
    }
    for (place, column) in numbers {
      let values = try column.readAll()
      for row in rows.indices { rows[row][keyPath: place] = values[row] }
    }
    for (place, column) in texts {
      let values = try column.readAll()
      for row in rows.indices { rows[row][keyPath: place] = values[row] }
    }
    return rows
  }
}
