import Recordings
import Sightings
import Support

/// Nodes to locate as their sightings arrive on the standard input, as NDJSON.
public struct StreamLocateRequest {
  /// The request to locate, with the files that it names.
  public var basis: LocateBasis
  /// The receiver of positions, which is flushed whenever an epoch may be final.
  public var sink: any PositionSink

  /// Creates a request to locate the nodes of the standard input.
  public init(by basis: LocateBasis, into sink: any PositionSink) {
    (self.basis, self.sink) = (basis, sink)
  }
}

/// Locates nodes as their sightings arrive on the standard input.
public struct StreamLocateStage: Stage {
  private let request: StreamLocateRequest

  public init(_ request: StreamLocateRequest) { self.request = request }

  /// Locates nodes until the standard input ends.
  ///
  /// - Throws: `RSSIError` for a request that needs a trace; errors of the sink.
  public func perform(in context: StageContext) throws {
    let (sink, log, board) = (request.sink, context.log, context.board)
    let locator = try request.basis.liveLocator(of: "the stream", into: sink)
    var builder = TraceBuilder(into: locator, blockRows: 1, keeping: beaconsKeptLive)
    var stream = try SightingStream(path: "-", trace: "stdin")
    var isFiltered = false
    repeat {
      if stream.hasFilteredLevels, !isFiltered {
        isFiltered = true
        log.warn(
          "the stream contains filtered levels (variance_db2), but positions are computed "
            + "from raw levels: errors grow and covariances become too small; "
            + "leave `rssi filter` out of the pipeline")
      }
      if let text = builder.takeLevelWarning() { log.warn(text) }
      builder.forgetThoseThatLeft()
      guard !stream.hasLine else {
        board?.publish(at: SystemClock.monotonic, metrics(builder))
        continue
      }
      try sink.flush()
      board?.publish(metrics(builder))
      while let patience = builder.sink.patience {
        guard stream.isQuiet(forNanoseconds: patience) else { break }
        try builder.sink.wait()
        try sink.flush()
        board?.publish(metrics(builder))
      }
    } while try stream.next(into: &builder)
    let catalogue = try builder.complete()
    try builder.sink.finish()
    try sink.flush()
    board?.publish(metrics(builder))
    for note in builder.takeSink().notes { log.warn(note) }
    log.reportStream(catalogue)
  }

  private func metrics(_ builder: borrowing TraceBuilder<LiveLocator>) -> StageMetrics {
    var metrics = StageMetrics(of: builder)
    metrics.sightings = builder.sink.taken
    metrics.latency = builder.sink.latency
    metrics.positions = builder.sink.positions
    return metrics
  }
}
