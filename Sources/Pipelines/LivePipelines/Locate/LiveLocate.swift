import Sightings
import Support
package import TracePipelines

/// Locates nodes as a source receives their sightings, until it ends or the user stops it.
///
/// - Parameters:
///   - receiver: the name of the receiver, in place of the source's.
///   - run: what is located, and how.
///   - sink: receives the positions, and is flushed whenever an epoch may be final.
/// - Throws: `RSSIError` for a request or a source that cannot be used; what the sink throws.
package func locate(
  _ source: SourceRequest, receiver: String?, by run: LocateRun, into sink: any PositionSink,
  _ context: LiveContext
) throws {
  let locator = try run.liveLocator(
    of: source.name.description, knowing: source.name.recordedNodes(), into: sink)
  var live = try LiveSightings(
    LiveLocate(locator: locator, sink: sink, log: context.log), of: source.name,
    receiver: receiver, context)
  try live.listen(to: source, clock: context.clock)
}

/// The locating of a live source: an epoch ends by the clock where no sighting ends it.
struct LiveLocate: LiveStage {
  var locator: LiveLocator
  let sink: any PositionSink
  let log: any ActivityLog

  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    try locator.append(rows, payloads: payloads, catalogue: catalogue)
  }

  var rowsInUse: RowsInUse { locator.rowsInUse }

  mutating func renumber(_ renumbering: Renumbering, in catalogue: Catalogue) {
    locator.renumber(renumbering, in: catalogue)
  }

  mutating func tick() throws -> Bool {
    try locator.wait()
    try sink.flush()
    return true
  }

  mutating func finish(isWhole: Bool) throws {
    try locator.finish()
    try sink.flush()
    for note in locator.notes { log.warn(note) }
  }

  func report(to metrics: inout StageMetrics) {
    metrics.sightings = locator.taken
    metrics.positions = locator.positions
  }
}
