internal import CHDF5
import Glibc
package import Sightings
package import Support

/// A sink that writes sightings into a trace that others read at the same time.
///
/// The file exists under its name at once, replacing an older one, and is complete at any instant
/// up to the last block of rows: a killed program loses no more than it had not passed on.
///
/// HDF5 keeps metadata in memory and writes it at any time, so everything is flushed before the
/// numbers of `/committed`, which declare how much of it is complete.
package struct LiveTraceSink: SightingSink, ~Copyable {
  package let path: String
  private let live: LiveFile
  private let log: WriteAheadLog
  private let file: TraceFile
  private let tables: TraceTables
  private let committed: CommittedTable
  private var times: [Double] = []
  /// The state of the tables in the file.
  private var written = CatalogueTables.Written()

  /// Starts the trace, with a log that receives all writes from then on before readers see them.
  ///
  /// - Parameters:
  ///   - start: The reference of `time_s`, rounded down to a second.
  ///   - clock: The description of the source of times.
  ///   - note: The user's note about the trace.
  ///   - session: The session that it is a part of, if any.
  ///   - stream: The broker stream of the trace, if any.
  ///   - tables: The occasional tables that may get rows.
  /// - Throws: `RSSIError` if the file cannot be written.
  package init(
    path: String, start: Int64, provenance: Provenance, clock: String, note: String = "",
    session: SessionMark? = nil, stream: StreamIdentity? = nil, with tables: OccasionalTables = []
  ) throws(RSSIError) {
    let log = WriteAheadLog()
    var draft = try TraceDraft(
      path: path, start: start, provenance: [provenance], clock: clock, note: note,
      session: session, stream: stream, storage: .live(log, with: tables))
    let (file, tables) = (draft.file, draft.tables)
    let committed = try CommittedTable(of: tables.growing, log: log, in: file)
    try file.handle.setAttribute("log", hexadecimal(log.identity[...]), in: path)
    try check(H5Fstart_swmr_write(file.handle.id), "share", path)
    try check(H5Fflush(file.handle.id, H5F_SCOPE_GLOBAL), "write", path)
    let image = try contents(ofFile: draft.output.temporaryPath, atMost: 1 << 24)
    live = try log.begin(path, image: image) { () throws(RSSIError) in
      try draft.output.commitLive()
    }
    (self.path, self.log, self.file) = (path, log, file)
    (self.tables, self.committed) = (tables, committed)
  }

  /// Adds rows with the rows that they refer to; on return they are visible to readers, and survive
  /// a kill.
  ///
  /// - Throws: `.inputOutput` if the disk is full; earlier rows stay readable.
  package mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    try write(rows, payloads: payloads, catalogue: catalogue)
  }

  /// Writes changes in the tables without new rows.
  package mutating func update(_ catalogue: Catalogue) throws(RSSIError) {
    try write(SightingColumns(capacity: 0), payloads: NewPayloads(), catalogue: catalogue)
  }

  private mutating func write(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws(RSSIError) {
    prepareHDF5()
    try requireUntruncated()
    try tables.payloads.append(bytes: payloads.bytes, lengths: payloads.lengths)
    try tables.catalogue.write(catalogue, after: &written)
    if !rows.isEmpty {
      times.removeAll(keepingCapacity: true)
      for time in rows.time { times.append(file.clock.seconds(time)) }
      try tables.sightings.append(rows, times: times)
    }
    try check(H5Fflush(file.handle.id, H5F_SCOPE_GLOBAL), "write", live.path)
    log.follow(live.place)
    // Straight to the file, because chunks of live columns have no HDF5 cache.
    try committed.commit()
    // A truncation between the first test and here would otherwise become the known length.
    try requireUntruncated()
    live.noteLength()
  }

  /// Starts to flush the writes to the disk, so that they survive a power failure.
  package func synchronise() { log.synchronise() }

  /// The current place of the file: another program may move, replace or delete it.
  package var place: LivePlace { live.place }

  /// Closes the file as complete, and saves a copy of it if it was deleted meanwhile.
  ///
  /// - Parameter paths: The candidate places of the copy; the first writable one is used.
  /// - Returns: The recorded file.
  @discardableResult
  package consuming func finish(
    _ catalogue: Catalogue, orCopyTo paths: [String] = []
  ) throws(RSSIError) -> RecordedFile {
    try update(catalogue)
    try file.handle.overwriteAttribute("clean", UInt8(1), in: live.path)
    try closeWhole(file.handle, live.path)
    // Readers use the log instead of the trace until it is removed, or the trace is no longer being
    // written.
    try live.synchronise()
    let recorded = try live.recorded(orCopiedTo: paths)
    log.remove()
    live.endWriting()
    return recorded
  }

  private func requireUntruncated() throws(RSSIError) {
    guard live.isTruncated else { return }
    // The memory of HDF5 does not match the remains.
    Abandonment.begin(EIO)
    throw RSSIError(
      .inputOutput, "another program truncated the file while it was being written", in: live.path,
      advice: "run `rssi repair \(live.path)`, which reads its log, and find that program")
  }
}
