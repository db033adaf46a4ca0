import Glibc
import Recordings
import Sightings
import Support
public import TracePipelines
import TraceStore

/// Watches an input until it ends, or until the user stops it; its output receives the findings.
public struct WatchStage: Stage {
  private let asked: Shared<WatchRequest>
  private var request: WatchRequest { asked.value }

  public init(_ request: WatchRequest) { asked = Shared(request) }

  /// Watches the input until it ends or the user stops it.
  ///
  /// - Throws: `RSSIError` for a request or an input that cannot be used; errors of the output.
  public func perform(in context: LiveContext) throws {
    try request.check()
    let input = request.input
    let watched = WatchedSightings(
      request, into: request.output, places: try WatchedPlaces(request, context.log),
      log: context.log,
      latencyBy: context.board == nil || input.isSource ? nil : context.clock,
      refusesAmbiguity: input.isFiles)
    let watch = InputWatch(context: context)
    switch input {
    case .files(let paths): try watch.read(paths, request.columns, into: watched)
    case .followed(let path): try watch.follow(path, into: watched)
    case .standardInput: try watch.readStandardInput(into: watched)
    case .source(let source):
      try watch.listen(to: source, receiver: request.receiver, into: watched)
    }
  }
}

/// The ways in which sightings reach a watch.
private struct InputWatch {
  let context: LiveContext

  /// The largest difference from the host's clock at which a sighting is of the present, in
  /// nanoseconds.
  private static let present = 5 * Timestamp.second
  /// The maximum age of the latest sighting of a followed trace that is live, in nanoseconds.
  private static let recent = 60 * Timestamp.second
  /// The time that lines may be on their way, in nanoseconds.
  private static let grace = Timestamp.second / 2
  /// The time between two checks of the user's requests, in milliseconds.
  private static let pause: Int32 = 50
  /// The number of pauses between two reads of a followed trace.
  private static let pausesOfALook = 10

  // MARK: Files

  func read(_ paths: [String], _ columns: ColumnMap, into watched: WatchedSightings) throws {
    do {
      for path in paths {
        try read(path, columns, into: watched)
        try watched.endTraces()
      }
    } catch is Stopped {}
    try watched.finish()
    try context.lines?.flush()
  }

  private func read(
    _ path: String, _ columns: ColumnMap, into watched: WatchedSightings
  ) throws {
    let file = try OrderedTrace(
      path: path, columns: columns, lateness: Timestamp.second, note: context.log.note)
    if !file.isOrdered {
      context.log.note("\(path) is not in order of time: its sightings are sorted first")
    }
    let fields: SightingFields = watched.needsSenders ? [.sender] : []
    try file.forEachBlock(fields.union([.time, .link, .rssi, .channel])) { rows, _, catalogue in
      try watched.append(copy rows, payloads: NewPayloads(), catalogue: catalogue)
      if context.control.isStopAsked { throw Stopped() }
    }
    for text in try file.levelNotes() { context.log.note(text) }
  }

  /// The user stopped the watch of a file.
  private struct Stopped: Error {}

  /// Reads a trace twice a second while a capture writes it.
  func follow(_ path: String, into watched: WatchedSightings) throws {
    var trace = FollowedTrace(path: path)
    var (delay, began) = (Self.present, context.clock.monotonic())
    var isFirst = true
    var goesOn = try watched.tick()
    while goesOn, !context.control.isStopAsked {
      let isLive = try trace.readNew { rows, catalogue in
        // A capture writes the sightings of a flush interval at once; the first read is of the
        // past.
        if !isFirst, let first = rows.time.first {
          delay = max(Self.grace, context.clock.now() - first)
        }
        try watched.append(rows, payloads: NewPayloads(), catalogue: catalogue)
        began = context.clock.monotonic()
      }
      isFirst = false
      try context.lines?.flush()
      context.board?.publish(watched.metrics)
      guard isLive else {
        context.log.note("\(path): no program writes it now; the watch has ended")
        break
      }
      // Without sightings, time goes on in a live capture, and stops in a replay.
      if let newest = watched.newest, isNear(newest, within: Self.recent) {
        try watched.advance(to: newest + context.clock.monotonic() - began - delay)
      }
      // Keys are answered between two reads.
      for _ in 0..<Self.pausesOfALook where goesOn && !context.control.isStopAsked {
        context.clock.pause(Self.pause)
        goesOn = try watched.tick()
      }
    }
    try watched.finish()
    try context.lines?.flush()
  }

  // MARK: Streams

  func readStandardInput(into watched: WatchedSightings) throws {
    var builder = TraceBuilder(into: watched, blockRows: 1, keeping: beaconsKeptLive)
    var stream = try SightingStream(path: "-", trace: "stdin")
    func metrics(_ builder: borrowing TraceBuilder<WatchedSightings>) -> StageMetrics {
      var metrics = builder.sink.metrics
      metrics.rejected = StageMetrics(of: builder).rejected
      return metrics
    }
    repeat {
      if let text = builder.takeLevelWarning() { context.log.warn(text) }
      builder.forgetThoseThatLeft()
      guard !stream.hasLine else {
        context.board?.publish(at: context.clock.monotonic(), metrics(builder))
        continue
      }
      try context.lines?.flush()
      context.board?.publish(metrics(builder))
    } while try waits(for: stream, builder.sink) && stream.next(into: &builder)
    let catalogue = try builder.complete()
    try builder.sink.finish()
    context.board?.publish(metrics(builder))
    context.log.reportStream(catalogue)
    try context.lines?.flush()
  }

  /// Waits for more of a stream, or for its end; returns false when the user stops the watch.
  private func waits(
    for stream: borrowing SightingStream, _ watched: WatchedSightings
  ) throws -> Bool {
    var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let began = context.clock.monotonic()
    // For lines of the present, time goes on without them; for those of a recording it stops.
    let isLive = watched.newest.map { isNear($0, within: Self.present) } ?? false
    while true {
      guard try watched.tick(), !context.control.isStopAsked else { return false }
      if stream.hasLine || poll(&waiting, 1, Self.pause) > 0 { return true }
      guard isLive, let newest = watched.newest else { continue }
      try watched.advance(to: newest + context.clock.monotonic() - began - Self.grace)
      try context.lines?.flush()
    }
  }

  private func isNear(_ time: Int64, within limit: Int64) -> Bool {
    abs(context.clock.now() - time) < limit
  }

  func listen(
    to source: SourceRequest, receiver: String?, into watched: WatchedSightings
  ) throws {
    let replay = source.name.isReplay ? ReplayTime(context.clock) : nil
    var live = try LiveSightings(
      LiveWatch(watched, replay: replay, context), of: source.name, receiver: receiver, context)
    try live.listen(to: source, clock: replay?.clock ?? context.clock)
  }
}

/// A trace that is read while a capture writes it.
///
/// The file is opened again for each read: a capture that ends packs it, so that the last rows may
/// be in another file than the first.
struct FollowedTrace {
  let path: String
  /// The number of rows that were read.
  private var taken = 0
  /// The time from which the file counts, as it was at first.
  private var start: Int64?
  private static let blockRows = 65_536

  init(path: String) { self.path = path }

  /// Reads the rows that were added since the last call.
  ///
  /// - Returns: true if a program was writing the file, so that there may be more.
  /// - Throws: `RSSIError` also if another trace has taken the place of the file.
  mutating func readNew(
    _ body: (SightingColumns, Catalogue) throws -> Void
  ) throws -> Bool {
    // Checked before the rows are counted, so that the last read misses none.
    let reader = try TraceReader(path: path)
    guard start == nil || start == reader.start, reader.count >= taken else {
      throw RSSIError(
        .badInput, "\(path) was replaced by another trace; follow that one with `rssi watch`"
      )
    }
    start = reader.start
    var block = SightingColumns(capacity: 0)
    while taken < reader.count {
      let rows = taken..<min(taken + Self.blockRows, reader.count)
      try reader.read(rows, into: &block)
      taken = rows.upperBound
      try body(block, reader.catalogue)
    }
    return reader.isLive
  }
}
