internal import CHDF5
internal import Sightings
import Support

/// `/truth/levels`: the true mean levels of links. Traces of earlier versions have none.
struct LevelTable {
  let table: Table
  private let time: Column<Double>
  private let beacon: Column<UInt32>
  private let receiver: Column<UInt16>
  private let trace: Column<UInt16>
  private let rssi: Column<Float>

  init(in file: Handle, mode: Table.Mode, timeUnits: String, path: String) throws(RSSIError) {
    table = try Table(
      "truth/levels", in: file, mode: mode, path: path, isLong: true, limit: 1 << 28)
    time = try table.column(
      "time_s", Double.self, units: timeUnits, "When the link had the level; linear in between")
    beacon = try table.column("beacon", UInt32.self, units: "1", "Row of /beacons")
    receiver = try table.column("receiver", UInt16.self, units: "1", "Row of /receivers")
    trace = try table.column("trace", UInt16.self, units: "1", "Row of /traces")
    rssi = try table.column(
      "rssi_dbm", Float.self, units: "dBm",
      "True mean level of the link, without what differs from packet to packet")
    try table.alignToFirstColumn()
  }

  /// Whether a file has the table.
  static func isThere(in file: Handle) -> Bool { groupNames("truth", in: file).contains("levels") }

  func write(_ levels: ArraySlice<TruthLevel>, from row: Int, clock: Clock) throws(RSSIError) {
    try time.write(levels.map { clock.seconds($0.time) }, from: row)
    try beacon.write(levels.map(\.beacon), from: row)
    try receiver.write(levels.map(\.receiver), from: row)
    try trace.write(levels.map(\.trace), from: row)
    try rssi.write(levels.map(\.rssi), from: row)
  }

  func read(clock: Clock) throws(RSSIError) -> [TruthLevel] {
    let times = try time.readTimes(by: clock)
    let beacons = try beacon.readAll()
    let receivers = try receiver.readAll()
    let traces = try trace.readAll()
    let levels = try rssi.readAll()
    return times.indices.map { (row: Int) -> TruthLevel in
      TruthLevel(
        time: times[row], beacon: beacons[row], receiver: receivers[row],
        trace: traces[row], rssi: TruthLevel.usable(levels[row]))
    }
  }
}
