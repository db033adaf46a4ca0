import Sightings
package import Support
package import TraceStore

/// Puts traces, or selected sightings of them, into one: names, addresses and payloads are united, and
/// rows are in order of time as far as those of each trace are. Memory does not grow with sightings.
package struct TraceMerge {
  private let request: TraceMergeRequest
  private let tool: ToolIdentity
  private let log: any ActivityLog

  package init(_ request: TraceMergeRequest, by tool: ToolIdentity, log: any ActivityLog) {
    (self.request, self.tool, self.log) = (request, tool, log)
  }

  /// Writes the trace.
  ///
  /// - Throws: `RSSIError` for traces or sightings that are there twice, for places or calibrations
  ///   that contradict each other, and for a selection without a sighting.
  package func result() throws -> TraceMergeResult {
    try requireDistinctInputs(request.inputs)
    let step = try tool.provenance(of: request.stage, inputs: request.inputs)
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
      }, heading)
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

  /// By trace, what is taken of it; nil = everything.
  private func selections(_ readers: [TraceReader]) throws -> [PartSelection?] {
    guard !request.selection.isEverything else { return readers.map { _ in nil } }
    let found = RowSelection(request.selection)
    let selections = try readers.map {
      try PartSelection(request.selection, of: $0, counting: found)
    }
    try found.requireSightings()
    return selections
  }

  private func write(_ parts: [TracePart], _ heading: TraceHeading) throws -> TraceMergeResult {
    var intake = Intake(into: try TraceSink(path: request.output, heading: heading))
    let known = MergedTables(isShared: parts.count > 1)
    for part in parts { try part.begin(&intake, known: known) }
    addClock(of: parts, to: &intake, known)
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
        intake.sink.filtered[filter].rssi.append(level.rssi)
        intake.sink.filtered[filter].variance.append(level.variance)
        links[filter].count(level.rssi, of: row)
      }
      try intake.append(row)
      try parts[index].advance(&intake)
      count += 1
      progress.update(count)
    }
    progress.finish()
    let catalogue = try intake.complete()
    try intake.takeSink().finish(catalogue, links: links.map(\.rows))
    return TraceMergeResult(
      path: request.output, sightings: count,
      parts: parts.map { .init(file: $0.reader.path, sightings: $0.count) })
  }

  /// Adds how the clock ran, where the parts are of the same receivers, and so of one machine.
  private func addClock<Sink: SightingSink & ~Copyable>(
    of parts: [TracePart], to intake: inout Intake<Sink>, _ known: MergedTables
  ) {
    let timed = parts.filter { !$0.reader.catalogue.clock.isEmpty }
    guard Set(timed.map { Set($0.receivers) }).count <= 1 else {
      return log.note("readings of the clocks are left out: the traces are of several machines")
    }
    for part in timed {
      for reading in part.clockReadings where known.isNew(reading) { intake.append(reading) }
    }
  }

  private func twice(_ row: Sighting, _ one: TracePart, _ other: TracePart) -> RSSIError {
    RSSIError(
      .badInput,
      "\(one.reader.path) and \(other.reader.path) hold the same sightings, such as that at "
        + "\(Timestamp.iso8601(row.time))",
      advice: "leave one of them out, or cut them apart with `rssi export`")
  }
}
