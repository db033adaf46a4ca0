internal import Advertising
import Sightings
import Support

/// Rows of a table of sightings with local numbers for names, so that parts of a table can be read
/// on several cores and joined in order.
///
/// Empty it with `take` and reuse it: the known names make the next part faster.
struct SightingRows: Sendable {
  private struct Row: Sendable {
    var time: Int64
    var rssi: Float
    var trace, receiver, beacon, pose: UInt32
    /// The distance; NaN if there is none.
    var distance: Double
    var channel: UInt8
  }

  private let columns: SightingTableColumns
  private var rows: [Row] = []
  private var traces = NumberedNames()
  private var receivers = NumberedNames()
  private var beacons = NumberedNames()
  private var poses = NameTable()
  private var refused: [RowProblem: UInt64] = [:]
  private var hasDistances = false
  private(set) var times = TableTimes()
  /// The number of rows at times that are not selected.
  private var leftOut = 0
  /// The number of lines read.
  private(set) var lineCount = 0
  /// The first rejected row, with the number of lines before it.
  private(set) var firstRefused: (line: Int, problem: RowProblem)?

  init(_ columns: SightingTableColumns) { self.columns = columns }

  /// Reads the rows of a part of the table.
  mutating func read(_ part: WholeRows) {
    var row = TableRow(of: part, columns.layout)
    var start = 0
    while start < part.length {
      let end = row.cut(from: start)
      let isLong = end - 1 - start > Lines.maximumLength
      add(row, isLong ? .lineTooLong : row.isBlank ? .blank : nil)
      start = end
    }
  }

  /// Adds the row of the next line.
  ///
  /// - Parameter problem: The reason why it could not be split.
  mutating func add(_ row: borrowing TableRow, _ problem: RowProblem? = nil) {
    defer { lineCount += 1 }
    guard let problem = problem ?? take(row), problem != .blank else { return }
    refused[problem, default: 0] += 1
    if firstRefused == nil { firstRefused = (lineCount, problem) }
  }

  private mutating func take(_ row: borrowing TableRow) -> RowProblem? {
    guard row.count == columns.layout.width else { return .wrongFieldCount }
    // Rows without times get theirs when they are joined, in order.
    guard let time = columns.time == nil ? 0 : row.nanoseconds(columns.time) else {
      return TableTimes.problem(row.double(columns.time))
    }
    let rssi: Float
    if row.isEmpty(columns.rssi) {
      rssi = .nan
    } else {
      guard let value = row.double(columns.rssi) else { return .badRSSI }
      rssi = Float(value)
    }
    guard !row.isEmpty(columns.receiver), !row.isEmpty(columns.beacon),
      columns.trace == nil || !row.isEmpty(columns.trace)
    else { return .missingName }
    guard let receiver = receivers.number(row, columns.receiver),
      let beacon = beacons.number(row, columns.beacon),
      let trace = traces.number(row, columns.trace), row.admits(columns.pose, .pose)
    else { return .badName }
    guard let channel = channel(row) else { return .badChannel }
    var distance = Double.nan
    if !row.isEmpty(columns.distance) {
      guard let value = row.double(columns.distance), DistanceStay.distances.contains(value)
      else { return .badDistance }
      distance = value
      hasDistances = true
    }
    let pose =
      columns.pose == nil
      ? 0 : poses.intern(row.bytes.span.extracting(row.range(columns.pose))).index
    times.add(time)
    rows.append(
      Row(
        time: time, rssi: rssi, trace: trace, receiver: receiver, beacon: beacon,
        pose: UInt32(pose), distance: distance, channel: channel))
    return nil
  }

  /// Returns the channel of a row, 255 if it has none, or `nil` for an invalid channel.
  private func channel(_ row: borrowing TableRow) -> UInt8? {
    if !row.isEmpty(columns.channel) {
      return row.double(columns.channel).flatMap(UInt8.init(exactly:))
    }
    guard !row.isEmpty(columns.frequency) else { return 255 }
    return row.double(columns.frequency).flatMap(RadioChannel.index(megahertz:))
  }

  /// Passes the rows on in their order, and removes them. Names are numbered in the order of the
  /// rows in which they first occur.
  ///
  /// - Parameters:
  ///   - fileTrace: The trace of all rows, if no column names it.
  ///   - counts: Receives the counts of rows.
  ///   - clocks: Receives the times of each receiver.
  mutating func take<Sink: SightingSink & ~Copyable>(
    into builder: inout TraceBuilder<Sink>, fileTrace: UInt16?, _ counts: inout DecodingCounts,
    _ clocks: inout TableClocks
  ) throws {
    if columns.time == nil { number(after: counts.sightings) }
    if builder.chosenTimes != nil { try leaveOut(&builder, fileTrace) }
    for row in rows where hasNewName(row) {
      beacons.join(row.beacon) { builder.beacon($0) }
      try receivers.join(row.receiver) { UInt32(try builder.receiver($0)) }
      try traces.join(row.trace) { UInt32(try builder.trace($0)) }
    }
    var sightings = joined(fileTrace)
    if hasDistances {
      for (index, row) in rows.enumerated() where !row.distance.isNaN {
        sightings[index].stay = builder.stay(
          of: sightings[index], distance: row.distance,
          pose: columns.pose == nil ? "" : poses.names[Int(row.pose)])
      }
    }
    // Readings of a bench may restart at the same time at each stay.
    if !hasDistances { clocks.note(sightings) }
    try builder.append(contentsOf: sightings)
    counts.sightings += rows.count + leftOut
    for (problem, count) in refused {
      counts.rejectedReports += Int(count)
      builder.reject(problem.rawValue, count: count)
    }
    rows.removeAll(keepingCapacity: true)
    refused.removeAll()
    times = TableTimes()
    (lineCount, firstRefused, hasDistances, leftOut) = (0, nil, false, 0)
  }

  /// Gives rows of a table without times one second each, in their order.
  private mutating func number(after count: Int) {
    for index in rows.indices { rows[index].time = Int64(count + index) * Timestamp.second }
  }

  /// Drops rows at times that are not selected.
  private mutating func leaveOut<Sink: SightingSink & ~Copyable>(
    _ builder: inout TraceBuilder<Sink>, _ fileTrace: UInt16?
  ) throws {
    let all = rows
    rows.removeAll(keepingCapacity: true)
    for row in all {
      try traces.join(row.trace) { UInt32(try builder.trace($0)) }
      if builder.takes(row.time, ofTrace: fileTrace ?? UInt16(traces[row.trace])) {
        rows.append(row)
      }
    }
    leftOut = all.count - rows.count
  }

  private func hasNewName(_ row: Row) -> Bool {
    beacons.isNew(row.beacon) || receivers.isNew(row.receiver) || traces.isNew(row.trace)
  }

  /// Returns the rows with the builder's numbers of their names.
  private func joined(_ fileTrace: UInt16?) -> [Sighting] {
    rows.map { row in
      var sighting = Sighting(
        time: row.time, beacon: beacons[row.beacon], receiver: UInt16(receivers[row.receiver]),
        trace: fileTrace ?? UInt16(traces[row.trace]), rssi: row.rssi)
      sighting.channel = row.channel
      return sighting
    }
  }
}

/// Names of a column with local numbers, and with their numbers in a trace builder.
private struct NumberedNames: Sendable {
  private var table = NameTable()
  /// The numbers in the builder; `unknown` until a row with the name was passed on.
  private var numbers: [UInt32] = []
  private static let unknown = UInt32.max
  /// The number for a missing column.
  static let noName = UInt32.max

  /// Returns the number of the name in a row, or `nil` for an invalid name.
  mutating func number(_ row: borrowing TableRow, _ column: Int?) -> UInt32? {
    guard let column else { return Self.noName }
    let name = row.bytes.span.extracting(row.range(column))
    if let known = table.find(name) { return UInt32(known) }
    guard TextLimit.name.admits(name) else { return nil }
    numbers.append(Self.unknown)
    return UInt32(table.intern(name).index)
  }

  func isNew(_ number: UInt32) -> Bool {
    number != Self.noName && numbers[Int(number)] == Self.unknown
  }

  /// Assigns a number in a trace builder to a name, if it has none.
  mutating func join(_ number: UInt32, _ intern: (Span<UInt8>) throws -> UInt32) rethrows {
    guard isNew(number) else { return }
    let name = Array(table.names[Int(number)].utf8)
    numbers[Int(number)] = try intern(name.span)
  }

  subscript(number: UInt32) -> UInt32 { numbers[Int(number)] }
}

/// The positions of the columns of a table of sightings.
struct SightingTableColumns: Sendable {
  let trace, time, receiver, beacon, rssi: Int?
  let channel, frequency, distance, pose: Int?
  let layout: TableLayout
  private let linesBefore: Int

  /// Finds the columns of a table, and notes what was inferred.
  ///
  /// - Throws: `RSSIError` for a table of another kind.
  @inline(never)
  init(_ path: String, _ map: ColumnMap, note: (String) -> Void) throws(RSSIError) {
    try self.init(TableSample(path: path), path, map, note: note)
  }

  init(
    _ sample: TableSample, _ path: String, _ map: ColumnMap, note: (String) -> Void
  ) throws(RSSIError) {
    let header = try TableHeader(
      sample, Self.known(sample.header ?? [], map), map, path: path)
    trace = header["trace"] ?? header["series"]
    time = header["time_s"]
    receiver = header["receiver"]
    beacon = header["beacon"]
    rssi = header["rssi_dbm"]
    channel = header["channel"]
    frequency = header["frequency_mhz"]
    distance = header["true_distance_m"] ?? header["distance_m"]
    pose = header["pose"]
    layout = header.layout
    linesBefore = header.linesBefore
    for sentence in header.sentences { note("\(path): \(sentence)") }
    if time == nil { note("\(path): no times: rows are taken one second apart, in order") }
  }

  /// The columns of a table of sightings. Readings at known distances need no times.
  private static func known(_ names: [String], _ map: ColumnMap) -> TableHeader.Columns {
    // With an interval, distances are estimates that `rssi export` made from the levels.
    let isEstimated = names.contains("distance_low_m")
    let distances = isEstimated ? ["true_distance_m"] : ["distance_m", "true_distance_m"]
    let isOfDistances = distances.contains { column in
      map[column] != nil || names.contains { ColumnHint.rank($0, as: column) != nil }
    }
    return TableHeader.Columns(
      required: (isOfDistances ? [] : ["time_s"]) + ["receiver", "beacon", "rssi_dbm"],
      optional: (isOfDistances ? ["time_s"] : [])
        + ["trace", "series", "channel", "frequency_mhz", "pose"] + distances,
      passedOver: Array(EstimatedDistance.names),
      defaults: ["receiver": "receiver", "beacon": "beacon"])
  }

  /// The lines of the table, from its first row on.
  @inline(never)
  func lines(
    _ path: String, capacity: Int, _ progress: any ActivityProgress
  ) throws -> Lines {
    var lines = try Lines(
      path: path, capacity: capacity, joinsQuoted: true, separator: layout.separator,
      progress: progress)
    try lines.skip(lines: linesBefore)
    return lines
  }
}
