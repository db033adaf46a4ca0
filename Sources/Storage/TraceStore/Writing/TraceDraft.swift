internal import CHDF5
package import Sightings
package import Support

/// A new trace file before its first row: everything in it is created here and nowhere later.
///
/// HDF5 lets a program create datasets while others read the file, and crashes on close; a draft
/// that is consumed by its writer makes that mistake impossible.
package struct TraceDraft: ~Copyable {
  private var output: AtomicFile
  let file: Handle
  let tables: TraceTables
  private let clock: Clock

  /// Where the trace will be.
  var path: String { output.path }

  /// Creates the file, under a temporary name until the writer finishes.
  ///
  /// - Parameters:
  ///   - path: where the trace will be.
  ///   - start: the time that `time_s` counts from, rounded down to a second.
  ///   - provenance: the stage that makes it.
  ///   - clock: in words, where the times come from.
  ///   - note: what a person wants to state about it.
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
    let file = Handle(
      try check(
        H5Fcreate(
          output.temporaryPath, chdf5_truncate(), hid_t(H5P_DEFAULT), properties.id),
        "create", path), close: H5Fclose)
    try output.requireSame(as: chdf5_descriptor(file.id))
    try file.setAttribute("format", "rssi-trace", in: path)
    try file.setAttribute("format_version", UInt16(1), in: path)
    try file.setAttribute("tool_version", provenance.first?.toolVersion ?? "", in: path)
    try file.setAttribute("start", Timestamp.iso8601(clock.start), in: path)
    try file.setAttribute("clean", UInt8(0), in: path)
    try file.setAttribute("clock", source, in: path)
    if !note.isEmpty { try file.setAttribute("note", note, in: path) }
    let tables = try TraceTables(
      in: file, mode: .create(storage), clock: clock, path: path, isOfSession: session != nil,
      stream: stream)
    try session?.write(to: file, path: path)
    for entry in provenance { try tables.provenance.append(entry) }
    self.output = output
    self.file = file
    self.tables = tables
    self.clock = clock
  }

  /// Closes the list of what the file contains and begins with its rows.
  ///
  /// - Parameter filters: those whose levels come with the rows.
  consuming func startWriting(_ filters: [FilterTables] = []) -> TraceWriter {
    TraceWriter(output: output, file: file, tables: tables, clock: clock, filters: filters)
  }

  /// Lets others read the file from now on, under its name, and begins with its rows.
  ///
  /// - Parameter log: takes all that is written from then on, before others see it.
  consuming func startLive(_ log: WriteAheadLog) throws(RSSIError) -> LiveTraceWriter {
    let path = output.path
    let committed = try CommittedTable(of: tables.growing, log: log, in: file, path: path)
    try file.setAttribute("log", hexadecimal(log.identity[...]), in: path)
    try check(H5Fstart_swmr_write(file.id), "share", path)
    try check(H5Fflush(file.id, H5F_SCOPE_GLOBAL), "write", path)
    let image = try contents(ofFile: output.temporaryPath, atMost: 1 << 24)
    let live = try log.begin(path, image: image) { () throws(RSSIError) in
      try output.commitLive()
    }
    return LiveTraceWriter(
      live: live, log: log, file: file, tables: tables, committed: committed, clock: clock)
  }
}

/// All tables of a trace.
struct TraceTables {
  let sightings: SightingTable
  let payloads: PayloadRows
  let catalogue: CatalogueTables
  let provenance: ProvenanceTables
  /// Those that grow while a trace is captured.
  let growing: [Table]

  init(
    in file: Handle, mode: Table.Mode, clock: Clock, path: String, isOfSession: Bool = false,
    stream: StreamIdentity? = nil
  ) throws(RSSIError) {
    sightings = try SightingTable(in: file, mode: mode, timeUnits: clock.units, path: path)
    payloads = try PayloadRows(in: file, mode: mode, path: path)
    catalogue = try CatalogueTables(
      in: file, mode: mode, clock: clock, path: path, isOfSession: isOfSession,
      stream: stream)
    growing = [sightings.table] + payloads.tables + catalogue.tables
    provenance = try ProvenanceTables(in: file, mode: mode, path: path)
  }
}
