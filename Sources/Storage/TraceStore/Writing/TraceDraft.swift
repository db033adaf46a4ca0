internal import CHDF5
package import Sightings
package import Support

/// A new trace file before its first row; all its objects are created here.
///
/// HDF5 allows a program to create datasets while others read the file, but crashes on close; a
/// draft that is consumed by its writer excludes that mistake.
package struct TraceDraft: ~Copyable {
  var output: AtomicFile
  let file: TraceFile
  let tables: TraceTables

  /// Creates the file, under a temporary name until the writer finishes.
  ///
  /// - Parameters:
  ///   - path: The path of the trace.
  ///   - start: The reference of `time_s`, rounded down to a second.
  ///   - provenance: The provenance, ending with the creating stage.
  ///   - clock: The description of the source of times.
  ///   - note: The user's note about the trace.
  ///   - session: The session of the trace, if any.
  ///   - stream: The broker stream of the trace, if any.
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

  /// Ends the creation of objects and starts with the rows.
  ///
  /// - Parameter filters: The filters whose levels come with the rows.
  consuming func startWriting(_ filters: [FilterTables] = []) -> TraceWriter {
    TraceWriter(output: output, file: file, tables: tables, filters: filters)
  }
}
