import Filtering
import Recordings
import Sightings
import Support

/// Filters NDJSON into lines of the context, each as soon as its level is final.
///
/// The input of the request may be - for standard input; the output and the name are not used.
public struct FilterStreamStage: Stage {
  private let request: FilterRequest

  public init(_ request: FilterRequest) { self.request = request }

  public func perform(in context: StageContext) throws {
    if let lines = context.lines { try run(in: context, to: lines) }
  }

  private func run<Output: LineWriter>(in context: StageContext, to output: Output) throws {
    let (chain, reorder, path) = (request.chain, request.reorder, request.input)
    let (log, board) = (context.log, context.board)
    if chain.contains(where: { $0.missingNoise != nil }) {
      log.note(
        "a stream cannot be read twice: noise that is not written is learned on the way, for as long "
          + "as a link is received"
      )
    }
    let channels = try request.calibration.map(ChannelCorrection.init(path:))
    var builder = TraceBuilder(
      into: FilteringSink(
        chain, reorder: reorder, resetAfter: request.resetAfter, channels: channels, output),
      blockRows: 1)
    var stream = try SightingStream(path: path, trace: path == "-" ? "stdin" : fileStem(path))
    repeat {
      if let text = builder.takeLevelWarning() { log.warn(text) }
      guard !stream.hasLine else {
        board?.publish(at: SystemClock.monotonic, metrics(builder))
        continue
      }
      // A live pipe expects all available lines before it waits for more.
      try output.flush()
      board?.publish(metrics(builder))
      if builder.sink.isHolding, stream.isQuiet(forNanoseconds: reorder.nanoseconds) {
        let catalogue = builder.catalogue
        try builder.sink.drain(catalogue)
        try output.flush()
        board?.publish(metrics(builder))
      }
    } while try stream.next(into: &builder)
    let catalogue = try builder.complete()
    try builder.sink.finish(catalogue)
    try output.flush()
    board?.publish(metrics(builder))
    let sink = builder.takeSink()
    if let note = sink.channels?.note { log.warn(note) }
    sink.counts.report(to: log, of: sink.taken, reorder: reorder)
    log.reportStream(catalogue)
  }

  private func metrics<Output: LineWriter>(
    _ builder: borrowing TraceBuilder<FilteringSink<Output>>
  ) -> StageMetrics {
    var metrics = StageMetrics(of: builder)
    metrics.sightings = UInt64(builder.sink.taken)
    metrics.latency = builder.sink.latency
    return metrics
  }
}

/// Filters sightings as they arrive and writes them out.
private final class FilteringSink<Output: LineWriter>: SightingSink {
  private var filters: FilterChain
  private var links: [Link: Int] = [:]
  private var levels = LevelRows()
  private var lines = OrderedLines()
  private let output: Output
  private(set) var channels: ChannelCorrection?

  init(
    _ chain: [FilterSpecification], reorder: Duration, resetAfter: Duration?,
    channels: ChannelCorrection?, _ output: Output
  ) {
    self.output = output
    self.channels = channels
    filters = FilterChain(chain, reorder: reorder, resetAfter: resetAfter, learns: true)
  }

  var isHolding: Bool { !lines.isEmpty }
  var counts: FilterCounts { filters.counts }
  /// The number of sightings so far.
  var taken: Int { lines.taken }
  private(set) var latency = LatencyHistogram()

  func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    levels.removeAll()
    let channel = rows.channel
    let rows = corrected(rows, catalogue)
    for row in 0..<rows.count {
      levels.append(
        row: lines.taken, link: link(rows, row), time: rows.time[row],
        rssi: Double(rows.rssi[row]), channel: channel[row])
      // The place of this sighting in the stream, if it had one, is the newest truth.
      let place = catalogue.truth.last.flatMap { point in
        point.time == rows.time[row] && point.node == UInt32(rows.receiver[row])
          && point.trace == rows.trace[row] ? point : nil
      }
      lines.take(rows, row, place)
    }
    filters.process(&levels)
    try lines.write(levels, catalogue, to: output)
    latency.add(rows.time, at: SystemClock.now)
  }

  /// Returns the sightings with levels corrected to the mean of the channels, without channels.
  private func corrected(
    _ rows: SightingColumns, _ catalogue: Catalogue
  ) -> SightingColumns {
    guard channels != nil else { return rows }
    var corrected = rows
    for row in 0..<rows.count {
      corrected.rssi[row] = channels.level(of: row, in: rows, catalogue)
      corrected.channel[row] = 255
    }
    return corrected
  }

  /// Writes the lines that wait only for late sightings.
  func drain(_ catalogue: Catalogue) throws {
    filters.drain(&levels)
    try lines.write(levels, catalogue, to: output)
  }

  /// Writes all remaining lines.
  func finish(_ catalogue: Catalogue) throws {
    filters.finish(&levels)
    try lines.write(levels, catalogue, to: output)
  }

  private func link(_ rows: SightingColumns, _ row: Int) -> Int {
    let link = rows.link(row)
    if let known = links[link] { return known }
    let place = LinkPlace(trace: Int(rows.trace[row]), receiver: Int(rows.receiver[row]))
    let number = filters.addLink(place)
    links[link] = number
    return number
  }
}
