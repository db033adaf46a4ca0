import Sightings
import Support
import TracePipelines

/// The places of the nodes of a watch, located by the same sightings.
final class WatchedPlaces {
  private let begin: () throws -> LiveLocate
  private let changes = PlaceChanges()
  /// The locating of the present tables; nil until a sighting of them.
  private var live: LiveLocate?

  /// Creates the places of a watch; nil if it locates nothing.
  ///
  /// - Throws: `RSSIError` for a request that needs a trace.
  init?(_ request: WatchRequest, _ log: any ActivityLog) throws {
    guard let basis = request.locating else { return nil }
    let sink = PositionSinks([changes, request.positions])
    let name = request.input.name
    let known = try request.input.recordedNodes()
    begin = { try LiveLocate(by: basis, of: name, knowing: known, into: sink, log) }
    live = try begin()
  }

  /// Receives a sighting.
  ///
  /// - Returns: the arrivals and departures that are known now.
  func take(
    _ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue
  ) throws -> [PlaceEvent] {
    if live == nil { live = try begin() }
    try live?.take(rows, row, catalogue)
    return changes.taken()
  }

  /// Ends the epochs that are over by the clock, and returns what they show.
  func tick() throws -> [PlaceEvent] {
    _ = try live?.tick()
    return changes.taken()
  }

  /// Ends all tracks, because later rows are of other tables.
  func finish() throws -> [PlaceEvent] {
    try live?.finish(isWhole: true)
    live = nil
    return changes.taken()
  }

  var rowsInUse: RowsInUse { live?.rowsInUse ?? RowsInUse() }

  func renumber(_ renumbering: Renumbering, in catalogue: Catalogue) {
    live?.renumber(renumbering, in: catalogue)
  }

  func report(to metrics: inout StageMetrics) { live?.report(to: &metrics) }
}

/// The arrivals and departures that the watch has not reported yet.
private final class PlaceChanges: PositionSink {
  private var events: [PlaceEvent] = []

  func receive(_ position: LocatedPosition) {}
  func receive(_ event: PlaceEvent) { events.append(event) }
  func flush() {}

  func taken() -> [PlaceEvent] {
    defer { events.removeAll() }
    return events
  }
}
