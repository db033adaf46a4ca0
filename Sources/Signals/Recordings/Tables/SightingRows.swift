internal import Advertising
import Sightings
import Support

/// Rows of a table of sightings with local numbers for names, so that parts of a table can be read
/// on several cores and joined in order.
///
/// Empty it with `take` and reuse it: the known names make the next part faster.
struct SightingRows: ~Copyable, Sendable {
  struct Row: Sendable {
    /// The time; for a table without times the number of the row among those of its part.
    var time: Int64
    /// The distance; NaN if there is none.
    var distance = Double.nan
    var rssi = Float.nan
    var angle = Angle()
    var trace = NumberedNames.noName
    var receiver = NumberedNames.noName
    var beacon = NumberedNames.noName
    var pose: UInt32 = 0
    var channel: UInt8 = 255
  }

  /// The true place in a row of the table.
  struct Place: Sendable {
    var time: Int64
    var trace, node, floor: UInt32
    var x, y, z: Double
  }

  let columns: SightingTableColumns
  /// The rows of the part that is read.
  private var row: TableRow
  private var rows: [Row] = []
  var places: [Place] = []
  /// The floors of traces, as rows without a true place name them.
  var stops: [(trace: UInt32, floor: UInt32)] = []
  /// The rows with the builder's numbers of their names, in memory that is used again.
  private var sightings: [Sighting] = []
  var traces = NumberedNames()
  var receivers = NumberedNames()
  var beacons = NumberedNames()
  var floors = NumberedNames()
  private var poses = NameTable()
  private var refused: [RowProblem: UInt64] = [:]
  private var hasDistances = false
  /// The number of levels that mean "not heard".
  private var unheard = 0
  /// The number of rows of the table that were taken.
  private var taken = 0
  private(set) var times = TableTimes()
  /// The number of lines read.
  private(set) var lineCount = 0
  /// The first rejected row, with the number of lines before it.
  private(set) var firstRefused: (line: Int, problem: RowProblem)?

  init(_ columns: SightingTableColumns) {
    self.columns = columns
    row = TableRow(columns.layout)
    for name in columns.levelNames {
      let name = Array(name.utf8)
      _ = columns.isOfReceivers ? receivers.number(name.span) : beacons.number(name.span)
    }
  }

  /// Takes the next part of the table, to be read; see `Lines.wholeRows`.
  ///
  /// - Returns: `false` if the next row must be taken alone.
  mutating func takePart(of lines: inout TableLines) throws(RSSIError) -> Bool {
    try row.takeRows(of: &lines)
  }

  /// Reads the rows of the part.
  mutating func readPart() {
    var row = TableRow()
    swap(&row, &self.row)
    while let length = row.cut() {
      add(row, length > Lines.maximumLength ? .lineTooLong : row.isBlank ? .blank : nil)
    }
    swap(&row, &self.row)
  }

  /// Adds the row of the next line.
  ///
  /// - Parameter problem: The reason why it could not be split.
  mutating func add(_ row: borrowing TableRow, _ problem: RowProblem? = nil) {
    defer { lineCount += 1 }
    guard let problem = problem ?? take(row), problem != .blank else { return }
    refuse(problem)
  }

  private mutating func refuse(_ problem: RowProblem) {
    refused[problem, default: 0] += 1
    if firstRefused == nil { firstRefused = (lineCount, problem) }
  }

  // The functions that it calls once are inlined, so that the new row stays in registers.
  private mutating func take(_ row: borrowing TableRow) -> RowProblem? {
    guard row.count == columns.layout.width else { return .wrongFieldCount }
    // Rows without times get theirs when they are joined, in order.
    guard let time = columns.time == nil ? Int64(taken) : row.nanoseconds(columns.time) else {
      return TableTimes.problem(row.double(columns.time))
    }
    var new = Row(time: time)
    if let problem = takeNames(row, into: &new) { return problem }
    if let problem = takeOthers(row, into: &new) { return problem }
    if let problem = takeWhereabouts(row, new) { return problem }
    if columns.levels.isEmpty {
      let isEmpty = row.isEmpty(columns.rssi)
      guard let rssi = isEmpty ? .nan : row.level(columns.rssi) else { return .badRSSI }
      if columns.notHeard.contains(rssi) || isEmpty && columns.fixedDistance != nil {
        unheard += 1
      } else {
        new.rssi = Float(rssi)
        rows.append(new)
      }
    } else {
      takeLevels(row, new)
    }
    times.add(time)
    taken += 1
    return nil
  }

  @inline(__always)
  private mutating func takeNames(
    _ row: borrowing TableRow, into new: inout Row
  ) -> RowProblem? {
    guard columns.receiver == nil || !row.isEmpty(columns.receiver),
      columns.beacon == nil || !row.isEmpty(columns.beacon),
      columns.trace == nil || !row.isEmpty(columns.trace)
    else { return .missingName }
    guard let receiver = receivers.number(row, columns.receiver),
      let beacon = columns.identity.map({ beacons.number(row, of: $0) })
        ?? beacons.number(row, columns.beacon),
      let trace = traces.number(row, columns.trace), row.admits(columns.pose, .pose)
    else { return .badName }
    (new.receiver, new.beacon, new.trace) = (receiver, beacon, trace)
    return nil
  }

  @inline(__always)
  private mutating func takeOthers(
    _ row: borrowing TableRow, into new: inout Row
  ) -> RowProblem? {
    guard let channel = channel(row) else { return .badChannel }
    new.channel = channel
    if let distance = columns.fixedDistance {
      new.distance = distance
      hasDistances = true
    } else if !row.isEmpty(columns.distance) {
      guard let value = row.double(columns.distance), DistanceStay.distances.contains(value)
      else { return .badDistance }
      new.distance = value
      hasDistances = true
    }
    if columns.azimuth != nil || columns.elevation != nil {
      guard let angle = row.angle(columns.azimuth, columns.elevation) else { return .badAngle }
      new.angle = angle
    }
    if columns.pose != nil {
      new.pose = UInt32(poses.intern(row.bytes.span.extracting(row.range(columns.pose))).index)
    }
    return nil
  }

  /// Takes the levels of a row that has one per column. An invalid level is rejected, and
  /// the others are taken.
  private mutating func takeLevels(_ row: borrowing TableRow, _ template: Row) {
    var new = template
    for (number, column) in columns.levels.enumerated() {
      guard let rssi = row.level(column) else {
        if row.isMissing(column) {
          unheard += 1
          continue
        }
        refuse(.badRSSI)
        continue
      }
      if columns.notHeard.contains(rssi) {
        unheard += 1
        continue
      }
      new.rssi = Float(rssi)
      if columns.isOfReceivers {
        new.receiver = UInt32(number)
      } else {
        new.beacon = UInt32(number)
      }
      rows.append(new)
    }
  }

  /// Returns the channel of a row, 255 if it has none, or `nil` for an invalid channel.
  @inline(__always)
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
  ///   - clock: The times of a table without times.
  mutating func take<Sink: SightingSink & ~Copyable>(
    into builder: inout TraceBuilder<Sink>, fileTrace: UInt16?, _ counts: inout DecodingCounts,
    _ clocks: inout TableClocks, _ clock: inout RowClock
  ) throws {
    if columns.time == nil { takeTimes(from: &clock) }
    var leftOut = 0
    if builder.chosenTimes != nil { leftOut = try leaveOut(&builder, fileTrace) }
    if beacons.hasNew || receivers.hasNew || traces.hasNew {
      for row in rows where hasNewName(row) {
        beacons.join(row.beacon) { builder.beacon($0) }
        try receivers.join(row.receiver) { UInt32(try builder.receiver($0)) }
        try traces.join(row.trace) { UInt32(try builder.trace($0)) }
      }
    }
    join(fileTrace)
    if hasDistances {
      for (index, row) in rows.enumerated() where !row.distance.isNaN {
        sightings[index].stay = builder.stay(
          of: sightings[index], distance: row.distance,
          pose: columns.pose == nil ? "" : poses.names[Int(row.pose)])
      }
    }
    // Readings of a bench may restart at the same time at each stay.
    if !hasDistances, columns.time != nil { clocks.note(sightings) }
    try builder.append(contentsOf: sightings)
    if !places.isEmpty { try passPlaces(to: &builder, fileTrace) }
    if !stops.isEmpty { try passFloors(to: &builder, fileTrace) }
    if unheard > 0 { builder.reject(Rejected.notHeard, count: UInt64(unheard)) }
    if columns.time == nil { builder.reject(Rejected.rowOrder, count: UInt64(rows.count)) }
    counts.sightings += rows.count + leftOut
    for (problem, count) in refused {
      counts.rejectedReports += Int(count)
      builder.reject(problem.rawValue, count: count)
    }
    rows.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    stops.removeAll(keepingCapacity: true)
    refused.removeAll()
    times = TableTimes()
    (lineCount, taken, unheard, firstRefused, hasDistances) = (0, 0, 0, nil, false)
  }

  /// Gives the rows of a table without times those of their order.
  private mutating func takeTimes(from clock: inout RowClock) {
    var place = 0
    let times = (0..<taken).map { row in
      while place < places.count, places[place].time < row { place += 1 }
      let here = place < places.count && places[place].time == row ? places[place] : nil
      return clock.next(at: here.map { ($0.node, $0.x, $0.y, $0.z) })
    }
    for index in rows.indices { rows[index].time = times[Int(rows[index].time)] }
    for index in places.indices { places[index].time = times[Int(places[index].time)] }
  }

  /// Drops rows at times that are not selected, and returns how many those are.
  private mutating func leaveOut<Sink: SightingSink & ~Copyable>(
    _ builder: inout TraceBuilder<Sink>, _ fileTrace: UInt16?
  ) throws -> Int {
    let all = rows
    rows.removeAll(keepingCapacity: true)
    for row in all {
      try traces.join(row.trace) { UInt32(try builder.trace($0)) }
      if builder.takes(row.time, ofTrace: fileTrace ?? UInt16(traces[row.trace])) {
        rows.append(row)
      }
    }
    return all.count - rows.count
  }

  private func hasNewName(_ row: Row) -> Bool {
    beacons.isNew(row.beacon) || receivers.isNew(row.receiver) || traces.isNew(row.trace)
  }

  /// Gives the rows the builder's numbers of their names.
  private mutating func join(_ fileTrace: UInt16?) {
    sightings.removeAll(keepingCapacity: true)
    for row in rows {
      var sighting = Sighting(
        time: row.time, beacon: beacons[row.beacon], receiver: UInt16(receivers[row.receiver]),
        trace: fileTrace ?? UInt16(traces[row.trace]), rssi: row.rssi)
      sighting.channel = row.channel
      sighting.angle = row.angle
      sightings.append(sighting)
    }
  }
}
