internal import Advertising
internal import CHDF5
public import Sightings
public import Support

/// A reader of a trace: its tables at once, its sightings in blocks, in constant memory.
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
  /// The reference of the file's times, in nanoseconds since the Unix epoch.
  public let start: Int64
  /// The number of sightings.
  public let count: Int
  /// A Boolean value that is true if sightings may have angles.
  package var hasAngles: Bool { tables.sightings.hasAngles }
  /// A Boolean value that is false while the file is being written, or if its writer was stopped
  /// before it finished.
  public let isClean: Bool
  /// A Boolean value that is true while a program is writing the file.
  public let isLive: Bool
  /// The description of the source of times.
  public let clockSource: String
  /// The user's note about the trace; may be empty.
  public let note: String
  /// The stages that processed the trace, the earliest first.
  public let provenance: [Provenance]
  /// The session of the trace, if any.
  package let session: SessionMark?
  /// The broker stream of the trace, if any.
  package let stream: StreamIdentity?
  /// The lost rows of a damaged trace that was opened for salvage.
  package let losses: [TableLoss]
  /// A Boolean value that is true if a power failure tore the file, so that a mended copy is read.
  package let isMended: Bool
  /// The identity of the opened file, independent of later renames.
  private let identity: FileIdentity?
  /// The turn to replace the file, if it was opened for that.
  private let turn: RewriteTurn?
  let file: TraceFile
  let tables: TraceTables
  /// The raw levels that `forEachBlock` read last.
  private var levels = LevelCensus()

  /// Opens a trace.
  ///
  /// - Parameter isSalvaging: A Boolean value that is true to read the remains of a closed trace
  ///   whose columns differ in length, which is otherwise rejected.
  /// - Throws: `.noInput` for a missing file or a directory, `.badInput` for anything that is not a
  ///   trace of this version or is damaged, `.permission` if it may not be read.
  public convenience init(path: String, isSalvaging: Bool = false) throws(RSSIError) {
    try self.init(path: path, isSalvaging: isSalvaging, turn: nil)
  }

  /// Opens a trace that is to be rewritten.
  ///
  /// - Parameter output: The new place; if it is the trace's own place, other programs that want to
  ///   replace it wait until this reader is released.
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
    // Taken by name before opening, because the data may be recovered from a log.
    identity = FileIdentity(path: path)
    let handle = if let mended { mended } else { try openHDF5(path) }
    guard handle.textAttribute("format") == "rssi-trace" else {
      throw RSSIError(
        .badInput,
        "\(path) is an HDF5 file but not a trace of rssi; create one with `rssi import` from a "
          + "recording or a table"
      )
    }
    let version = handle.attribute("format_version", as: UInt16.self) ?? 0
    guard version == 1 else {
      throw RSSIError(
        .badInput,
        "\(path) is a trace of format \(version); this rssi reads format 1: update rssi")
    }
    guard let text = handle.textAttribute("start"), let start = Timestamp.parse(iso8601: text)
    else {
      throw RSSIError(.badInput, "\(path) has no start time: it is damaged")
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

  /// Throws if another program replaced the trace, before a file made from it takes its place.
  func requireInPlace(for output: String) throws(RSSIError) {
    let (mine, its) = (FilePlace(path), FilePlace(output))
    guard mine.isSame(as: its), FileIdentity(path: path) != identity else { return }
    throw RSSIError(
      .inputOutput, "another program replaced the trace while it was read", in: output,
      advice: "run again")
  }

  /// The advertising data of all sightings.
  package func payloads() -> Payloads { Payloads(tables.payloads, path: path) }

  /// Returns a time as stored in the file, which after 48 days has a resolution of microseconds.
  public func stored(_ time: Int64) -> Int64 {
    file.clock.time(file.clock.seconds(time)) ?? time
  }

  /// Calls a closure with all sightings in blocks, with the requested columns.
  ///
  /// - Parameters:
  ///   - fields: The columns to read; the others stay empty.
  ///   - filtered: A filter whose levels replace the raw ones in `rssi`.
  ///   - rows: The number of rows in a block; 65,536 match the file's chunks.
  ///   - body: A closure that receives each block; an error ends the reading.
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

  /// Reads rows with all columns, replacing the content of the block.
  ///
  /// - Parameter rows: The rows, below `count`.
  public func read(_ rows: Range<Int>, into block: inout SightingColumns) throws(RSSIError) {
    prepareHDF5()
    try read(rows, .all, nil, into: &block)
  }

  /// Returns notes for users about the raw levels that were read last.
  ///
  /// - Throws: `.badInput` if over half of the levels of a link are above 0 dBm.
  package func levelNotes() throws(RSSIError) -> [String] { try levels.notes(of: path) }

  /// The sightings without a level for which the source has a number instead, by its meaning: those
  /// counted at the creation of the trace, and those that were read last, which an older version
  /// kept.
  package var missingLevels: [(reason: String, count: UInt64)] {
    var counted = catalogue
    counted.rejected += levels.missing.rejected
    return counted.missingLevels
  }

  /// Returns the tables with the beacons sent from some addresses, namely those in names that users
  /// wrote.
  ///
  /// It reads two columns, or none if the file has no such address.
  package func catalogue(withSendersAmong addresses: Set<UInt64>) throws -> Catalogue {
    let asked = catalogue.advertisers.map {
      addresses.contains($0.bits) && $0.type != DeviceAddress.anonymousType
    }
    guard asked.contains(true) else { return catalogue }
    // A beacon that is itself an address needs no row.
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

  /// Throws if rows have an unknown beacon, receiver or trace.
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
        "row \(first + row) of /sightings in \(path) has beacon \(block.beacon[row]), receiver "
          + "\(block.receiver[row]), trace \(block.trace[row]), one of which the file does not "
          + "contain: it is damaged"
      )
    }
  }
}
