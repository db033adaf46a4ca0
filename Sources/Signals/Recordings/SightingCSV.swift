internal import Advertising
package import Sightings
package import Support

/// Reads a CSV table of sightings: `rssi.csv`, `distances.csv`, or one that `rssi export` wrote.
///
///     trace (or series), time_s, receiver, beacon, rssi_dbm [, channel (or frequency_mhz), distance_m,
///     pose]
///
/// An empty `rssi_dbm` is a sighting without a level. A row that cannot be read is refused and
/// counted by reason. Constant memory; no allocation a row.
package struct SightingCSV {
  private static let required = ["time_s", "receiver", "beacon", "rssi_dbm"]
  private static let optional = [
    "trace", "series", "channel", "frequency_mhz", "distance_m", "pose",
  ]

  /// Reads a whole table into an intake.
  ///
  /// - Parameter progress: receives how many bytes were read.
  /// - Returns: the number of rows taken.
  /// - Throws: `RSSIError` where the table as a whole is wrong, and what the intake throws.
  package static func read<Sink: SightingSink & ~Copyable>(
    _ path: String, progress: any ActivityProgress = SilentLog(),
    into intake: inout Intake<Sink>
  ) throws -> Int {
    var lines = try Lines(path: path, joinsQuoted: true, progress: progress)
    var row = try lines.header(path)
    let columns = try Columns(
      TableHeader(row, required: required, optional: optional, path: path))
    // A table without a trace column is one trace, named after its file.
    let fileTrace = columns.trace == nil ? try intake.trace(named: fileStem(path)) : nil
    // A row is a report of its own, without a packet.
    var counts = DecodingCounts()
    var firstProblem: String?
    while let reason = try lines.next({ line -> RowProblem? in
      guard let line else { return .lineTooLong }
      if line.isEmpty { return .blank }
      guard row.split(line) else { return .badQuotes }
      return try take(row, columns, fileTrace, &intake)
    }) {
      if reason == .blank { continue }
      guard let reason else {
        counts.sightings += 1
        continue
      }
      counts.rejectedReports += 1
      intake.reject(reason.rawValue)
      if firstProblem == nil { firstProblem = "line \(lines.number): \(reason.rawValue)" }
    }
    guard counts.reports > 0 else {
      throw RSSIError.badTable(path: path, problem: "it has a header but no rows")
    }
    guard counts.sightings > 0 else {
      throw RSSIError.badTable(
        path: path,
        problem: "none of its \(counts.reports) rows can be read (\(firstProblem ?? ""))")
    }
    intake.account(for: counts)
    return counts.sightings
  }

  /// Where the columns are.
  private struct Columns {
    let trace, time, receiver, beacon, rssi: Int?
    let channel, frequency, distance, pose: Int?
    let width: Int

    init(_ header: TableHeader) {
      trace = header["trace"] ?? header["series"]
      time = header["time_s"]
      receiver = header["receiver"]
      beacon = header["beacon"]
      rssi = header["rssi_dbm"]
      channel = header["channel"]
      frequency = header["frequency_mhz"]
      distance = header["distance_m"]
      pose = header["pose"]
      width = header.width
    }
  }

  private static func take<Sink: SightingSink & ~Copyable>(
    _ row: TableRow, _ columns: Columns, _ fileTrace: UInt16?, _ intake: inout Intake<Sink>
  ) throws -> RowProblem? {
    guard row.count == columns.width else { return .wrongFieldCount }
    guard let time = row.nanoseconds(columns.time) else {
      // Milliseconds since 1970 are seconds of the year 5138 and later.
      return (row.double(columns.time) ?? 0) > 1e11 ? .timeNotInSeconds : .badTime
    }
    let rssi: Float
    if row.isEmpty(columns.rssi) {
      rssi = .nan
    } else {
      guard let value = row.double(columns.rssi) else { return .badRSSI }
      rssi = level(Float(value))
    }
    guard !row.isEmpty(columns.receiver), !row.isEmpty(columns.beacon) else { return .missingName }
    guard fileTrace != nil || !row.isEmpty(columns.trace) else { return .missingName }
    guard row.isName(columns.receiver), row.isName(columns.beacon), row.isName(columns.trace),
      row.isName(columns.pose)
    else { return .badName }
    guard let channel = channel(row, columns) else { return .badChannel }
    var distance: Double?
    if !row.isEmpty(columns.distance) {
      guard let value = row.double(columns.distance), Dwell.distances.contains(value)
      else { return .badDistance }
      distance = value
    }
    let bytes = row.bytes.span
    var sighting = Sighting(
      time: time, beacon: intake.beacon(bytes.extracting(row.range(columns.beacon))),
      receiver: try intake.receiver(bytes.extracting(row.range(columns.receiver))),
      trace: try fileTrace ?? intake.trace(bytes.extracting(row.range(columns.trace))), rssi: rssi)
    sighting.channel = channel
    if let distance {
      sighting.dwell = intake.dwell(
        of: sighting, distance: distance, pose: columns.pose == nil ? "" : row.text(columns.pose))
    }
    try intake.append(sighting)
    return nil
  }

  /// The channel that a row states, 255 where it states none; nil where there is no such channel.
  private static func channel(_ row: TableRow, _ columns: Columns) -> UInt8? {
    if !row.isEmpty(columns.channel) {
      return row.double(columns.channel).flatMap(UInt8.init(exactly:))
    }
    guard !row.isEmpty(columns.frequency) else { return 255 }
    return row.double(columns.frequency).flatMap(RadioChannel.index(megahertz:))
  }
}
