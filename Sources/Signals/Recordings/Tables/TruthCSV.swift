internal import Advertising
package import Sightings
import Support

/// A reader of tables of ground truth: `truth.csv` with the positions of moving nodes, interpolated
/// linearly, and `levels.csv` with the true mean levels of links; they are distinguished by their
/// columns.
///
///     trace, time_s, node, x_m, y_m [, z_m, floor]; trace and node only if there are several
///     trace, time_s, receiver, beacon, true_rssi_dbm
package enum TruthCSV {
  /// - Parameters:
  ///   - map: the columns, as a user named them; others are then passed over.
  ///   - note: receives a sentence about what was inferred.
  /// - Throws: `RSSIError` that names the line.
  package static func read<Sink: SightingSink & ~Copyable>(
    _ path: String, _ map: ColumnMap = ColumnMap(), note: (String) -> Void = { _ in },
    into builder: inout TraceBuilder<Sink>
  ) throws {
    let levels = TruthLevelRows.columns
    // The columns that only a table of levels has; the names before them belong to both.
    let own = Set(levels.dropFirst(2))
    let (traces, receivers) = (builder.catalogue.traces, builder.catalogue.receivers)
    var only: [String: String] = [:]
    if traces.count == 1 { only["trace"] = traces[0] }
    if receivers.count == 1 { only["node"] = receivers[0].id }
    var table = try SmallTable(path, map, kind: .truth, note: note) { names in
      names.contains { own.contains($0) }
        ? TableHeader.Columns(required: levels)
        : TableHeader.Columns(
          required: ["trace", "time_s", "node", "x_m", "y_m"], optional: ["z_m", "floor"],
          defaults: only)
    }
    if table.header["true_rssi_dbm"] != nil {
      try TruthLevelRows.read(&table, into: &builder)
    } else {
      try readPositions(&table, path, into: &builder)
    }
  }

  private static func readPositions<Sink: SightingSink & ~Copyable>(
    _ table: inout SmallTable, _ path: String, into builder: inout TraceBuilder<Sink>
  ) throws {
    var times = TableTimes()
    var nodes = TruthNodes(builder.catalogue)
    while try table.next() {
      let time = try table.time("time_s")
      let name = table.text("node")
      let meant = try nodes.meant(name, builder)
      guard !meant.isEmpty else {
        throw table.problem(
          "unknown node \"\(name)\": it is not in the recording or the table of nodes")
      }
      let trace = try builder.trace(named: try table.name("trace", of: "trace"))
      let x = try table.coordinate("x_m")
      let y = try table.coordinate("y_m")
      let z = try table.coordinate("z_m")
      let floor = try builder.floor(named: try table.floor())
      guard x.isFinite, y.isFinite else { throw table.problem("x_m or y_m is empty") }
      for node in meant {
        let point = TruthPoint(
          time: time, role: node.role, node: node.index, trace: trace, floor: floor, x: x,
          y: y, z: z)
        if node.isByAddress { nodes.sent.append(point) } else { builder.append(point) }
      }
      times.add(time)
    }
    try times.require(path)
    // An identity precedes an address that the beacon was sent from.
    for point in nodes.sent where !nodes.identified.contains(point.node) { builder.append(point) }
  }
}

/// The nodes that the names of a table of truth mean, each looked up once.
private struct TruthNodes {
  typealias Meant = (role: NodeRole, index: UInt32, isByAddress: Bool)

  private let heard: HeardBeacons
  private var known: [String: [Meant]] = [:]
  /// The beacons that are named by their names or identities.
  private(set) var identified: Set<UInt32> = []
  /// The rows of beacons that are named by an address.
  var sent: [TruthPoint] = []

  init(_ catalogue: Catalogue) { heard = HeardBeacons(catalogue) }

  mutating func meant<Sink: SightingSink & ~Copyable>(
    _ name: String, _ builder: borrowing TraceBuilder<Sink>
  ) throws -> [Meant] {
    if let meant = known[name] { return meant }
    let own = builder.node(name)
    var meant = own.map { [($0.role, $0.index, false)] as [Meant] } ?? []
    if own?.role != .receiver {
      for number in try heard.numbers(name) where own.map({ Int($0.index) != number }) ?? true {
        let isShort = own == nil && BeaconPattern(name)?.identity == nil
        meant.append((.beacon, UInt32(number), !isShort))
      }
    }
    for node in meant where node.role == .beacon && !node.isByAddress {
      identified.insert(node.index)
    }
    known[name] = meant
    return meant
  }
}

/// The rows of `levels.csv`: the true mean levels of links, interpolated linearly.
enum TruthLevelRows {
  static let columns = ["trace", "time_s", "receiver", "beacon", "true_rssi_dbm"]

  /// - Throws: `RSSIError` that names the line.
  static func read<Sink: SightingSink & ~Copyable>(
    _ table: inout SmallTable, into builder: inout TraceBuilder<Sink>
  ) throws {
    let places = columns.map { table.header[$0] }
    let heard = HeardBeacons(builder.catalogue)
    while try table.next() {
      guard let time = table.row.nanoseconds(places[1]) else {
        throw table.problem("time_s \"\(table.text("time_s"))\" is not in Unix seconds")
      }
      try table.requireName("trace", of: "trace")
      let rssi = TruthLevel.usable(Float(try table.number("true_rssi_dbm")))
      guard !rssi.isNaN else {
        throw table.problem(
          "true_rssi_dbm \"\(table.text("true_rssi_dbm"))\" must be a level from -127 to 20 dBm")
      }
      let bytes = table.row.bytes.span
      guard let receiver = builder.knownReceiver(bytes.extracting(table.row.range(places[2])))
      else {
        throw unknown("receiver", table)
      }
      let trace = try builder.trace(bytes.extracting(table.row.range(places[0])))
      func append(_ beacon: UInt32, to builder: inout TraceBuilder<Sink>) {
        builder.append(
          TruthLevel(time: time, beacon: beacon, receiver: receiver, trace: trace, rssi: rssi))
      }
      if let beacon = builder.knownBeacon(bytes.extracting(table.row.range(places[3]))) {
        append(beacon, to: &builder)
        continue
      }
      // An address, or a shortened identity.
      let meant = try heard.numbers(table.text("beacon"))
      guard !meant.isEmpty else { throw unknown("beacon", table) }
      for number in meant { append(UInt32(number), to: &builder) }
    }
  }

  private static func unknown(_ role: String, _ table: borrowing SmallTable) -> RSSIError {
    let name = table.text(role).prefix(40)
    return table.problem(
      "unknown \(role) \"\(name)\": it is not in the recording or the table of nodes")
  }
}
