internal import Advertising
internal import CHDF5
public import Sightings
public import Support

/// Reads a trace: its tables at once, its sightings in blocks, in constant memory.
///
/// ```swift
/// let reader = try TraceReader(path: "walks.h5")
/// try reader.forEachBlock([.time, .rssi]) { rows in
///   for row in 0..<rows.count { print(rows.time[row], rows.rssi[row]) }
/// }
/// ```
public final class TraceReader {
  /// The path of the file.
  public let path: String
  /// The nodes, traces and labels of the file.
  public let catalogue: Catalogue
  /// The time that the file counts from, nanoseconds since the Unix epoch.
  public let start: Int64
  /// Number of sightings.
  public let count: Int
  /// A Boolean value that is false while the file is being written, or if its writer was stopped
  /// before it finished.
  public let isClean: Bool
  /// A Boolean value that is true while a program is writing the file.
  public let isLive: Bool
  /// The source of the times, in words.
  public let clockSource: String
  /// The note of a person about it; may be empty.
  public let note: String
  /// The work of each stage on the trace, the earliest first.
  public let provenance: [Provenance]
  /// The session that the trace is of, if any.
  package let session: SessionMark?
  /// The stream of a broker that the trace is of, if any.
  package let stream: StreamIdentity?
  /// The rows that a damaged trace has lost, where it was opened to be salvaged.
  package let losses: [TableLoss]
  /// A Boolean value that is true if a loss of power tore the file, so that a mended copy is read.
  package let isMended: Bool
  /// The identity of the file that was opened, whatever has its name by now.
  private let identity: FileIdentity?
  /// The turn to replace the file, where that is what it was opened for.
  private let turn: RewriteTurn?
  let file: TraceFile
  let tables: TraceTables
  /// The raw levels that `forEachBlock` read last.
  private var levels = LevelCensus()

  /// Opens a trace.
  ///
  /// - Parameter isSalvaging: true to take what is left of a closed trace whose columns differ in
  ///   length, which is refused otherwise.
  /// - Throws: `.noInput` for a missing file or a directory, `.badInput` for anything that is not a
  ///   trace of this version or is damaged, `.permission` where it may not be read.
  public convenience init(path: String, isSalvaging: Bool = false) throws(RSSIError) {
    try self.init(path: path, isSalvaging: isSalvaging, turn: nil)
  }

  /// Opens a trace that is to be written again.
  ///
  /// - Parameter output: the new place; if that is its own place, other programs that want to
  ///   replace it wait until this reader is gone.
  package convenience init(
    path: String, toRewriteAt output: String
  ) throws(RSSIError) {
    try self.init(path: path, isSalvaging: false, turn: Self.turn(at: path, for: output))
  }

  static func turn(at path: String, for output: String) -> RewriteTurn? {
    FilePlace(path).isSame(as: FilePlace(output)) ? RewriteTurn(path) : nil
  }

  init(
    path: String, isSalvaging: Bool, turn: RewriteTurn?, mended: Handle? = nil
  ) throws(RSSIError) {
    prepareHDF5()
    self.turn = turn
    try requireHDF5(path)
    self.path = path
    isMended = mended != nil
    // Of the name and before it is opened: what is read may be made again from a log.
    identity = FileIdentity(path: path)
    let handle = if let mended { mended } else { try openHDF5(path) }
    guard handle.textAttribute("format") == "rssi-trace" else {
      throw RSSIError(
        .badInput,
        "\(path) is an HDF5 file but not a trace of rssi; make one with `rssi import` from a "
          + "recording or a table"
      )
    }
    let version = handle.attribute("format_version", as: UInt16.self) ?? 0
    guard version == 1 else {
      throw RSSIError(
        .badInput, "\(path) is a trace of format \(version), this rssi reads format 1: update rssi")
    }
    guard let text = handle.textAttribute("start"), let start = Timestamp.parse(iso8601: text)
    else {
      throw RSSIError(.badInput, "\(path) does not say when it starts: it is damaged")
    }
    self.start = start
    isClean = handle.attribute("clean", as: UInt8.self) == 1
    isLive = !isClean && isBeingWritten(path)
    clockSource = handle.textAttribute("clock") ?? ""
    note = handle.textAttribute("note") ?? ""
    let unknown = TraceFile(
      handle: handle, mode: .open(.closed), clock: Clock(start: start), path: path)
    session = try SessionMark(in: unknown)
    stream = try StreamIdentity(in: unknown)
    file = unknown.opened(
      try RowTrust(in: unknown, isClean: isClean, isSalvaging: isSalvaging, isMended: isMended))
    tables = try TraceTables(in: file)
    if isMended {
      try tables.payloads.leaveOutUnknown()
      let catalogue = try tables.catalogue.read(isWhole: false)
      let unknown = try tables.sightings.firstUnknown(
        catalogue, payloads: tables.payloads.tables[0].rows.count)
      if let unknown { tables.sightings.table.rows.leaveOut(from: unknown) }
    }
    count = tables.sightings.count
    var losses = (tables.growing + tables.provenance.tables).flatMap(\.rows.losses)
    if isSalvaging {
      for name in groupNames("filtered", in: file.handle) {
        let levels = try FilteredTable(name, in: file)
        losses += levels.group.rows.losses(of: count)
      }
    }
    self.losses = losses
    catalogue = try tables.catalogue.read(isWhole: isClean && losses.isEmpty)
    provenance = try tables.provenance.read()
  }

  /// Refuses to put a file that was made of this trace in its place if another program replaced the
  /// trace meanwhile.
  func requireInPlace(for output: String) throws(RSSIError) {
    let (mine, its) = (FilePlace(path), FilePlace(output))
    guard mine.isSame(as: its), FileIdentity(path: path) != identity else { return }
    throw RSSIError(
      .inputOutput, "another program replaced the trace while it was read", in: output,
      advice: "run again")
  }

  /// The advertising data of all sightings.
  package func payloads() -> Payloads { Payloads(tables.payloads, path: path) }

  /// Returns a time as the file keeps it, which after 48 days is in microseconds.
  public func stored(_ time: Int64) -> Int64 {
    file.clock.time(file.clock.seconds(time)) ?? time
  }

  /// Hands over all sightings in blocks, with the columns asked for.
  ///
  /// - Parameters:
  ///   - fields: the columns to read; the others stay empty.
  ///   - filtered: also the levels of this filter, as `rssi`, in place of the raw ones.
  ///   - rows: rows in a block; 65,536 fit the file's chunks.
  ///   - body: called with each block; what it throws ends the reading.
  public func forEachBlock(
    _ fields: SightingFields, filtered: String? = nil, rows: Int = 65_536,
    _ body: (borrowing SightingColumns) throws -> Void
  ) throws {
    prepareHDF5()
    let filter = try filtered.map { try FilteredTable($0, in: file) }
    if let filter, filter.rssi.count != count || filter.variance.count != count {
      throw RSSIError(
        .badInput,
        "/filtered/\(filtered ?? "") of \(path) has \(filter.rssi.count) rows, /sightings \(count)")
    }
    if fields.contains(.rssi), filter == nil { levels = LevelCensus() }
    var block = SightingColumns(capacity: 0)
    var first = 0
    while first < count {
      let range = first..<min(first + rows, count)
      try read(range, fields, filter, into: &block)
      try body(block)
      first = range.upperBound
    }
  }

  /// Reads rows with all columns, in place of what the block held.
  ///
  /// - Parameter rows: of the `count` that there are.
  public func read(_ rows: Range<Int>, into block: inout SightingColumns) throws(RSSIError) {
    prepareHDF5()
    try read(rows, .all, nil, into: &block)
  }

  /// Sentences for a person about the raw levels that were read last.
  ///
  /// - Throws: `.badInput` if over half of the levels of a link are above 0 dBm.
  package func levelNotes() throws(RSSIError) -> [String] { try levels.notes(of: path) }

  /// Sightings without a level whose source has a number in its place, by what that is: those that
  /// were counted when the trace was made, and those that were read last, which an older version
  /// kept.
  package var missingLevels: [(reason: String, count: UInt64)] {
    var counted = catalogue
    counted.rejected += levels.missing.rejected
    return counted.missingLevels
  }

  /// The tables, with what was sent from some addresses: those of names that people wrote.
  ///
  /// Two columns are read, and none if the file has no such address.
  package func catalogue(withSendersAmong addresses: Set<UInt64>) throws -> Catalogue {
    let asked = catalogue.advertisers.map {
      addresses.contains($0.bits) && $0.type != DeviceAddress.anonymousType
    }
    guard asked.contains(true) else { return catalogue }
    // The beacon that an address is itself needs no row.
    let isNamed = catalogue.beacons.map { !$0.id.hasPrefix("addr:") }
    var found: Set<BeaconSender> = []
    var last: (advertiser: UInt32, beacon: UInt32)?
    try forEachBlock([.link, .sender]) { rows in
      for row in rows.advertiser.indices {
        let (advertiser, beacon) = (rows.advertiser[row], rows.beacon[row])
        guard advertiser < asked.count, asked[Int(advertiser)], isNamed[Int(beacon)],
          last?.advertiser != advertiser || last?.beacon != beacon
        else { continue }
        last = (advertiser, beacon)
        found.insert(
          BeaconSender(beacon: beacon, address: catalogue.advertisers[Int(advertiser)].bits))
      }
    }
    var whole = catalogue
    whole.senders = found.sorted { ($0.beacon, $0.address) < ($1.beacon, $1.address) }
    return whole
  }

  private func read(
    _ range: Range<Int>, _ fields: SightingFields, _ filter: FilteredTable?,
    into block: inout SightingColumns
  ) throws(RSSIError) {
    if fields.contains(.time) {
      try tables.sightings.time.read(range, by: file.clock, into: &block.time)
    }
    try tables.sightings.read(
      range, filter == nil ? fields : fields.subtracting(.rssi), into: &block)
    if fields.contains(.link) { try requireKnown(block, from: range.lowerBound) }
    guard fields.contains(.rssi) else { return }
    if let filter {
      try filter.rssi.read(range, into: &block.rssi)
      try filter.variance.read(range, into: &block.variance)
    } else {
      levels.admit(&block)
    }
  }

  /// Refuses rows whose beacon, receiver or trace is none of the file's.
  private func requireKnown(_ block: SightingColumns, from first: Int) throws(RSSIError) {
    let beacons = UInt32(clamping: catalogue.beacons.count)
    let receivers = UInt16(clamping: catalogue.receivers.count)
    let traces = UInt16(clamping: catalogue.traces.count)
    for row in block.beacon.indices
    where block.beacon[row] >= beacons || block.receiver[row] >= receivers
      || block.trace[row] >= traces
    {
      throw RSSIError(
        .badInput,
        "row \(first + row) of /sightings in \(path) is of beacon \(block.beacon[row]), receiver "
          + "\(block.receiver[row]), trace \(block.trace[row]), one of which the file does not "
          + "have: it is damaged"
      )
    }
  }
}
