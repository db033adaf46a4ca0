internal import CHDF5
internal import Sightings
import Support

/// `/session/parts`, `/session/offsets` and `/session/clock`: who recorded, and by which clocks.
///
/// A part and a merged trace have the same tables; a part has one row of parts and no clock but
/// that of `/clock`.
struct SessionTables {
  let tables: [Table]
  private let id: TextColumn
  private let key: TextColumn
  private let member: TextColumn
  private let number: Column<UInt16>
  private let start: Column<Double>
  private let isMachineClock: Column<UInt8>

  private let offsetTime: Column<Double>
  private let offset: Column<Int64>
  private let uncertainty: Column<Int64>
  private let offsetPart: Column<UInt16>

  private let readingTime: Column<Double>
  private let monotonic: Column<Double>
  private let synchronised: Column<UInt8>
  private let readingPart: Column<UInt16>

  init(in file: Handle, mode: Table.Mode, timeUnits: String, path: String) throws(RSSIError) {
    let parts = try Table("session/parts", in: file, mode: mode, path: path)
    id = try parts.text("id", .identity(32), "Tells parts apart, and copies of one as the same")
    key = try parts.text("key", .identity(32), "The same in all parts of a member")
    member = try parts.text("member", .identity(64), "Who recorded it")
    number = try parts.column("number", UInt16.self, units: "1", "1, 2, … in a member's order")
    start = try parts.column(
      "start_s", Double.self, units: timeUnits, "When it began, of the session's time")
    isMachineClock = try parts.column(
      "machine_clock", UInt8.self, units: "1",
      "1 = times are of the machine's clock, 0 = of a recording that was played again")
    try parts.alignToFirstColumn()

    let offsets = try Table("session/offsets", in: file, mode: mode, path: path)
    offsetTime = try offsets.column(
      "time_s", Double.self, units: timeUnits, "When it was measured, of the session's time")
    offset = try offsets.column(
      "offset_ns", Int64.self, units: "ns", "Session's time minus the clock of the machine")
    uncertainty = try offsets.column(
      "uncertainty_ns", Int64.self, units: "ns", "The true offset is within so much")
    offsetPart = try offsets.column(
      "part", UInt16.self, units: "1", "Row of /session/parts whose clock it is")
    try offsets.alignToFirstColumn()

    let clocks = try Table("session/clock", in: file, mode: mode, path: path)
    readingTime = try clocks.column(
      "time_s", Double.self, units: timeUnits, "The clock of the part's times, as session's time")
    monotonic = try clocks.column(
      "monotonic_s", Double.self, units: "s", "A clock that is never set, at the same instant")
    synchronised = try clocks.column(
      "synchronised", UInt8.self, units: "1", "1 = a time service kept the clock right")
    readingPart = try clocks.column("part", UInt16.self, units: "1", "Row of /session/parts")
    try clocks.alignToFirstColumn()
    tables = [parts, offsets, clocks]
  }

  /// Whether a file has the tables.
  static func isThere(in file: Handle) -> Bool {
    groupNames("session", in: file).contains("parts")
  }

  func write(_ parts: [SessionPart], from row: Int, clock: Clock) throws(RSSIError) {
    try id.write(parts.map(\.id), from: row)
    try key.write(parts.map(\.key), from: row)
    try member.write(parts.map(\.member), from: row)
    try number.write(parts.map(\.number), from: row)
    try start.write(parts.map { clock.seconds($0.start) }, from: row)
    try isMachineClock.write(parts.map { $0.isMachineClock ? 1 : 0 }, from: row)
  }

  func write(_ offsets: [SessionOffset], from row: Int, clock: Clock) throws(RSSIError) {
    try offsetTime.write(offsets.map { clock.seconds($0.time) }, from: row)
    try offset.write(offsets.map(\.offset), from: row)
    try uncertainty.write(offsets.map(\.uncertainty), from: row)
    try offsetPart.write(offsets.map(\.part), from: row)
  }

  func write(_ readings: [PartClockReading], from row: Int, clock: Clock) throws(RSSIError) {
    try readingTime.write(readings.map { clock.seconds($0.reading.time) }, from: row)
    try monotonic.write(readings.map { Double($0.reading.monotonic) / 1e9 }, from: row)
    try synchronised.write(readings.map { $0.reading.isSynchronised ? 1 : 0 }, from: row)
    try readingPart.write(readings.map(\.part), from: row)
  }

  /// Reads everything; rows of parts that there are not are left out.
  func read(into catalogue: inout Catalogue, clock: Clock) throws(RSSIError) {
    let (ids, keys, members) = (try id.readAll(), try key.readAll(), try member.readAll())
    let (numbers, starts) = (try number.readAll(), try start.readTimes(by: clock))
    let machine = try isMachineClock.readAll()
    // Where a writer was killed, room that it never filled.
    catalogue.parts = ids.indices.filter { !ids[$0].isEmpty }.map { (row: Int) -> SessionPart in
      SessionPart(
        id: ids[row], key: keys[row], member: members[row], number: numbers[row],
        start: starts[row], isMachineClock: machine[row] == 1)
    }
    let times = try offsetTime.readTimes(by: clock)
    let (offsets, bounds) = (try offset.readAll(), try uncertainty.readAll())
    let parts = try offsetPart.readAll()
    for row in times.indices
    where Int(parts[row]) < catalogue.parts.count && offsets[row].magnitude < 1 << 62 {
      catalogue.offsets.append(
        SessionOffset(
          part: parts[row], time: times[row], offset: offsets[row],
          uncertainty: max(0, bounds[row])))
    }
    let (clocks, monotonics) = (
      try readingTime.readTimes(by: clock), try monotonic.readAll()
    )
    let (flags, owners) = (try synchronised.readAll(), try readingPart.readAll())
    for row in clocks.indices
    where Int(owners[row]) < catalogue.parts.count && abs(monotonics[row]) < 9e9 {
      catalogue.partClocks.append(
        PartClockReading(
          part: owners[row],
          reading: ClockReading(
            time: clocks[row], monotonic: Int64(monotonics[row] * 1e9),
            isSynchronised: flags[row] != 0)))
    }
  }
}
