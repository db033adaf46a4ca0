internal import Advertising
package import Sightings
package import Support

/// A reader of CSV tables of sightings: `rssi.csv`, `distances.csv`, or one that `rssi export`
/// wrote.
///
///     trace (or series), time_s, receiver, beacon, rssi_dbm [, channel (or frequency_mhz), distance_m,
///     pose, floor]
///
/// An empty `rssi_dbm` is a sighting without a level. An unreadable row is rejected and counted by
/// reason. Parts of the table are read on all cores and joined in order. Constant memory; no
/// allocation per row.
package enum SightingCSV {
  /// Reads a whole table into a trace builder.
  ///
  /// - Parameters:
  ///   - map: the columns of the table, as a user named them.
  ///   - progress: receives how many bytes were read.
  ///   - note: receives a sentence for a person, such as that a clock was set meanwhile.
  /// - Returns: the number of rows taken.
  /// - Throws: `RSSIError` where the table as a whole is wrong, and what the builder throws.
  package static func read<Sink: SightingSink & ~Copyable>(
    _ path: String, _ map: ColumnMap = ColumnMap(), progress: any ActivityProgress = SilentLog(),
    note: (String) -> Void = { _ in }, into builder: inout TraceBuilder<Sink>
  ) throws -> Int {
    let columns = try SightingTableColumns(path, map, note: note)
    // A table without a trace column is one trace, named after its file.
    let fileTrace =
      columns.trace == nil
      ? try builder.trace(named: fileStem(columns.layout.files[0].path)) : nil
    // A row is a separate report, without a packet.
    var counts = DecodingCounts()
    var times = TableTimes()
    var clocks = TableClocks()
    var clock = RowClock()
    var firstRefused: (line: Int, problem: RowProblem)?
    for columns in columns.passes {
      var lines = try columns.lines(path, capacity: partLength, progress)
      func join(_ part: inout SightingRows, firstLine: Int) throws {
        if firstRefused == nil, let (line, problem) = part.firstRefused {
          firstRefused = (firstLine + line, problem)
        }
        times.merge(part.times)
        try part.take(into: &builder, fileTrace: fileTrace, &counts, &clocks, &clock)
      }
      func join(_ part: inout SightingRows) throws {
        try join(&part, firstLine: lines.number(lines: part.lineCount))
      }
      var row = TableRow(columns.layout)
      var turns = OrderedWorkers(processorCount + 1) { SightingRows(columns) }
      var single = SightingRows(columns)
      while true {
        let isStarted = try turns.start(
          prepare: { try $0.takePart(of: &lines) }, { $0.readPart() }, take: join)
        if isStarted { continue }
        // A row with quotes, or the last one, follows the rows passed on earlier.
        try turns.finish(take: join)
        guard let problem = try lines.next(into: &row) else { break }
        single.add(row, problem)
        try join(&single, firstLine: lines.number)
      }
    }
    guard counts.reports > 0 else {
      throw RSSIError.badTable(path: path, problem: "it has a header but no rows")
    }
    guard counts.sightings > 0 else {
      let first = firstRefused.map { "line \($0.line): \($0.problem.rawValue)" } ?? ""
      throw RSSIError.badTable(
        path: path, problem: "none of its \(counts.reports) rows can be read (\(first))",
        advice: firstRefused?.problem.advice)
    }
    if columns.time != nil { try times.require(path) }
    for sentence in clocks.finish(into: &builder) { note("warning: \(path): \(sentence)") }
    builder.account(for: counts)
    return counts.sightings
  }

  /// The size of a part of the table for one core, in bytes.
  private static let partLength = 1 << 20
}
