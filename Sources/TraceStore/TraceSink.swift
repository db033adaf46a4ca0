public import Sightings

/// Takes sightings into a new trace file, which counts its time from the first of them.
///
/// A block is compressed and written while the next one is read; so a failure is thrown at the block
/// after it, or at the end.
public struct TraceSink: SightingSink, ~Copyable {
  private let path: String
  private let provenance: Provenance
  private let writing: WriteBehind

  /// - Throws: a `TraceError` at once where the file cannot be written.
  public init(path: String, provenance: Provenance) throws(TraceError) {
    // Let go at once, it leaves no trace; better to hear of a missing folder before an hour's work.
    _ = try AtomicFile(path: path)
    self.path = path
    self.provenance = provenance
    writing = WriteBehind()
  }

  public mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    let (path, provenance) = (path, provenance)
    try writing.start { writer throws(TraceError) in
      if writer == nil { writer = try begin(path, provenance, start: rows.time.min() ?? 0) }
      try writer?.append(payloads: payloads.bytes, lengths: payloads.lengths)
      try writer?.append(rows)
    }
  }

  /// Completes the file; a recording without sightings becomes a trace without rows.
  ///
  /// - Parameters:
  ///   - catalogue: the tables that the rows point into.
  ///   - inputs: files that were read, beside those of the provenance given at first.
  public consuming func finish(
    _ catalogue: Catalogue, inputs: [Provenance.Input] = []
  ) throws {
    let (path, provenance) = (path, provenance)
    var writer = try writing.finish()
    if writer == nil { writer = try begin(path, provenance, start: 0) }
    try writer?.append(inputs: inputs)
    try writer.take()?.finish(catalogue)
  }
}

private func begin(
  _ path: String, _ provenance: Provenance, start: Int64
) throws(TraceError) -> TraceWriter {
  try TraceDraft(path: path, start: start, provenance: [provenance]).startWriting()
}
