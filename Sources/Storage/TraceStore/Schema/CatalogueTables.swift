internal import Advertising
internal import CHDF5
internal import Sightings
import Support

/// The tables that sightings point into, beside the payloads.
struct CatalogueTables {
  /// All of them, in the order in which they are created.
  let tables: [Table]
  private let beacons: NodeTable
  private let receivers: NodeTable
  private let traceID: TextColumn
  private let address: TextColumn
  private let addressType: Column<UInt8>
  private let distances: DistanceTable
  private let positions: PositionTable
  /// Nil where a file of an earlier version has none.
  private let levels: LevelTable?
  private let gaps: GapTable
  private let readings: ClockTable
  private let reason: TextColumn
  private let rejections: Column<UInt64>
  /// Nil where the trace is of no session.
  private let session: SessionTables?
  /// Nil where the trace is of no stream.
  private let stream: StreamTable?
  private let clock: Clock
  private let path: String

  /// - Parameters:
  ///   - isOfSession: whether to create the tables of a session.
  ///   - stream: the stream whose table to create.
  init(
    in file: Handle, mode: Table.Mode, clock: Clock, path: String, isOfSession: Bool,
    stream identity: StreamIdentity?
  ) throws(RSSIError) {
    self.clock = clock
    self.path = path
    let timeUnits = clock.units
    beacons = try NodeTable("beacons", role: .beacon, in: file, mode: mode, path: path)
    receivers = try NodeTable("receivers", role: .receiver, in: file, mode: mode, path: path)

    let traces = try Table("traces", in: file, mode: mode, path: path, limit: Int(UInt16.max))
    traceID = try traces.text("id", .trace, "Name of a continuous recording")
    try traces.alignToFirstColumn()

    let advertisers = try Table(
      "advertisers", in: file, mode: mode, path: path, limit: Int(UInt32.max))
    address = try advertisers.text("address", .words(17), "Device address")
    addressType = try advertisers.column(
      "address_type", UInt8.self, units: "1",
      "0 public, 1 random, 2 public identity, 3 random identity, 255 anonymous")
    try advertisers.alignToFirstColumn()

    distances = try DistanceTable(in: file, mode: mode, timeUnits: timeUnits, path: path)
    positions = try PositionTable(in: file, mode: mode, timeUnits: timeUnits, path: path)
    levels =
      mode.isOpen && !LevelTable.isThere(in: file)
      ? nil : try LevelTable(in: file, mode: mode, timeUnits: timeUnits, path: path)
    gaps = try GapTable(in: file, mode: mode, timeUnits: timeUnits, path: path)
    readings = try ClockTable(in: file, mode: mode, timeUnits: timeUnits, path: path)

    let rejected = try Table("rejected", in: file, mode: mode, path: path)
    reason = try rejected.text("reason", .reason, "Why input was refused")
    rejections = try rejected.column("count", UInt64.self, units: "1", "How often")
    try rejected.alignToFirstColumn()
    let hasSession = mode.isOpen ? SessionTables.isThere(in: file) : isOfSession
    session =
      hasSession
      ? try SessionTables(in: file, mode: mode, timeUnits: timeUnits, path: path) : nil
    let hasStream = mode.isOpen ? StreamTable.isThere(in: file) : identity != nil
    stream =
      hasStream ? try StreamTable(in: file, mode: mode, timeUnits: timeUnits, path: path) : nil
    if !mode.isOpen, let stream { try identity?.write(to: stream.table, path: path) }
    tables =
      [beacons.table, receivers.table, traces, advertisers, distances.table, positions.table]
      + (levels.map { [$0.table] } ?? []) + [gaps.table, readings.table, rejected]
      + (session?.tables ?? []) + (stream.map { [$0.table] } ?? [])
  }

  /// The tables as they are in the file: of those that only grow the length.
  struct Written {
    var beacons = 0
    var traces = 0
    var advertisers = 0
    var levels = 0
    var positions = 0
    var receivers: [Node] = []
    var dwells: [Dwell] = []
    var truth: [TruthPoint] = []
    var gaps: [Gap] = []
    var clock: [ClockReading] = []
    var rejected: [Rejected] = []
    var parts: [SessionPart] = []
    var offsets: [SessionOffset] = []
    var partClocks: [PartClockReading] = []
  }

  /// Writes what is new since the tables were written last, or changed.
  ///
  /// Rows are never taken back, so a reader beside the writer sees each table grow.
  func write(_ new: Catalogue, after old: inout Written) throws(RSSIError) {
    let revised = new.revisedBeacons.clamped(to: 0..<old.beacons)
    try beacons.write(Array(new.beacons[revised]), from: revised.lowerBound)
    try beacons.write(Array(new.beacons[old.beacons...]), from: old.beacons)
    try traceID.write(Array(new.traces[old.traces...]), from: old.traces)
    let advertisers = new.advertisers[old.advertisers...]
    try address.write(advertisers.map(\.description), from: old.advertisers)
    try addressType.write(advertisers.map(\.type), from: old.advertisers)
    (old.beacons, old.traces) = (new.beacons.count, new.traces.count)
    try levels?.write(new.levels[old.levels...], from: old.levels, clock: clock)
    (old.advertisers, old.levels) = (new.advertisers.count, new.levels.count)

    try changed(&old.receivers, new.receivers, Node.isSame, receivers.write)
    try changed(&old.dwells, new.dwells, ==) { rows, row throws(RSSIError) in
      try distances.write(rows, from: row, clock: clock)
    }
    try changed(&old.truth, new.truth, TruthPoint.isSame) { rows, row throws(RSSIError) in
      try positions.write(rows, from: row, clock: clock)
    }
    try changed(&old.gaps, new.gaps, ==) { rows, row throws(RSSIError) in
      try gaps.write(rows, from: row, clock: clock)
    }
    try changed(&old.clock, new.clock, ==) { rows, row throws(RSSIError) in
      try readings.write(rows, from: row, clock: clock)
    }
    try changed(&old.rejected, new.rejected, ==) { rows, row throws(RSSIError) in
      try reason.write(rows.map(\.reason), from: row)
      try rejections.write(rows.map(\.count), from: row)
    }
    if let stream {
      try stream.write(new.positions[old.positions...], from: old.positions, clock: clock)
      old.positions = new.positions.count
    }
    guard let session else { return }
    try changed(&old.parts, new.parts, ==) { rows, row throws(RSSIError) in
      try session.write(rows, from: row, clock: clock)
    }
    try changed(&old.offsets, new.offsets, ==) { rows, row throws(RSSIError) in
      try session.write(rows, from: row, clock: clock)
    }
    try changed(&old.partClocks, new.partClocks, ==) { rows, row throws(RSSIError) in
      try session.write(rows, from: row, clock: clock)
    }
  }

  /// Writes a small table from the first row that is not as it was.
  private func changed<Row>(
    _ old: inout [Row], _ new: [Row], _ isSame: (Row, Row) -> Bool,
    _ write: ([Row], Int) throws(RSSIError) -> Void
  ) throws(RSSIError) {
    let first = zip(old, new).enumerated().first { !isSame($1.0, $1.1) }?.offset ?? old.count
    if first < new.count { try write(Array(new[first...]), first) }
    old = new
  }

  /// - Parameter isWhole: false for a file whose writer was stopped, or that has lost rows: what
  ///   refers to rows that are not there is left out, instead of being damage.
  func read(isWhole: Bool) throws(RSSIError) -> Catalogue {
    var catalogue = Catalogue()
    catalogue.beacons = try beacons.read()
    catalogue.receivers = try receivers.read()
    catalogue.traces = try traceID.readAll()
    if !isWhole { catalogue.removeUnwritten() }
    let types = try addressType.readAll()
    for (text, type) in zip(try address.readAll(), types) {
      let bits = UInt64(text.filter { $0 != ":" }, radix: 16)
      if bits == nil, !isWhole { break }
      guard let bits else {
        throw RSSIError(.badInput, "\"\(text)\" in /advertisers of \(path) is not an address")
      }
      catalogue.advertisers.append(DeviceAddress(bits: bits, type: type))
    }
    let dwells = try distances.read(clock: clock)
    let truth = try positions.read(clock: clock)
    let levels = try levels?.read(clock: clock) ?? []
    let gaps = try gaps.read(clock: clock)
    catalogue.dwells = dwells.filter(catalogue.knows)
    catalogue.truth = truth.filter(catalogue.knows)
    catalogue.levels = levels.filter(catalogue.knows)
    catalogue.gaps = gaps.filter { Int($0.receiver) < catalogue.receivers.count }
    catalogue.clock = try readings.read(clock: clock)
    for (reason, count) in zip(try reason.readAll(), try rejections.readAll()) {
      catalogue.rejected.append(Rejected(reason: reason, count: count))
    }
    try session?.read(into: &catalogue, clock: clock)
    catalogue.positions = try stream?.read(clock: clock) ?? []
    guard
      !isWhole
        || catalogue.dwells.count == dwells.count && catalogue.truth.count == truth.count
          && catalogue.levels.count == levels.count && catalogue.gaps.count == gaps.count
    else {
      throw RSSIError(
        .badInput,
        "/truth or /gaps of \(path) is about a node or a trace that the file does not have: it is "
          + "damaged"
      )
    }
    return catalogue
  }
}

extension Catalogue {
  /// Takes off the rows at the ends that a writer made room for and never filled.
  fileprivate mutating func removeUnwritten() {
    while beacons.last?.id.isEmpty == true { beacons.removeLast() }
    while receivers.last?.id.isEmpty == true { receivers.removeLast() }
    while traces.last?.isEmpty == true { traces.removeLast() }
  }

  fileprivate func knows(_ dwell: Dwell) -> Bool {
    dwell.beacon < beacons.count && dwell.receiver < receivers.count && dwell.trace < traces.count
  }

  fileprivate func knows(_ level: TruthLevel) -> Bool {
    level.beacon < beacons.count && level.receiver < receivers.count && level.trace < traces.count
  }

  fileprivate func knows(_ point: TruthPoint) -> Bool {
    let nodes = point.role == .beacon ? beacons.count : receivers.count
    return point.node < nodes && point.trace < traces.count
  }
}
