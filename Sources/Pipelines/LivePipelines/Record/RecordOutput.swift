import Capture
import Recordings
import Sightings
import Support
import TracePipelines
import TraceStore

/// The output of a recording: a live trace, a stream of a server, or lines for the next stage.
struct RecordOutput: SightingSink, ~Copyable {
  private var trace: LiveTraceSink?
  private var published: PublishedRows?
  private var lines: SightingLineSink?
  /// The waiting times of rows; nil if metrics are not requested.
  var latency: RowLatency?

  /// - Parameters:
  ///   - trace: the live trace; nil publishes or writes lines.
  ///   - publisher: the publisher; nil writes lines.
  ///   - lines: the writer of lines; nil discards them.
  ///   - latency: the waiting times of the rows of earlier files.
  init(
    _ trace: consuming LiveTraceSink?, publisher: StreamPublisher?, lines: SightingLineSink?,
    latency: consuming RowLatency?
  ) {
    self.latency = latency
    published = publisher.map { PublishedRows($0) }
    self.lines = trace == nil && publisher == nil ? lines : nil
    self.trace = trace
  }

  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    try trace?.append(rows, payloads: payloads, catalogue: catalogue)
    try published?.append(rows, payloads: payloads, catalogue: catalogue)
    try lines?.append(rows, payloads: payloads, catalogue: catalogue)
    latency?.handOver()
  }

  /// Writes changes of the tables without rows.
  mutating func update(_ catalogue: Catalogue) throws {
    try trace?.update(catalogue)
    published?.update(catalogue)
  }

  func synchronise() {
    trace?.synchronise()
    published?.publisher.synchronise()
  }

  /// The number of beacons, and of rows of other tables, after which lines begin again with their
  /// tables.
  private static let mostRows = 65_536

  /// Returns a Boolean value that is true if no file needs the tables, and they are so large that
  /// they begin again.
  func isLarge(_ catalogue: Catalogue) -> Bool {
    switch trace {
    case .some: false
    case .none:
      published?.isLarge(catalogue) ?? false
        || [
          catalogue.beacons.count, catalogue.advertisers.count, catalogue.gaps.count,
          catalogue.clock.count, catalogue.positions.count,
        ].contains { $0 >= Self.mostRows }
    }
  }

  /// Begins again with an empty cache of published rows.
  mutating func renew() { published = published.map { PublishedRows($0.publisher) } }

  /// The place of the trace; nil if lines are written.
  var place: LivePlace? {
    switch trace {
    case .some(let trace): trace.place
    case .none: nil
    }
  }

  /// Closes the trace as complete.
  ///
  /// - Parameter paths: the places for a copy of a trace that was deleted.
  /// - Returns: the file; nil without one.
  consuming func finish(
    _ catalogue: Catalogue, orCopyTo paths: [String]
  ) throws -> RecordedFile? {
    published?.update(catalogue)
    guard let trace = trace.take() else { return nil }
    return try trace.finish(catalogue, orCopyTo: paths)
  }
}

/// The waiting times of the rows of a recording, from reception to output.
struct RowLatency {
  private(set) var histogram = LatencyHistogram()
  /// The times of reception of the waiting rows.
  private var received: [Int64] = []
  private let clock: MachineClock
  /// A Boolean value that is true if the times of reports are of this machine's clock, as those of
  /// radios are.
  private let hasOwnTimes: Bool

  /// - Parameter rows: the number of rows in a block, which is the maximum that waits.
  init(of source: SourceName, _ clock: MachineClock, rows: Int = 65_536) {
    self.clock = clock
    hasOwnTimes = !source.isReplay && !source.isGateways
    received.reserveCapacity(rows)
  }

  /// Counts a row that is received now.
  ///
  /// - Parameter time: the time of its report.
  mutating func receive(at time: Int64) { received.append(hasOwnTimes ? time : clock.now()) }

  /// Counts the waiting rows as written.
  mutating func handOver() {
    let now = clock.now()
    for time in received { histogram.add(now &- time) }
    received.removeAll(keepingCapacity: true)
  }
}
