public import Sightings

/// Reads `truth.csv`: where the moving nodes were; in between they moved straight.
///
///     trace, time_s, node, x_m, y_m [, z_m]
public enum TruthTable {
  /// - Throws: `RecordingError` that names the line.
  public static func read<Sink: SightingSink & ~Copyable>(
    _ path: String, into intake: inout Intake<Sink>
  ) throws {
    var table = try SmallTable(
      path, required: ["trace", "time_s", "node", "x_m", "y_m"], optional: ["z_m"])
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
      let x = try table.number("x_m")
      let y = try table.number("y_m")
      guard x.isFinite, y.isFinite else { throw table.problem("x_m or y_m is empty") }
      intake.append(
        TruthPoint(
          time: time, role: node.role, node: node.index,
          trace: try intake.trace(named: trace), x: x, y: y,
          z: try table.number("z_m")))
    }
  }
}
