internal import Advertising
package import Sightings
import Support

/// A reader of `nodes.csv`: the roles of nodes, and the places of fixed ones.
///
///     node, x_m, y_m [, role (beacon or receiver), z_m, floor, name, measured_power_dbm]
///
/// Without a role, a node is the receiver of that name in the recording, or else a beacon.
/// A beacon is named by its name in the recording, by its identity in any spelling, or by its
/// address, which stands for everything sent from it; an identity takes precedence. The columns
/// that `rssi calibrate` adds for flashing tools are ignored, because they repeat the name of the
/// beacon, and those that `rssi map --beacons` adds, because they are of the estimate. A node without coordinates moves; an empty z is an unknown height, an
/// empty floor an unknown one.
package enum NodeCSV {
  /// The ignored columns of a table of calibrated or placed beacons.
  private static let passedOver = [
    "kind", "uuid", "major", "minor", "namespace", "instance", "measured_power_byte_hex",
    "eddystone_tx_power_dbm", "measured_power_sd_db", "exponent", "exponent_sd", "ci95_major_m",
    "ci95_minor_m", "ci95_angle_deg", "elsewhere", "packets", "verdict",
  ]

  /// - Parameters:
  ///   - map: the columns, as a user named them; others are then passed over.
  ///   - note: receives a sentence about what was inferred.
  /// - Returns: The role and the index of each node at a known place.
  /// - Throws: `RSSIError` that names the line; a site description is small and must be correct.
  @discardableResult
  package static func read<Sink: SightingSink & ~Copyable>(
    _ path: String, _ map: ColumnMap = ColumnMap(), note: (String) -> Void = { _ in },
    into builder: inout TraceBuilder<Sink>
  ) throws -> [(role: NodeRole, index: Int)] {
    var rows: [Row] = []
    var table = try SmallTable(path, map, kind: .nodes, note: note) { _ in
      TableHeader.Columns(
        required: ["node", "x_m", "y_m"],
        optional: ["role", "z_m", "floor", "name", "measured_power_dbm"],
        passedOver: passedOver)
    }
    let heard = HeardBeacons(builder.catalogue)
    var floors: [NodeRole: [String: String]] = [:]
    while try table.next() {
      let row = try Row(&table, heard, role: { builder.node($0)?.role ?? .beacon })
      let key = row.role == .receiver ? row.id : BeaconPattern(row.id)?.identity?.description
      if let floor = floors[row.role, default: [:]].updateValue(row.floor, forKey: key ?? row.id) {
        throw table.problem(
          floor == row.floor
            ? "duplicate \(row.role) \"\(row.id)\""
            : "\(row.role) \"\(row.id)\" is on floor \"\(row.floor)\", and on floor "
              + "\"\(floor)\" in an earlier line: keep the line of the floor where it is")
      }
      rows.append(row)
    }
    var anchors: [(role: NodeRole, index: Int)] = []
    // An identity precedes an address that the beacon was sent from.
    let identified = Set(rows.filter { !$0.isAddress }.flatMap(\.heard))
    var placed: Set<Int> = []
    for row in rows {
      let heard = row.isAddress ? row.heard.filter { !identified.contains($0) } : row.heard
      let indices =
        row.heard.isEmpty ? [try builder.add(row.id, role: row.role)] : heard.map(UInt32.init)
      builder.declare(row.id, role: row.role)
      let floor = try builder.floor(named: row.floor)
      for index in indices {
        if row.x.isFinite, row.role == .receiver || placed.insert(Int(index)).inserted {
          anchors.append((row.role, Int(index)))
        }
        builder.update(row.role, index) { node in
          (node.x, node.y, node.z, node.floor) = (row.x, row.y, row.z, floor)
          if !row.name.isEmpty { node.name = row.name }
          if row.power.isFinite { node.measuredPower = Float(row.power) }
        }
      }
    }
    return anchors
  }

  private struct Row {
    let id: String
    let role: NodeRole
    let x, y, z, power: Double
    let name: String
    /// The name of the floor; empty if it is unknown.
    let floor: String
    /// The rows of the beacons in the recording.
    let heard: [Int]
    let isAddress: Bool

    init(
      _ table: inout SmallTable, _ beacons: HeardBeacons, role assumed: (String) -> NodeRole
    ) throws {
      id = try table.name("node", of: "node")
      switch table.header["role"] == nil ? "\(assumed(id))" : table.text("role") {
      case "beacon": role = .beacon
      case "receiver": role = .receiver
      default:
        throw table.problem("role must be beacon or receiver, found \"\(table.text("role"))\"")
      }
      x = try table.coordinate("x_m")
      y = try table.coordinate("y_m")
      guard x.isNaN == y.isNaN else {
        throw table.problem("only one of x_m and y_m is given: give both or neither")
      }
      z = try table.coordinate("z_m")
      power = try table.number("measured_power_dbm")
      name = table.text("name").isEmpty ? "" : try table.name("name", of: "node")
      floor = try table.floor()
      heard = role == .receiver ? [] : try beacons.numbers(id)
      if case .address = BeaconPattern(id), role == .beacon {
        isAddress = true
      } else {
        isAddress = false
      }
    }
  }
}
