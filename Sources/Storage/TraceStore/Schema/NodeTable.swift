internal import CHDF5
internal import Sightings
import Support

/// `/beacons` or `/receivers`: the nodes of one side.
struct NodeTable {
  let table: Table
  private let id: TextColumn
  private let kind: TextColumn
  private let name: TextColumn
  private let x: Column<Double>
  private let y: Column<Double>
  private let z: Column<Double>
  private let measuredPower: Column<Float>
  /// Only receivers listen.
  private let radio: RadioColumns?

  init(
    _ group: String, role: NodeRole, in file: Handle, mode: Table.Mode, path: String
  ) throws(RSSIError) {
    // Sightings name receivers by numbers of two bytes, beacons by numbers of four.
    table = try Table(
      group, in: file, mode: mode, path: path,
      limit: role == .receiver ? Int(UInt16.max) : Self.mostBeacons)
    id = try table.text("id", .nodeIdentity, "Identity, such as ibeacon:UUID:major:minor")
    kind = try table.text("kind", .nodeKind, "What kind of node it is")
    name = try table.text("name", .nodeName, isOptional: true, "Name for people")
    x = try table.column(
      "x_m", Double.self, units: "m", missing: .nan, "Position; NaN = not known")
    y = try table.column(
      "y_m", Double.self, units: "m", missing: .nan, "Position; NaN = not known")
    z = try table.column(
      "z_m", Double.self, units: "m", missing: .nan, "Height; NaN = not known")
    measuredPower = try table.column(
      "measured_power_dbm", Float.self, units: "dBm", missing: .nan,
      "RSSI at 1 m as stated; NaN = not stated")
    radio = role == .receiver ? try RadioColumns(in: table) : nil
    try table.alignToFirstColumn()
  }

  /// Writes nodes from a row on.
  func write(_ nodes: [Node], from row: Int) throws(RSSIError) {
    try id.write(nodes.map(\.id), from: row)
    try kind.write(nodes.map(\.kind), from: row)
    try name.write(nodes.map(\.name), from: row)
    try x.write(nodes.map(\.x), from: row)
    try y.write(nodes.map(\.y), from: row)
    try z.write(nodes.map(\.z), from: row)
    try measuredPower.write(nodes.map(\.measuredPower), from: row)
    try radio?.write(nodes.map(\.radio), from: row)
  }

  func read() throws(RSSIError) -> [Node] {
    let kinds = try kind.readAll()
    let names = try name.readAll()
    let xs = try x.readAll()
    let ys = try y.readAll()
    let zs = try z.readAll()
    let powers = try measuredPower.readAll()
    let radios = try radio?.read()
    let ids = try id.readAll()
    return ids.indices.map { (row: Int) -> Node in
      var node = Node(id: ids[row], kind: kinds[row])
      node.name = names[row]
      node.x = xs[row]
      node.y = ys[row]
      node.z = zs[row]
      node.measuredPower = powers[row]
      if let radios { node.radio = radios[row] }
      return node
    }
  }

  /// Beacons of a file, each of them with its identity and name in memory.
  static let mostBeacons = 1 << 24
}
