internal import CHDF5
internal import Sightings

/// `/gaps`: when receivers lost something.
struct GapTable {
  private let start: Column<Double>
  private let end: Column<Double>
  private let receiver: Column<UInt16>
  private let reason: TextColumn
  private let dropped: Column<UInt64>

  init(in file: Handle, mode: Table.Mode, timeUnits: String, path: String) throws(TraceError) {
    let table = try Table("gaps", in: file, mode: mode, path: path)
    start = try table.column("start_s", Double.self, units: timeUnits, "When it began")
    end = try table.column("end_s", Double.self, units: timeUnits, "When it was over")
    receiver = try table.column("receiver", UInt16.self, units: "1", "Row of /receivers")
    reason = try table.text(
      "reason", width: 32,
      "silence, reset, overflow, unplugged, interference, line-noise, disconnected, clock-step")
    dropped = try table.column(
      "dropped", UInt64.self, units: "1", "Events known to be lost; 0 where nobody can count them")
    try table.alignToFirstColumn()
  }

  func write(_ gaps: [Gap], from row: Int, clock: Clock) throws(TraceError) {
    try start.write(gaps.map { clock.seconds($0.start) }, from: row)
    try end.write(gaps.map { clock.seconds($0.end) }, from: row)
    try receiver.write(gaps.map(\.receiver), from: row)
    try reason.write(gaps.map(\.reason.rawValue), from: row)
    try dropped.write(gaps.map(\.dropped), from: row)
  }

  /// The gaps; one of a reason that a later program added is left out.
  func read(clock: Clock) throws(TraceError) -> [Gap] {
    let starts = try start.readAll()
    let ends = try end.readAll()
    let receivers = try receiver.readAll()
    let reasons = try reason.readAll()
    let drops = try dropped.readAll()
    let count = [starts.count, ends.count, receivers.count, reasons.count, drops.count].min() ?? 0
    return (0..<count).compactMap { (row: Int) -> Gap? in
      Gap.Reason(rawValue: reasons[row]).map { reason in
        Gap(
          start: clock.time(starts[row]), end: clock.time(ends[row]), receiver: receivers[row],
          reason: reason, dropped: drops[row])
      }
    }
  }
}
