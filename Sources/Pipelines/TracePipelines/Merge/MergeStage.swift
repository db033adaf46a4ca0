import Sightings
import Support
import TraceStore

/// Merges traces, or selected sightings of them, into one: names, addresses and payloads are
/// united, and rows are in order of time as far as those of each trace are. Memory does not grow
/// with sightings.
public struct MergeStage: Stage {
  private let request: MergeRequest

  public init(_ request: MergeRequest) { self.request = request }

  /// Writes the trace.
  ///
  /// - Throws: `RSSIError` for traces or sightings that are given twice, for places or calibrations
  ///   that contradict each other, and for a selection without a sighting.
  public func perform(in context: StageContext) throws -> MergeResult {
    let log = context.log
    try requireDistinctInputs(request.inputs)
    let step = try context.tool.provenance(of: request.stage, inputs: request.inputs)
    allowOpenFiles(request.inputs.count)
    let readers = try request.inputs.map { try TraceReader(path: $0) }
    for reader in readers { try requireMergeable(reader) }
    try PlaceConflicts().require(readers)
    let heading = try MergedHeading(readers, log: log)
      .heading(adding: step, withoutCalibration: request.withoutCalibration)
    let selections = try selections(readers)
    return try write(
      zip(readers, selections).map { reader, selection in
        TracePart(reader, selection: selection, filters: heading.filters.map(\.name))
      }, heading, log)
  }

  private func requireMergeable(_ reader: TraceReader) throws(RSSIError) {
    guard !reader.isLive else {
      throw RSSIError(
        .badInput, "this trace is being recorded: stop the capture first", in: reader.path)
    }
    guard request.inputs.count == 1 || reader.session?.isMerged ?? true else {
      throw RSSIError(
        .badInput, "this is a part of a session, whose clock differs from those of other parts",
        in: reader.path, advice: "merge the parts with `rssi session merge`")
    }
  }

  /// Returns the selection from each trace; nil = everything.
  private func selections(_ readers: [TraceReader]) throws -> [PartSelection?] {
    guard !request.selection.isEverything else { return readers.map { _ in nil } }
    let found = RowSelection(request.selection)
    let selections = try readers.map {
      try PartSelection(request.selection, of: $0, counting: found)
    }
    try found.requireSightings()
    return selections
  }

  private func write(
    _ parts: [TracePart], _ heading: TraceHeading, _ log: any ActivityLog
  ) throws -> MergeResult {
    var builder = TraceBuilder(into: try TraceSink(path: request.output, heading: heading))
    let known = MergedTables(isShared: parts.count > 1)
    for part in parts { try part.begin(&builder, known: known) }
    addClock(of: parts, to: &builder, known, log)
    var links = heading.filters.map { _ in MergedLinks() }
    for (index, filter) in heading.filters.enumerated() {
      for part in parts { links[index].add(try part.reader.filter(filter.name).links, of: part) }
    }
    let progress = log.progress(request.stage, total: parts.reduce(0) { $0 + $1.reader.count })
    var order = PartOrder(parts)
    var repeated = RepeatedRows()
    var count = 0
    while let index = order.next(), let row = parts[index].head?.sighting {
      if let other = parts.count > 1 ? repeated.part(with: row, of: index) : nil {
        throw twice(row, parts[other], parts[index])
      }
      for filter in links.indices {
        let level = parts[index].level(ofFilter: filter)
        builder.sink.filtered[filter].rssi.append(level.rssi)
        builder.sink.filtered[filter].variance.append(level.variance)
        links[filter].count(level.rssi, of: row)
      }
      try builder.append(row)
      try parts[index].advance(&builder)
      count += 1
      progress.update(count)
    }
    progress.finish()
    try builder.settleFloors()
    let catalogue = try builder.complete()
    try builder.takeSink().finish(catalogue, links: links.map(\.rows))
    return MergeResult(
      path: request.output, sightings: count,
      parts: parts.map { .init(file: $0.reader.path, sightings: $0.count) })
  }

  /// Adds the readings of the clock if the parts have the same receivers, and so come from one
  /// machine.
  private func addClock<Sink: SightingSink & ~Copyable>(
    of parts: [TracePart], to builder: inout TraceBuilder<Sink>, _ known: MergedTables,
    _ log: any ActivityLog
  ) {
    let timed = parts.filter { !$0.reader.catalogue.clock.isEmpty }
    guard Set(timed.map { Set($0.receivers) }).count <= 1 else {
      return log.note("readings of the clocks are left out: the traces are of several machines")
    }
    for part in timed {
      for reading in part.clockReadings where known.isNew(reading) { builder.append(reading) }
    }
  }

  private func twice(_ row: Sighting, _ one: TracePart, _ other: TracePart) -> RSSIError {
    RSSIError(
      .badInput,
      "\(one.reader.path) and \(other.reader.path) contain the same sightings, such as that at "
        + "\(Timestamp.iso8601(row.time))",
      advice: "leave one of them out, or cut them apart with `rssi export`")
  }
}

/// The order of the rows of several parts, by time; of equal times the first part's is first.
///
/// Runs of one part cost one comparison per row, however many parts there are.
struct PartOrder {
  private let parts: [TracePart]
  private var current = 0
  /// The time of the earliest row of any other part, and the number of that part.
  private var limit: (time: Int64, part: Int)?

  init(_ parts: [TracePart]) {
    self.parts = parts
    choose()
  }

  /// Returns the part with the next row; nil after the last.
  mutating func next() -> Int? {
    guard !parts.isEmpty else { return nil }
    if let time = parts[current].head?.sighting.time {
      guard let limit, limit < (time, current) else { return current }
    }
    choose()
    return parts[current].head == nil ? nil : current
  }

  private mutating func choose() {
    let heads = parts.indices.compactMap { index in
      parts[index].head.map { (time: $0.sighting.time, part: index) }
    }
    guard let first = heads.min(by: <) else { return }
    current = first.part
    limit = heads.filter { $0.part != first.part }.min(by: <)
  }
}

/// Refuses a sighting that two parts share: equal to the nanosecond and the byte, it was received
/// once. Equal rows of one part were received twice.
struct RepeatedRows {
  private var instant = Int64.min
  private var rows: [(row: Sighting, part: Int)] = []
  /// The part of each row of the instant; filled when a second part has one.
  private var parts: [SightingContent: Int] = [:]

  /// Takes the next row in order of time.
  ///
  /// - Returns: the other part with the same row; nil = none.
  mutating func part(with row: Sighting, of part: Int) -> Int? {
    if row.time != instant || rows.isEmpty {
      instant = row.time
      rows.removeAll(keepingCapacity: true)
      parts.removeAll(keepingCapacity: true)
    }
    rows.append((row, part))
    guard let first = rows.first, first.part != part || !parts.isEmpty else { return nil }
    if parts.isEmpty {
      for known in rows.dropLast() { parts[SightingContent(known.row)] = known.part }
    }
    let content = SightingContent(row)
    if let other = parts[content], other != part { return other }
    parts[content] = part
    return nil
  }
}

/// A merge: the traces, the selection and the output.
public struct MergeRequest: Sendable {
  /// The paths of the traces.
  public var inputs: [String]
  /// The path of the trace to write.
  public var output: String
  /// The sightings to take; all by default.
  public var selection = SightingSelection()
  /// A Boolean value that is true if calibrations are left out.
  public var withoutCalibration = false
  /// The name of the stage in the provenance.
  public var stage = "merge"

  /// Creates a request to merge traces into an output.
  public init(_ inputs: [String], to output: String) {
    (self.inputs, self.output) = (inputs, output)
  }
}

/// The trace that a merge wrote, with the share of each input.
public struct MergeResult: Equatable, Sendable {
  /// The share of one input in the merged trace.
  public struct Part: Equatable, Sendable {
    /// The path of the input.
    public var file: String
    /// The number of sightings taken from it.
    public var sightings: Int
  }

  /// The path of the merged trace.
  public var path: String
  /// The number of sightings in the merged trace.
  public var sightings: Int
  /// The share of each input.
  public var parts: [Part]
}
