internal import CHDF5
package import Sightings
package import Support

/// `/stream`: which messages of a broker's stream the sightings are from.
///
/// A row is added whenever rows are flushed and is committed with them; so the last row is true
/// after a kill, and the next capture begins with the message behind it.
struct StreamTable {
  let table: Table
  private let sequence: Column<UInt64>
  private let time: Column<Double>

  init(in file: Handle, mode: Table.Mode, timeUnits: String, path: String) throws(RSSIError) {
    table = try Table(Self.name, in: file, mode: mode, path: path)
    sequence = try table.column(
      "sequence", UInt64.self, units: "1", "All messages up to this number are in the file")
    time = try table.column(
      "time_s", Double.self, units: timeUnits, "When the broker received that message")
    try table.alignToFirstColumn()
  }

  /// Whether a file has the table.
  static func isThere(in file: Handle) -> Bool {
    H5Lexists(file.id, name, hid_t(H5P_DEFAULT)) > 0
  }

  func write(
    _ positions: ArraySlice<StreamPosition>, from row: Int, clock: Clock
  ) throws(RSSIError) {
    try sequence.write(positions.map(\.sequence), from: row)
    try time.write(positions.map { clock.seconds($0.time) }, from: row)
  }

  func read(clock: Clock) throws(RSSIError) -> [StreamPosition] {
    zip(try sequence.readAll(), try time.readTimes(by: clock)).map {
      StreamPosition(sequence: $0, time: $1)
    }
  }

  fileprivate static let name = "stream"
}

extension StreamIdentity {
  /// What a file states; nil where it is of no stream.
  init?(in file: Handle, path: String) throws(RSSIError) {
    guard StreamTable.isThere(in: file) else { return nil }
    let group = Handle(
      try checkRead(
        H5Gopen2(file.id, StreamTable.name, hid_t(H5P_DEFAULT)), "open stream of", path),
      close: H5Gclose)
    guard let broker = group.textAttribute("broker"), let name = group.textAttribute("name"),
      let partition = group.textAttribute("partition"),
      let created = group.textAttribute("created").flatMap({ Timestamp.parse(iso8601: $0) })
    else {
      throw RSSIError(
        .badInput, "/stream of \(path) does not say which stream it is of: it is damaged")
    }
    self.init(broker: broker, name: name, partition: partition, created: created)
  }

  /// Writes the attributes into a new file that has the table.
  func write(to table: Table, path: String) throws(RSSIError) {
    try table.group.setAttribute("broker", broker, in: path)
    try table.group.setAttribute("name", name, in: path)
    try table.group.setAttribute("partition", partition, in: path)
    try table.group.setAttribute("created", Timestamp.iso8601(created), in: path)
  }
}

/// The stream that a capture read, and the last position in it; nil if the trace is of no stream,
/// has no message of it, or is of another stage, which skips messages before it begins.
///
/// Reads no sightings of the file, which may be written meanwhile.
///
/// - Throws: `RSSIError` for a file that cannot be read or is not a trace.
package func streamPosition(
  ofTrace path: String
) throws(RSSIError) -> (stream: StreamIdentity, position: StreamPosition)? {
  prepareHDF5()
  try requireHDF5(path)
  let file: Handle = try openForReading(path)
  guard file.textAttribute("format") == "rssi-trace",
    let start = file.textAttribute("start").flatMap({ Timestamp.parse(iso8601: $0) }),
    let stream = try StreamIdentity(in: file, path: path)
  else { return nil }
  let isClean = file.attribute("clean", as: UInt8.self) == 1
  let trust = try RowTrust(in: file, isClean: isClean, isSalvaging: false, path: path)
  let clock = Clock(start: start)
  let provenance = try ProvenanceTables(in: file, mode: .open(trust), path: path)
  guard try provenance.read().first?.stage == "capture" else { return nil }
  let table = try StreamTable(in: file, mode: .open(trust), timeUnits: clock.units, path: path)
  return try table.read(clock: clock).last.map { (stream, $0) }
}
