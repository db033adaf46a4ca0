package import Sightings
package import Support

/// A sink that writes sightings to a new trace file, whose time counts from the first of them.
///
/// A block is compressed and written while the next one is read, so a failure is thrown at the
/// following block, or at the end.
package struct TraceSink: SightingSink, ~Copyable {
  private let path: String
  private let heading: TraceHeading
  private let writing: WriteBehind
  /// The levels of the next rows, by filter of the heading, in their order.
  package var filtered: [FilteredLevels]

  /// - Throws: `RSSIError` at once if the file cannot be written.
  package init(path: String, provenance: Provenance) throws(RSSIError) {
    try self.init(path: path, heading: TraceHeading(provenance: [provenance]))
  }

  /// - Throws: `RSSIError` at once if the file cannot be written.
  package init(path: String, heading: TraceHeading) throws(RSSIError) {
    // It is discarded at once; a missing folder is better reported before an hour's work.
    _ = try AtomicFile(path: path)
    self.path = path
    self.heading = heading
    filtered = heading.filters.map { _ in FilteredLevels() }
    writing = WriteBehind()
  }

  package mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    let (path, heading) = (path, heading)
    let levels = filtered.indices.map { filtered[$0].takeFirst(rows.count) }
    try writing.start { writer throws(RSSIError) in
      if writer == nil { writer = try heading.begin(path, first: rows.time.min() ?? 0) }
      try writer?.append(payloads: payloads.bytes, lengths: payloads.lengths)
      try writer?.append(rows)
      try writer?.append(levels)
    }
  }

  /// Completes the file; a recording without sightings becomes a trace without rows.
  ///
  /// - Parameters:
  ///   - catalogue: The tables that the rows refer to.
  ///   - inputs: Input files in addition to those of the initial provenance.
  ///   - links: The results of each filter of the heading, per link.
  package consuming func finish(
    _ catalogue: Catalogue, inputs: [Provenance.Input] = [], links: [[FilteredLink]] = []
  ) throws {
    let (path, heading) = (path, heading)
    var writer = try writing.finish()
    if writer == nil { writer = try heading.begin(path, first: 0) }
    try writer?.append(inputs: inputs)
    try writer?.append(links: links)
    try writer.take()?.finish(catalogue)
  }
}

/// A trace writer that runs on another thread while its owner prepares the next block.
///
/// At most one task is in progress, so memory stays bounded and HDF5 is used by one thread at a
/// time. A failure is thrown at the next task, or at the end.
struct WriteBehind: ~Copyable {
  /// Accessed by the thread whose turn it is: the owner's only between tasks.
  private final class Turn: Sendable {
    nonisolated(unsafe) var writer: TraceWriter?
    nonisolated(unsafe) var failure: RSSIError?
    let work = BackgroundWork()
  }
  private let turn = Turn()

  /// Starts a task, after the previous one has ended.
  ///
  /// - Parameter work: A closure that receives the writer, `nil` the first time.
  func start(
    _ work: @escaping @Sendable (inout TraceWriter?) throws(RSSIError) -> Void
  ) throws(RSSIError) {
    try wait()
    turn.work.start { [turn] in
      do throws(RSSIError) { try work(&turn.writer) } catch { turn.failure = error }
    }
  }

  /// Returns the writer, or `nil` if no task was started.
  consuming func finish() throws(RSSIError) -> TraceWriter? {
    try wait()
    return turn.writer.take()
  }

  private func wait() throws(RSSIError) {
    turn.work.wait()
    if let failure = turn.failure { throw failure }
  }

  deinit {
    turn.work.wait()
    // Released here rather than on the other thread, so that the unfinished file is removed now.
    turn.writer = nil
  }
}
