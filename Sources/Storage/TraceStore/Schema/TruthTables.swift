internal import CHDF5
internal import Sightings
import Support

/// `/truth/distances`: stays of a link at a known distance.
struct DistanceTable {
  let table: Table
  private let start: Column<Double>
  private let end: Column<Double>
  private let beacon: Column<UInt32>
  private let receiver: Column<UInt16>
  private let series: Column<UInt16>
  private let distance: Column<Double>
  private let pose: TextColumn

  init(in file: Handle, mode: Table.Mode, timeUnits: String, path: String) throws(RSSIError) {
    table = try Table("truth/distances", in: file, mode: mode, path: path)
    start = try table.column("start_s", Double.self, units: timeUnits, "First sighting of the stay")
    end = try table.column("end_s", Double.self, units: timeUnits, "Last sighting of the stay")
    beacon = try table.column("beacon", UInt32.self, units: "1", "Row of /beacons")
    receiver = try table.column("receiver", UInt16.self, units: "1", "Row of /receivers")
    series = try table.column("series", UInt16.self, units: "1", "Row of /traces")
    distance = try table.column("distance_m", Double.self, units: "m", "True distance")
    pose = try table.text(
      "pose", .words(TextLimit.pose.bytes), isOptional: true, "How the device was held")
    try table.alignToFirstColumn()
  }

  func write(_ dwells: [Dwell], from row: Int, clock: Clock) throws(RSSIError) {
    try start.write(dwells.map { clock.seconds($0.start) }, from: row)
    try end.write(dwells.map { clock.seconds($0.end) }, from: row)
    try beacon.write(dwells.map(\.beacon), from: row)
    try receiver.write(dwells.map(\.receiver), from: row)
    try series.write(dwells.map(\.trace), from: row)
    try distance.write(dwells.map(\.distance), from: row)
    try pose.write(dwells.map(\.pose), from: row)
  }

  func read(clock: Clock) throws(RSSIError) -> [Dwell] {
    let starts = try start.readTimes(by: clock)
    let ends = try end.readTimes(by: clock)
    let beacons = try beacon.readAll()
    let receivers = try receiver.readAll()
    let traces = try series.readAll()
    let distances = try distance.readAll()
    let poses = try pose.readAll()
    return starts.indices.map { (row: Int) -> Dwell in
      var dwell = Dwell(
        beacon: beacons[row], receiver: receivers[row], trace: traces[row],
        start: starts[row], end: ends[row], distance: distances[row])
      dwell.pose = poses[row]
      return dwell
    }
  }
}

/// `/truth/positions`: where the moving nodes were.
struct PositionTable {
  let table: Table
  private let time: Column<Double>
  private let role: Column<UInt8>
  private let node: Column<UInt32>
  private let trace: Column<UInt16>
  private let x: Column<Double>
  private let y: Column<Double>
  private let z: Column<Double>

  init(in file: Handle, mode: Table.Mode, timeUnits: String, path: String) throws(RSSIError) {
    table = try Table("truth/positions", in: file, mode: mode, path: path)
    time = try table.column("time_s", Double.self, units: timeUnits, "When the node was there")
    role = try table.column(
      "role", UInt8.self, units: "1", "0 = node is a row of /receivers, 1 = of /beacons")
    node = try table.column("node", UInt32.self, units: "1", "Row of /receivers or /beacons")
    trace = try table.column("trace", UInt16.self, units: "1", "Row of /traces")
    x = try table.column("x_m", Double.self, units: "m", "Position")
    y = try table.column("y_m", Double.self, units: "m", "Position")
    z = try table.column(
      "z_m", Double.self, units: "m", missing: .nan, "Height; NaN = not known")
    try table.alignToFirstColumn()
  }

  func write(_ points: [TruthPoint], from row: Int, clock: Clock) throws(RSSIError) {
    try time.write(points.map { clock.seconds($0.time) }, from: row)
    try role.write(points.map(\.role.rawValue), from: row)
    try node.write(points.map(\.node), from: row)
    try trace.write(points.map(\.trace), from: row)
    try x.write(points.map(\.x), from: row)
    try y.write(points.map(\.y), from: row)
    try z.write(points.map(\.z), from: row)
  }

  func read(clock: Clock) throws(RSSIError) -> [TruthPoint] {
    let times = try time.readTimes(by: clock)
    let roles = try role.readAll()
    let nodes = try node.readAll()
    let traces = try trace.readAll()
    let xs = try x.readAll()
    let ys = try y.readAll()
    let zs = try z.readAll()
    return times.indices.map { (row: Int) -> TruthPoint in
      TruthPoint(
        time: times[row], role: NodeRole(rawValue: roles[row]) ?? .receiver,
        node: nodes[row], trace: traces[row], x: xs[row], y: ys[row], z: zs[row])
    }
  }
}
