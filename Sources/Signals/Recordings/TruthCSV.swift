package import Sightings
import Support

/// Reads tables of truth: `truth.csv`, where the moving nodes were, in between which they moved
/// straight, and `levels.csv`, the true mean levels of links; distinguished by their columns.
///
///     trace, time_s, node, x_m, y_m [, z_m]
///     trace, time_s, receiver, beacon, true_rssi_dbm
package enum TruthCSV {
  /// - Throws: `RSSIError` that names the line.
  package static func read<Sink: SightingSink & ~Copyable>(
    _ path: String, into intake: inout Intake<Sink>
  ) throws {
    let levels = TruthLevelRows.columns
    // What only a table of levels has; the names before it are of both.
    let own = Set(levels.dropFirst(2))
    var table = try SmallTable(path) { header in
      (0..<header.count).contains { own.contains(header.text($0)) }
        ? (levels, []) : (["trace", "time_s", "node", "x_m", "y_m"], ["z_m"])
    }
    if table.header["true_rssi_dbm"] != nil {
      try TruthLevelRows.read(&table, into: &intake)
    } else {
      try readPositions(&table, path, into: &intake)
    }
  }

  private static func readPositions<Sink: SightingSink & ~Copyable>(
    _ table: inout SmallTable, _ path: String, into intake: inout Intake<Sink>
  ) throws {
    var times = TableTimes()
    while try table.next() {
      guard let time = table.row.nanoseconds(table.header["time_s"]) else {
        throw table.problem("time_s \"\(table.text("time_s"))\" is not in Unix seconds")
      }
      let name = table.text("node")
      guard let node = intake.node(name) else {
        throw table.problem(
          "the node \"\(name)\" is neither in the recording nor among the nodes")
      }
      let trace = try table.name("trace", of: "trace")
      let x = try table.coordinate("x_m")
      let y = try table.coordinate("y_m")
      guard x.isFinite, y.isFinite else { throw table.problem("x_m or y_m is empty") }
      intake.append(
        TruthPoint(
          time: time, role: node.role, node: node.index,
          trace: try intake.trace(named: trace), x: x, y: y,
          z: try table.coordinate("z_m")))
      times.add(time)
    }
    try times.require(path)
  }
}
