import Sightings
import Support
public import TracePipelines

/// A source to locate nodes with.
public struct LiveLocateRequest {
  /// The source to listen to.
  public var source: SourceRequest
  /// The name of the receiver; nil for that of the source.
  public var receiver: String?
  /// The request to locate, with the files that it names.
  public var basis: LocateBasis
  /// The receiver of positions, which is flushed whenever an epoch may be final.
  public var sink: any PositionSink

  /// Creates a request to locate the nodes that a source hears.
  public init(
    _ source: SourceRequest, receiver: String? = nil, by basis: LocateBasis,
    into sink: any PositionSink
  ) {
    (self.source, self.receiver, self.basis, self.sink) = (source, receiver, basis, sink)
  }
}

/// Locates nodes as a source receives their sightings, until it ends or the user stops it; the sink
/// of the request receives the positions.
public struct LiveLocateStage: Stage {
  private let request: LiveLocateRequest

  public init(_ request: LiveLocateRequest) { self.request = request }

  /// Locates nodes until the source ends or the user stops it.
  ///
  /// - Throws: `RSSIError` for a request or a source that cannot be used; errors of the sink.
  public func perform(in context: LiveContext) throws {
    let source = request.source
    let locating = try LiveLocate(
      by: request.basis, of: source.name.description, knowing: source.name.recordedNodes(),
      into: request.sink, context.log)
    var live = try LiveSightings(
      locating, of: source.name, receiver: request.receiver, context)
    try live.listen(to: source, clock: context.clock)
  }
}

/// The locating of a live source: an epoch ends by the clock if no sighting ends it.
struct LiveLocate: LiveStage {
  private let locator: LiveLocator
  private let sink: any PositionSink
  private let log: any ActivityLog

  init(
    by basis: LocateBasis, of name: String, knowing known: Catalogue, into sink: any PositionSink,
    _ log: any ActivityLog
  ) throws {
    locator = try basis.liveLocator(of: name, knowing: known, into: sink)
    (self.sink, self.log) = (sink, log)
  }

  /// Receives one sighting, so that its answers come before the next.
  mutating func take(_ rows: SightingColumns, _ row: Int, _ catalogue: Catalogue) throws {
    try locator.take(rows, row, catalogue)
  }

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
