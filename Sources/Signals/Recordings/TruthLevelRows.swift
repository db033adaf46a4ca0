internal import Sightings
import Support

/// The rows of `levels.csv`: the true mean levels of links; linear in between.
enum TruthLevelRows {
  static let columns = ["trace", "time_s", "receiver", "beacon", "true_rssi_dbm"]

  /// - Throws: `RSSIError` that names the line.
  static func read<Sink: SightingSink & ~Copyable>(
    _ table: inout SmallTable, into intake: inout Intake<Sink>
  ) throws {
    let places = columns.map { table.header[$0] }
    let heard = HeardBeacons(intake.catalogue)
    while try table.next() {
      guard let time = table.row.nanoseconds(places[1]) else {
        throw table.problem("time_s \"\(table.text("time_s"))\" is not in Unix seconds")
      }
      try table.requireName("trace", of: "trace")
      let rssi = TruthLevel.usable(Float(try table.number("true_rssi_dbm")))
      guard !rssi.isNaN else {
        throw table.problem(
          "true_rssi_dbm \"\(table.text("true_rssi_dbm"))\" is not a level of -127 to 20 dBm")
      }
      let bytes = table.row.bytes.span
      guard let receiver = intake.knownReceiver(bytes.extracting(table.row.range(places[2]))) else {
        throw unknown("receiver", table)
      }
      let trace = try intake.trace(bytes.extracting(table.row.range(places[0])))
      func append(_ beacon: UInt32, to intake: inout Intake<Sink>) {
        intake.append(
          TruthLevel(time: time, beacon: beacon, receiver: receiver, trace: trace, rssi: rssi))
      }
      if let beacon = intake.knownBeacon(bytes.extracting(table.row.range(places[3]))) {
        append(beacon, to: &intake)
        continue
      }
      // An address, or a shortened identity.
      let meant = try heard.numbers(table.text("beacon"))
      guard !meant.isEmpty else { throw unknown("beacon", table) }
      for number in meant { append(UInt32(number), to: &intake) }
    }
  }

  private static func unknown(_ role: String, _ table: borrowing SmallTable) -> RSSIError {
    let name = table.text(role).prefix(40)
    return table.problem(
      "the \(role) \"\(name)\" is neither in the recording nor among the nodes")
  }
}
