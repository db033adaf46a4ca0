package import Sightings
import Support

/// Reads `nodes.csv`: who is a beacon, who a receiver, and where the fixed ones are.
///
///     node, role (beacon or receiver), x_m, y_m, z_m [, name, measured_power_dbm]
///
/// The columns that `rssi calibrate` adds for flashing tools are passed over: the name of a beacon
/// states the same. A node without coordinates moves; an empty z is an unknown height.
package enum NodeCSV {
  /// Of a table of calibrated beacons.
  private static let passedOver = [
    "kind", "uuid", "major", "minor", "namespace", "instance", "measured_power_byte_hex",
    "eddystone_tx_power_dbm",
  ]

  /// - Returns: the role and the index of each node at a known place.
  /// - Throws: `RSSIError` that names the line; a site description is small and must be right.
  @discardableResult
  package static func read<Sink: SightingSink & ~Copyable>(
    _ path: String, into intake: inout Intake<Sink>
  ) throws -> [(role: NodeRole, index: Int)] {
    var anchors: [(role: NodeRole, index: Int)] = []
    var table = try SmallTable(
      path, required: ["node", "role", "x_m", "y_m"],
      optional: ["z_m", "name", "measured_power_dbm"] + passedOver)
    var seen: [NodeRole: Set<[UInt8]>] = [:]
    while try table.next() {
      let id = try table.name("node", of: "node")
      let role: NodeRole
      switch table.text("role") {
      case "beacon": role = .beacon
      case "receiver": role = .receiver
      default: throw table.problem("the role is \"\(table.text("role"))\", not beacon or receiver")
      }
      guard seen[role, default: []].insert(Array(id.utf8)).inserted else {
        throw table.problem("the \(role) \"\(id)\" is there twice")
      }
      let x = try table.coordinate("x_m")
      let y = try table.coordinate("y_m")
      guard x.isNaN == y.isNaN else {
        throw table.problem("one of x_m and y_m is empty: give both or none")
      }
      let z = try table.coordinate("z_m")
      let power = try table.number("measured_power_dbm")
      let name = table.text("name").isEmpty ? "" : try table.name("name", of: "node")
      let index = try intake.add(id, role: role)
      if x.isFinite { anchors.append((role, Int(index))) }
      intake.update(role, index) { node in
        node.x = x
        node.y = y
        node.z = z
        if !name.isEmpty { node.name = name }
        if power.isFinite { node.measuredPower = Float(power) }
      }
    }
    return anchors
  }
}
