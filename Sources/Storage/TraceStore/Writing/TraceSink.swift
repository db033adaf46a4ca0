package import Sightings
package import Support

/// Takes sightings into a new trace file, which counts its time from the first of them.
///
/// A block is compressed and written while the next one is read; so a failure is thrown at the
/// block after it, or at the end.
package struct TraceSink: SightingSink, ~Copyable {
  private let path: String
  private let plan: Plan
  private let writing: WriteBehind

  /// What the file says of itself.
  private struct Plan: Sendable {
    var provenance: [Provenance]
    /// Nil = the first sighting's.
    var start: Int64?
    var clock = "as recorded"
    var session: SessionMark?

    func begin(_ path: String, first: Int64) throws(RSSIError) -> TraceWriter {
      try TraceDraft(
        path: path, start: start ?? first, provenance: provenance, clock: clock, session: session
      ).startWriting()
    }
  }

  /// - Throws: a `RSSIError` at once where the file cannot be written.
  package init(path: String, provenance: Provenance) throws(RSSIError) {
    try self.init(path: path, plan: Plan(provenance: [provenance]))
  }

  /// Takes what the parts of a session recorded, in a file that counts from the session's start.
  ///
  /// - Parameter provenance: the parts' own, then the stage that merges them.
  /// - Throws: a `RSSIError` at once where the file cannot be written.
  package init(path: String, provenance: [Provenance], session: SessionMark) throws(RSSIError) {
    try self.init(
      path: path,
      plan: Plan(
        provenance: provenance, start: session.start, clock: "the session's, see /session",
        session: session))
  }

  private init(path: String, plan: Plan) throws(RSSIError) {
    // Let go at once, it leaves no trace; better to hear of a missing folder before an hour's work.
    _ = try AtomicFile(path: path)
    self.path = path
    self.plan = plan
    writing = WriteBehind()
  }

  package mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    let (path, plan) = (path, plan)
    try writing.start { writer throws(RSSIError) in
      if writer == nil { writer = try plan.begin(path, first: rows.time.min() ?? 0) }
      try writer?.append(payloads: payloads.bytes, lengths: payloads.lengths)
      try writer?.append(rows)
    }
  }

  /// Completes the file; a recording without sightings becomes a trace without rows.
  ///
  /// - Parameters:
  ///   - catalogue: the tables that the rows point into.
  ///   - inputs: files that were read, beside those of the provenance given at first.
  package consuming func finish(
    _ catalogue: Catalogue, inputs: [Provenance.Input] = []
  ) throws {
    let (path, plan) = (path, plan)
    var writer = try writing.finish()
    if writer == nil { writer = try plan.begin(path, first: 0) }
    try writer?.append(inputs: inputs)
    try writer.take()?.finish(catalogue)
  }
}
