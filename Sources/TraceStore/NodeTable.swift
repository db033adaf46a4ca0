internal import CHDF5
internal import Sightings

/// `/beacons` or `/receivers`: the nodes of one side.
struct NodeTable {
  private let id: TextColumn
  private let kind: TextColumn
  private let name: TextColumn
  private let x: Column<Double>
  private let y: Column<Double>
  private let z: Column<Double>
  private let measuredPower: Column<Float>

  init(_ group: String, in file: Handle, mode: Table.Mode, path: String) throws(TraceError) {
    let table = try Table(group, in: file, mode: mode, path: path)
    id = try table.text("id", width: 160, "Identity, such as ibeacon:UUID:major:minor")
    kind = try table.text("kind", width: 32, "What kind of node it is")
    name = try table.text("name", width: 128, "Name for people")
    x = try table.column("x_m", Double.self, units: "m", "Position; NaN = not known")
    y = try table.column("y_m", Double.self, units: "m", "Position; NaN = not known")
    z = try table.column("z_m", Double.self, units: "m", "Height; NaN = not known")
    measuredPower = try table.column(
      "measured_power_dbm", Float.self, units: "dBm", "RSSI at 1 m as stated; NaN = not stated")
    try table.alignToFirstColumn()
  }

  func append(_ nodes: [Node]) throws(TraceError) {
    try id.append(nodes.map(\.id))
    try kind.append(nodes.map(\.kind))
    try name.append(nodes.map(\.name))
    try x.append(nodes.map(\.x))
    try y.append(nodes.map(\.y))
    try z.append(nodes.map(\.z))
    try measuredPower.append(nodes.map(\.measuredPower))
  }

  func read() throws(TraceError) -> [Node] {
    let kinds = try kind.readAll()
    let names = try name.readAll()
    let xs = try x.readAll()
    let ys = try y.readAll()
    let zs = try z.readAll()
    let powers = try measuredPower.readAll()
    let ids = try id.readAll()
    let count = [ids.count, kinds.count, names.count, xs.count, ys.count, zs.count, powers.count]
      .min() ?? 0
    return (0..<count).map { (row: Int) -> Node in
      var node = Node(id: ids[row], kind: kinds[row])
      node.name = names[row]
      node.x = xs[row]
      node.y = ys[row]
      node.z = zs[row]
      node.measuredPower = powers[row]
      return node
    }
  }
}
