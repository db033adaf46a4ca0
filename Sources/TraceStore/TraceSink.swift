public import Sightings

/// Takes sightings into a new trace file, which counts its time from the first of them.
public struct TraceSink: SightingSink, ~Copyable {
  private let path: String
  private let provenance: Provenance
  private var writer: TraceWriter?

  /// - Throws: a `TraceError` at once where the file cannot be written.
  public init(path: String, provenance: Provenance) throws(TraceError) {
    // Let go at once, it leaves no trace; better to hear of a missing folder before an hour's work.
    _ = try AtomicFile(path: path)
    self.path = path
    self.provenance = provenance
  }

  public mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    if writer == nil { try open(start: rows.time.min() ?? 0) }
    try writer?.append(payloads: payloads.bytes, lengths: payloads.lengths)
    try writer?.append(rows)
  }

  /// Completes the file; a recording without sightings becomes a trace without rows.
  ///
  /// - Parameters:
  ///   - catalogue: the tables that the rows point into.
  ///   - inputs: files that were read, beside those of the provenance given at first.
  public consuming func finish(
    _ catalogue: Catalogue, inputs: [Provenance.Input] = []
  ) throws {
    if writer == nil { try open(start: 0) }
    try writer?.append(inputs: inputs)
    try writer.take()?.finish(catalogue)
  }

  private mutating func open(start: Int64) throws(TraceError) {
    writer = try TraceDraft(path: path, start: start, provenance: [provenance]).startWriting()
  }
}
