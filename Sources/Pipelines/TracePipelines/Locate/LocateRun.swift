package import Evaluation
package import Geometry
import PathLoss
import Positioning
import Recordings
package import Registries
package import Sightings
import Sites
package import Support
package import TraceStore

/// Estimates the positions of moving nodes, in trace files or as their sightings come.
///
/// ```swift
/// var request = LocateRequest()
/// request.calibration = "bench.json"
/// let run = try LocateRun(request, log: SilentLog())
/// print(try run.locate("walk.h5").positions.map(\.time))
/// ```
package struct LocateRun: Sendable {
  private let basis: LocateBasis
  private let log: any ActivityLog
  /// The request's; nil = each file's own.
  private let calibration: Calibration?

  package var request: LocateRequest { basis.request }
  /// Where the site is on Earth; nil where that is not known.
  package var reference: EarthReference? { basis.plan.site?.reference }

  /// - Throws: `RSSIError` for a request that cannot be met.
  package init(_ request: LocateRequest, log: any ActivityLog) throws {
    self.log = log
    basis = try LocateBasis(request, log: log)
    calibration = try request.constantsFile.map { try Calibration(path: $0) }
    _ = try requestedConstants()
  }

  /// The constants of the request's calibration; nil where each file has its own.
  private func requestedConstants() throws -> LinkConstants? {
    guard let calibration, let path = request.constantsFile else { return nil }
    return try LinkConstants(
      calibration, of: path,
      group: request.group ?? (request.calibration == nil ? basis.map?.stored.group : nil))
  }

  /// Refuses names of traces that none of the files has.
  package func requireTraces(in paths: [String]) throws {
    guard !request.trace.isEmpty else { return }
    try TracePipelines.requireTraces(
      request.trace, in: paths.map { try TraceReader(path: $0) })
  }

  /// Locates the nodes of a trace file.
  package func locate(_ path: String) throws -> LocatedTrace {
    let located = try located(path, basis)
    for note in located.notes { log.warn(note) }
    return located
  }

  /// Locates the nodes of trace files, several at a time.
  ///
  /// - Parameter take: receives what was located of one file after the other, in their order; only
  ///   some for each core are in memory at a time.
  package func locate(_ paths: [String], take: (LocatedTrace) throws -> Void) throws {
    if let path = paths.first, paths.count == 1 { return try take(locate(path)) }
    let line = log.progress("locate: files", total: paths.count)
    defer { line.finish() }
    // One line of progress is enough for files that are located at the same time.
    var quiet = basis
    quiet.log = SilentLog()
    var done = 0
    try parallelInOrder(paths.count) { [quiet] in
      try located(paths[$0], quiet)
    } take: { located in
      done += 1
      line.update(done)
      for note in located.notes { log.warn(note) }
      try take(located)
    }
  }

  /// What a floor plan of the site shows, its picture included.
  ///
  /// - Throws: `RSSIError` for a picture that cannot be used.
  package func reportedSite(
    of files: [LocatedTrace], _ names: BeaconNames
  ) throws -> ReportedSite {
    var seen: Set<String> = []
    let anchors = files.flatMap(\.anchors).filter { seen.insert($0.id).inserted }
    return try basis.plan.reported(anchors: anchors, names, showsFloor: true)
  }

  private func located(_ path: String, _ basis: LocateBasis) throws -> LocatedTrace {
    let reader = try TraceReader(path: path)
    return try LocatedTrace(
      reader, basis, constants: requestedConstants() ?? ownConstants(of: reader))
  }

  /// Locates nodes as their sightings come on the standard input, as NDJSON.
  ///
  /// - Parameter board: receives how it goes; nil where that is not asked for.
  package func locateStream(
    into sink: any PositionSink, publishingOn board: MetricsBoard? = nil
  ) throws {
    let locator = try liveLocator(of: "the stream", into: sink)
    try StreamLocating(locator: locator, sink: sink, log: log, board: board).run()
  }

  /// What locates nodes as their sightings come.
  ///
  /// - Parameters:
  ///   - name: what messages call the source of the sightings.
  ///   - known: the nodes of a recording that is replayed, whose places count.
  ///   - sink: receives the positions.
  /// - Throws: `RSSIError` for a request that needs a trace.
  package func liveLocator(
    of name: String, knowing known: Catalogue = Catalogue(), into sink: any PositionSink
  ) throws -> LiveLocator {
    try request.checkStream()
    guard DelayedTrack.canFollow(basis.algorithm(anchors: [])),
      let constants = try requestedConstants()
    else {
      throw RSSIError(
        .usage,
        "\(request.algorithmName) answers from what comes later, and a stream has no later yet: "
          + "choose a causal one, such as particle-filter")
    }
    let locator = try Locator(basis, known, of: name, constants: constants)
    return LiveLocator(locator, sink: sink)
  }

  private func ownConstants(of reader: TraceReader) throws -> LinkConstants {
    guard try reader.calibration() != nil else {
      throw RSSIError(
        .usage,
        "\(reader.path) holds no path-loss constants: give them with `calibration`, as `rssi fit "
          + "-o` writes them")
    }
    return try LinkConstants(
      Calibration(path: reader.path), of: reader.path, group: request.group)
  }

  /// The positions of a trace as its file stores them.
  package func stored(_ located: LocatedTrace, name: String?) throws(RSSIError) -> StoredPositions {
    let name = name ?? request.algorithmName
    guard StoredPositions.isName(name) else {
      throw RSSIError(
        .usage,
        "\"\(name)\" cannot be a group in the file: give one without slashes with `name`")
    }
    let spot = request.spotRule
    var settings = [
      "epoch": written(duration: request.rule.step),
      "window": written(duration: request.rule.window), "epochs_of": request.epochsOf.rawValue,
      "levels": located.filter ?? "raw",
      "dimensions": request.dimensions == .space ? "space" : "plane",
      "spot_radius_m": plain(spot.radius), "spot_reached": plain(spot.reached),
      "spot_left": plain(spot.left),
    ]
    if let height = request.height { settings["height_m"] = plain(height) }
    if let group = request.group { settings["group"] = group }
    return StoredPositions(
      name: name, algorithm: request.algorithmName, settings: settings,
      rows: located.positions.map(StoredPosition.init))
  }

  /// Writes positions into a copy of their trace.
  ///
  /// - Parameter inputs: the recordings that were located.
  package func write(
    _ positions: StoredPositions, of located: LocatedTrace, to path: String, inputs: [String],
    by tool: ToolIdentity
  ) throws {
    try TraceStore.write(
      positions, into: TraceReader(path: located.path, toRewriteAt: path), at: path,
      adding: tool.provenance(of: "locate", inputs: inputs + request.otherFiles))
  }
}

extension StoredPosition {
  fileprivate init(_ position: LocatedPosition) {
    self.init(
      time: position.time, role: position.node.role, node: position.node.index,
      trace: position.node.trace)
    anchors = UInt32(clamping: position.anchors)
    (room, spot) = (position.room ?? "", position.spot ?? "")
    refusal = position.refusal?.description ?? ""
    withoutCovariance = position.withoutCovariance?.description ?? ""
    guard let estimate = position.estimate else { return }
    (x, y, z) = (estimate.position.x, estimate.position.y, estimate.height ?? .nan)
    guard let covariance = estimate.uncertainty.covariance else { return }
    (varianceX, covarianceXY, varianceY) = (covariance.xx, covariance.xy, covariance.yy)
    guard let vertical = covariance.vertical else { return }
    (covarianceXZ, covarianceYZ, varianceZ) = (vertical.xz, vertical.yz, vertical.zz)
  }
}

/// Locates nodes as their sightings come on the standard input.
struct StreamLocating {
  let locator: LiveLocator
  let sink: any PositionSink
  let log: any ActivityLog
  let board: MetricsBoard?

  func run() throws {
    var builder = TraceBuilder(into: locator, blockRows: 1, keeping: beaconsKeptLive)
    var stream = try SightingStream(path: "-", trace: "stdin")
    var isFiltered = false
    repeat {
      if stream.hasFilteredLevels, !isFiltered {
        isFiltered = true
        log.warn(
          "the stream holds filtered levels (variance_db2), and positions are computed "
            + "from levels as received: their errors grow and their covariances become too small; "
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
