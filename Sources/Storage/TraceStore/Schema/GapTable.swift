internal import CHDF5
internal import Sightings
import Support

/// `/gaps`: when receivers lost something.
struct GapTable {
  let table: Table
  private let start: Column<Double>
  private let end: Column<Double>
  private let receiver: Column<UInt16>
  private let reason: TextColumn
  private let dropped: Column<UInt64>

  init(in file: Handle, mode: Table.Mode, timeUnits: String, path: String) throws(RSSIError) {
    table = try Table("gaps", in: file, mode: mode, path: path)
    start = try table.column("start_s", Double.self, units: timeUnits, "When it began")
    end = try table.column("end_s", Double.self, units: timeUnits, "When it was over")
    receiver = try table.column("receiver", UInt16.self, units: "1", "Row of /receivers")
    reason = try table.text(
      "reason", .words(32),
      "silence, reset, overflow, unplugged, interference, line-noise, disconnected, clock-step")
    dropped = try table.column(
      "dropped", UInt64.self, units: "1", "Events known to be lost; 0 where nobody can count them")
    try table.alignToFirstColumn()
  }

  func write(_ gaps: [Gap], from row: Int, clock: Clock) throws(RSSIError) {
    try start.write(gaps.map { clock.seconds($0.start) }, from: row)
    try end.write(gaps.map { clock.seconds($0.end) }, from: row)
    try receiver.write(gaps.map(\.receiver), from: row)
    try reason.write(gaps.map(\.reason.rawValue), from: row)
    try dropped.write(gaps.map(\.dropped), from: row)
  }

  /// The gaps; one of a reason that a later program added is left out.
  func read(clock: Clock) throws(RSSIError) -> [Gap] {
    let starts = try start.readTimes(by: clock)
    let ends = try end.readTimes(by: clock)
    let receivers = try receiver.readAll()
    let reasons = try reason.readAll()
    let drops = try dropped.readAll()
    return starts.indices.compactMap { (row: Int) -> Gap? in
      Gap.Reason(rawValue: reasons[row]).map { reason in
        Gap(
          start: starts[row], end: ends[row], receiver: receivers[row],
          reason: reason, dropped: drops[row])
      }
    }
  }
}
