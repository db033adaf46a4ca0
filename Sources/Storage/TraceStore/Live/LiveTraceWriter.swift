internal import CHDF5
import Glibc
internal import Sightings
import Support

/// Writes a trace that others read meanwhile, and that is whole at any instant, whatever ends the
/// program.
///
/// HDF5 keeps metadata in memory and writes it when it likes; so everything is written out before
/// the numbers of `/committed`, which declare how much of it is whole.
struct LiveTraceWriter: ~Copyable {
  private let live: LiveFile
  private let log: WriteAheadLog
  private let file: Handle
  private let tables: TraceTables
  private let committed: CommittedTable
  private let clock: Clock
  private var times: [Double] = []
  /// The tables as they are in the file.
  private var written = CatalogueTables.Written()

  init(
    live: LiveFile, log: WriteAheadLog, file: Handle, tables: TraceTables,
    committed: CommittedTable, clock: Clock
  ) {
    self.live = live
    self.log = log
    self.file = file
    self.tables = tables
    self.committed = committed
    self.clock = clock
  }

  private var path: String { live.path }

  /// Where the file is now.
  var place: LivePlace { live.place }

  /// Adds rows with what they point into; they are there for readers, and after a kill, on return.
  ///
  /// - Throws: `.inputOutput` when the disk is full; what was written before stays readable.
  mutating func append(
    _ rows: SightingColumns, payloads: NewPayloads, catalogue: Catalogue
  ) throws(RSSIError) {
    prepareHDF5()
    try requireUntruncated()
    try tables.payloads.append(bytes: payloads.bytes, lengths: payloads.lengths)
    try tables.catalogue.write(catalogue, after: &written)
    if !rows.isEmpty {
      times.removeAll(keepingCapacity: true)
      for time in rows.time { times.append(clock.seconds(time)) }
      try tables.sightings.append(rows, times: times)
    }
    try check(H5Fflush(file.id, H5F_SCOPE_GLOBAL), "write", path)
    log.follow(live.place)
    // Straight to the file, which no cache of HDF5 is in between of: chunks of live columns have
    // none.
    try committed.commit()
    live.noteLength()
  }

  /// Writes what changed in the tables.
  mutating func write(_ catalogue: Catalogue) throws(RSSIError) {
    try append(SightingColumns(capacity: 0), payloads: NewPayloads(), catalogue: catalogue)
  }

  /// Begins to bring what was written to the disk, so that it survives a loss of power.
  func synchronise() { log.synchronise() }

  /// Closes the file as whole, and saves a copy of it where it was deleted meanwhile.
  ///
  /// - Parameter paths: where the copy may be.
  consuming func finish(
    _ catalogue: Catalogue, orCopyTo paths: [String]
  ) throws(RSSIError) -> RecordedFile {
    try write(catalogue)
    try file.overwriteAttribute("clean", UInt8(1), in: path)
    try closeWhole(file, path)
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
      .inputOutput, "another program truncated the file while it was being written", in: path,
      advice: "its log has what was flushed: run `rssi repair \(path)`, and find that program")
  }
}
