package import Sightings
package import Support

/// Takes sightings into a trace that others read while it is written.
///
/// The file is there under its name at once, in place of an older one, and is whole at any instant
/// up to the last block of rows: a program that is killed loses no more than it had not handed
/// over.
package struct LiveTraceSink: SightingSink, ~Copyable {
  package let path: String
  private var writer: LiveTraceWriter

  /// - Parameters:
  ///   - start: the time that `time_s` counts from, rounded down to a second.
  ///   - clock: in words, where the times come from.
  ///   - note: what a person wants to state about the trace.
  ///   - session: the session that it is a part of, if any.
  ///   - stream: the stream of a broker that it is of, if any.
  /// - Throws: a `RSSIError` where the file cannot be written.
  package init(
    path: String, start: Int64, provenance: Provenance, clock: String, note: String = "",
    session: SessionMark? = nil, stream: StreamIdentity? = nil
  ) throws(RSSIError) {
    let log = WriteAheadLog()
    writer = try TraceDraft(
      path: path, start: start, provenance: [provenance], clock: clock, note: note,
      session: session, stream: stream, storage: .live(log)
    ).startLive(log)
    self.path = path
  }

  package mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    try writer.append(rows, payloads: payloads, catalogue: catalogue)
  }

  /// Writes what changed in the tables although there are no rows.
  package mutating func update(_ catalogue: Catalogue) throws(RSSIError) {
    try writer.write(catalogue)
  }

  /// Begins to bring what was handed over to the disk, so that it survives a loss of power.
  package func synchronise() { writer.synchronise() }

  /// Where the file is now: another program may move, replace or delete it.
  package var place: LivePlace { writer.place }

  /// Closes the file as whole, and saves a copy of it where it was deleted meanwhile.
  ///
  /// - Parameter paths: where the copy may be; the first that can be written is.
  /// - Returns: the file that was recorded.
  @discardableResult
  package consuming func finish(
    _ catalogue: Catalogue, orCopyTo paths: [String] = []
  ) throws(RSSIError) -> RecordedFile {
    try writer.finish(catalogue, orCopyTo: paths)
  }
}
