import Dispatch
package import Sightings
package import Support

/// Takes sightings into a new trace file, which counts its time from the first of them.
///
/// A block is compressed and written while the next one is read; so a failure is thrown at the
/// block after it, or at the end.
package struct TraceSink: SightingSink, ~Copyable {
  private let path: String
  private let heading: TraceHeading
  private let writing: WriteBehind
  /// The levels of the rows that come next, by filter of the heading, in their order.
  package var filtered: [FilteredLevels]

  /// - Throws: a `RSSIError` at once where the file cannot be written.
  package init(path: String, provenance: Provenance) throws(RSSIError) {
    try self.init(path: path, heading: TraceHeading(provenance: [provenance]))
  }

  /// - Throws: a `RSSIError` at once where the file cannot be written.
  package init(path: String, heading: TraceHeading) throws(RSSIError) {
    // Let go at once, it leaves no trace; better to hear of a missing folder before an hour's work.
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
  ///   - catalogue: the tables that the rows point into.
  ///   - inputs: files that were read, beside those of the provenance given at first.
  ///   - links: by filter of the heading, what it found for each link.
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

/// A trace writer that another thread works with while its owner prepares the next block.
///
/// At most one piece of work is on its way, so that memory stays bounded and HDF5 is used by one
/// thread at a time. What it failed with is thrown at the next piece of work, or at the end.
struct WriteBehind: ~Copyable {
  /// Touched by the thread whose turn it is: the owner's only while nothing is on its way.
  private final class Turn: Sendable {
    nonisolated(unsafe) var writer: TraceWriter?
    nonisolated(unsafe) var failure: RSSIError?
    let work = DispatchGroup()
  }
  private let turn = Turn()

  /// Hands over work, once that handed over before is done.
  ///
  /// - Parameter work: is given the writer, nil the first time.
  func start(
    _ work: @escaping @Sendable (inout TraceWriter?) throws(RSSIError) -> Void
  ) throws(RSSIError) {
    try wait()
    DispatchQueue.global().async(group: turn.work) { [turn] in
      do throws(RSSIError) { try work(&turn.writer) } catch { turn.failure = error }
    }
  }

  /// Gives the writer back; nil where no work was handed over.
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
    // Here rather than on the other thread, so that the unfinished file is gone from now on.
    turn.writer = nil
  }
}
