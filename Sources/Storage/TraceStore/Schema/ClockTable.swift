internal import CHDF5
internal import Sightings
import Support

/// `/clock`: the clock of the sightings' times beside one that is never set.
struct ClockTable {
  let table: Table
  private let time: Column<Double>
  private let monotonic: Column<Double>
  private let synchronised: Column<UInt8>

  init(in file: Handle, mode: Table.Mode, timeUnits: String, path: String) throws(RSSIError) {
    table = try Table("clock", in: file, mode: mode, path: path)
    time = try table.column("time_s", Double.self, units: timeUnits, "The clock of the times")
    monotonic = try table.column(
      "monotonic_s", Double.self, units: "s", "A clock that is never set, at the same instant")
    synchronised = try table.column(
      "synchronised", UInt8.self, units: "1", "1 = a time service kept the clock right")
    try table.alignToFirstColumn()
  }

  func write(_ readings: [ClockReading], from row: Int, clock: Clock) throws(RSSIError) {
    try time.write(readings.map { clock.seconds($0.time) }, from: row)
    try monotonic.write(readings.map { Double($0.monotonic) / 1e9 }, from: row)
    try synchronised.write(readings.map { $0.isSynchronised ? 1 : 0 }, from: row)
  }

  func read(clock: Clock) throws(RSSIError) -> [ClockReading] {
    let times = try time.readTimes(by: clock)
    let monotonics = try monotonic.readAll()
    let flags = try synchronised.readAll()
    return times.indices.map { (row: Int) -> ClockReading in
      let seconds = monotonics[row]
      return ClockReading(
        time: times[row],
        monotonic: abs(seconds) < 9e9 ? Int64(seconds * 1e9) : 0, isSynchronised: flags[row] != 0)
    }
  }
}
