internal import CHDF5
package import Sightings
package import Support

/// A new trace file before its first row: everything in it is created here and nowhere later.
///
/// HDF5 lets a program create datasets while others read the file, and crashes on close; a draft
/// that is consumed by its writer makes that mistake impossible.
package struct TraceDraft: ~Copyable {
  var output: AtomicFile
  let file: TraceFile
  let tables: TraceTables

  /// Creates the file, under a temporary name until the writer finishes.
  ///
  /// - Parameters:
  ///   - path: the place of the trace.
  ///   - start: the time that `time_s` counts from, rounded down to a second.
  ///   - provenance: the stage that makes it.
  ///   - clock: the source of the times, in words.
  ///   - note: the note of a person about it.
  ///   - session: the session that it is of, if any.
  ///   - stream: the stream of a broker that it is of, if any.
  package init(
    path: String, start: Int64, provenance: [Provenance], clock source: String = "as recorded",
    note: String = "", session: SessionMark? = nil, stream: StreamIdentity? = nil
  ) throws(RSSIError) {
    try self.init(
      path: path, start: start, provenance: provenance, clock: source, note: note,
      session: session, stream: stream, storage: .packed)
  }

  init(
    path: String, start: Int64, provenance: [Provenance], clock source: String, note: String,
    session: SessionMark? = nil, stream: StreamIdentity? = nil, storage: Storage
  ) throws(RSSIError) {
    prepareHDF5()
    let output = try AtomicFile(path: path)
    let whole = max(-Timestamp.limit, Timestamp.split(start).seconds)
    let clock = Clock(start: whole * Timestamp.second)
    let properties = try writeAccess(path)
    let handle = Handle(
      try check(
        H5Fcreate(
          output.temporaryPath, chdf5_truncate(), hid_t(H5P_DEFAULT), properties.id),
        "create", path), close: H5Fclose)
    try output.requireSame(as: chdf5_descriptor(handle.id))
    try handle.setAttribute("format", "rssi-trace", in: path)
    try handle.setAttribute("format_version", UInt16(1), in: path)
    try handle.setAttribute("tool_version", provenance.first?.toolVersion ?? "", in: path)
    try handle.setAttribute("start", Timestamp.iso8601(clock.start), in: path)
    try handle.setAttribute("clean", UInt8(0), in: path)
    try handle.setAttribute("clock", source, in: path)
    if !note.isEmpty { try handle.setAttribute("note", note, in: path) }
    let file = TraceFile(handle: handle, mode: .create(storage), clock: clock, path: path)
    let tables = try TraceTables(in: file, isOfSession: session != nil, stream: stream)
    try session?.write(to: file)
    for entry in provenance { try tables.provenance.append(entry) }
    self.output = output
    self.file = file
    self.tables = tables
  }

  /// Closes the list of what the file contains and begins with its rows.
  ///
  /// - Parameter filters: those whose levels come with the rows.
  consuming func startWriting(_ filters: [FilterTables] = []) -> TraceWriter {
    TraceWriter(output: output, file: file, tables: tables, filters: filters)
  }
}
