package import Sightings

/// The stored positions of one algorithm in a trace.
package struct StoredPositions: Equatable, Sendable {
  /// The group under `/positions`.
  package var name: String
  /// The algorithm with its parameters, as written.
  package var algorithm: String
  /// The other settings of the positions as text, by attribute: `epoch`, `window`, `levels` and so
  /// on.
  package var settings: [String: String]
  package var rows: [StoredPosition]

  package init(name: String, algorithm: String, settings: [String: String], rows: [StoredPosition])
  {
    (self.name, self.algorithm, self.settings, self.rows) = (name, algorithm, settings, rows)
  }

  /// Returns a Boolean value that is true if a text can be the name of a group, which has no
  /// slashes.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text.utf8.count <= 128
      && !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 }
  }
}

/// The answer about one node at one epoch; missing numbers are NaN.
package struct StoredPosition: Equatable, Sendable {
  /// The time in nanoseconds since the Unix epoch.
  package var time: Int64
  package var role: NodeRole
  /// The index among the nodes of that role.
  package var node: UInt32
  package var trace: UInt16
  /// The row of the floor; `nil` if none is answered.
  package var floor: UInt16?
  /// The probability of each floor, in their order; empty if it is unknown.
  package var floorProbabilities: [Float] = []
  /// The x coordinate in metres.
  package var x = Double.nan
  package var y = Double.nan
  package var z = Double.nan
  /// The elements of the covariance in square metres.
  package var varianceX = Double.nan
  package var covarianceXY = Double.nan
  package var varianceY = Double.nan
  package var covarianceXZ = Double.nan
  package var covarianceYZ = Double.nan
  package var varianceZ = Double.nan
  /// The number of anchors received in the window.
  package var anchors: UInt32 = 0
  /// The name of the room; empty for none.
  package var room = ""
  package var spot = ""
  /// The reason for a missing position, or covariance; empty if there is one.
  package var refusal = ""
  package var withoutCovariance = ""

  package init(time: Int64, role: NodeRole, node: UInt32, trace: UInt16) {
    (self.time, self.role, self.node, self.trace) = (time, role, node, trace)
  }
}

extension Schema<StoredPosition> {
  /// The schema of `/positions/NAME`: the answers of one algorithm, one row per node and epoch.
  static func positions(_ name: String) -> Schema {
    Schema(
      "positions/\(name)", empty: StoredPosition(time: 0, role: .receiver, node: 0, trace: 0),
      [
        .time(\.time, "time_s", "Epoch: the end of the window, and the time of the position"),
        .code(
          \.role, "role", other: .receiver, "0 = node is a row of /receivers, 1 = of /beacons"),
        .number(\.node, "node", "Row of /receivers or /beacons"),
        .number(\.trace, "trace", "Row of /traces"),
        .number(\.anchors, "anchors", "Anchors heard in the window"),
        .number(\.x, "x_m", units: "m", missing: .nan, "Position; NaN = none"),
        .number(\.y, "y_m", units: "m", missing: .nan, "Position; NaN = none"),
        .number(\.z, "z_m", units: "m", missing: .nan, "Height, where it was asked; NaN = none"),
        .number(\.varianceX, "var_x_m2", units: "m2", missing: .nan, "Variance of x; NaN = none"),
        .number(
          \.covarianceXY, "cov_xy_m2", units: "m2", missing: .nan,
          "Covariance of x and y; NaN = none"),
        .number(\.varianceY, "var_y_m2", units: "m2", missing: .nan, "Variance of y; NaN = none"),
        .number(
          \.covarianceXZ, "cov_xz_m2", units: "m2", missing: .nan,
          "Covariance of x and z; NaN = none"),
        .number(
          \.covarianceYZ, "cov_yz_m2", units: "m2", missing: .nan,
          "Covariance of y and z; NaN = none"),
        .number(\.varianceZ, "var_z_m2", units: "m2", missing: .nan, "Variance of z; NaN = none"),
        .text(
          \.room, "room", .words(128), isOptional: true,
          "Smallest room of the site that holds it; empty = none"),
        .text(
          \.spot, "spot", .words(128), isOptional: true,
          "Spot of the site at which the node is; empty = none"),
        .text(
          \.refusal, "reason", .words(32), isOptional: true,
          "Why there is no position; empty = there is one"),
        .text(
          \.withoutCovariance, "no_covariance", .words(32), isOptional: true,
          "Why a position has no covariance"),
        .floor(\.floor),
      ])
  }
}
