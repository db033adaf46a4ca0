internal import CHDF5
import Glibc
package import Sightings
package import Support

/// Takes sightings into a trace that others read while it is written.
///
/// The file is there under its name at once, in place of an older one, and is whole at any instant
/// up to the last block of rows: a program that is killed loses no more than it had not handed
/// over.
///
/// HDF5 keeps metadata in memory and writes it when it likes; so everything is written out before
/// the numbers of `/committed`, which declare how much of it is whole.
package struct LiveTraceSink: SightingSink, ~Copyable {
  package let path: String
  private let live: LiveFile
  private let log: WriteAheadLog
  private let file: TraceFile
  private let tables: TraceTables
  private let committed: CommittedTable
  private var times: [Double] = []
  /// The tables as they are in the file.
  private var written = CatalogueTables.Written()

  /// Begins the trace, with a log that takes all that is written from then on before others see it.
  ///
  /// - Parameters:
  ///   - start: the time that `time_s` counts from, rounded down to a second.
  ///   - clock: the source of the times, in words.
  ///   - note: the note of a person about the trace.
  ///   - session: the session that it is a part of, if any.
  ///   - stream: the stream of a broker that it is of, if any.
  /// - Throws: `RSSIError` if the file cannot be written.
  package init(
    path: String, start: Int64, provenance: Provenance, clock: String, note: String = "",
    session: SessionMark? = nil, stream: StreamIdentity? = nil
  ) throws(RSSIError) {
    let log = WriteAheadLog()
    var draft = try TraceDraft(
      path: path, start: start, provenance: [provenance], clock: clock, note: note,
      session: session, stream: stream, storage: .live(log))
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

  /// Adds rows with what they point into; they are there for readers, and after a kill, on return.
  ///
  /// - Throws: `.inputOutput` when the disk is full; what was written before stays readable.
  package mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws {
    try write(rows, payloads: payloads, catalogue: catalogue)
  }

  /// Writes what changed in the tables although there are no rows.
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
    // Straight to the file, which no cache of HDF5 is in between of: chunks of live columns have
    // none.
    try committed.commit()
    live.noteLength()
  }

  /// Begins to bring what was handed over to the disk, so that it survives a loss of power.
  package func synchronise() { log.synchronise() }

  /// The place of the file now: another program may move, replace or delete it.
  package var place: LivePlace { live.place }

  /// Closes the file as whole, and saves a copy of it if it was deleted meanwhile.
  ///
  /// - Parameter paths: the places of the copy; the first that can be written is taken.
  /// - Returns: the file that was recorded.
  @discardableResult
  package consuming func finish(
    _ catalogue: Catalogue, orCopyTo paths: [String] = []
  ) throws(RSSIError) -> RecordedFile {
    try update(catalogue)
    try file.handle.overwriteAttribute("clean", UInt8(1), in: live.path)
    try closeWhole(file.handle, live.path)
    // Readers take the log for the trace until it is gone, or the trace is no longer being written.
    try live.synchronise()
    let recorded = try live.recorded(orCopiedTo: paths)
    log.remove()
    live.endWriting()
    return recorded
  }

  private func requireUntruncated() throws(RSSIError) {
    guard live.isTruncated else { return }
    // What HDF5 keeps in memory does not fit what is left.
    Abandonment.begin(EIO)
    throw RSSIError(
      .inputOutput, "another program truncated the file while it was being written", in: live.path,
      advice: "its log has what was flushed: run `rssi repair \(live.path)`, and find that program")
  }
}
