internal import Advertising
internal import Sightings
import Support

/// The tables to which sightings refer, besides the payloads.
final class CatalogueTables {
  private let beacons: RowTable<Node>
  private let receivers: RowTable<Node>
  private let traces: RowTable<StoredTrace>
  /// The floors of an existing file or of a live one; `nil` if it has none.
  private let floors: RowTable<Floor>?
  private let advertisers: RowTable<StoredAddress>
  private let stays: RowTable<DistanceStay>
  private let truth: RowTable<TruthPoint>
  /// The known rooms of an existing file or of a live one; `nil` if it has none.
  private let rooms: RowTable<RoomMark>?
  /// The true levels; `nil` in a file of an earlier version.
  private let levels: RowTable<TruthLevel>?
  private let gaps: RowTable<Gap>
  private let clock: RowTable<ClockReading>
  private let rejected: RowTable<Rejected>
  /// The session; `nil` if the trace has none.
  private let session: SessionTables?
  /// The stream; `nil` if the trace has none.
  private let stream: RowTable<StreamPosition>?
  private let path: String

  /// - Parameters:
  ///   - isOfSession: A Boolean value that is true to create the tables of a session.
  ///   - identity: The stream whose table to create.
  init(
    in file: TraceFile, isOfSession: Bool, stream identity: StreamIdentity?
  ) throws(RSSIError) {
    path = file.path
    beacons = try RowTable(.nodes(.beacon), in: file)
    receivers = try RowTable(.nodes(.receiver), in: file)
    traces = try RowTable(.traces, in: file)
    floors = try .occasional(.floors, in: file, .floors)
    advertisers = try RowTable(.advertisers, in: file)
    stays = try RowTable(.stays, in: file)
    truth = try RowTable(.truth, in: file)
    rooms = try .occasional(.rooms, in: file, .rooms)
    let hasLevels = !file.mode.isOpen || groupNames("truth", in: file.handle).contains("levels")
    levels = hasLevels ? try RowTable(.levels, in: file) : nil
    gaps = try RowTable(.gaps, in: file)
    clock = try RowTable(.clock, in: file)
    rejected = try RowTable(.rejected, in: file)
    let hasSession = file.mode.isOpen ? SessionTables.isThere(in: file) : isOfSession
    session = hasSession ? try SessionTables(in: file) : nil
    let hasStream = file.mode.isOpen ? StreamIdentity.isThere(in: file) : identity != nil
    stream = hasStream ? try RowTable(.stream, in: file) : nil
    if !file.mode.isOpen, let stream { try identity?.write(to: stream.table, path: path) }
  }

  /// All tables, in the order of their creation.
  var tables: [Table] {
    var tables = [
      beacons.table, receivers.table, traces.table, advertisers.table, stays.table, truth.table,
    ]
    if let floors { tables.append(floors.table) }
    if let rooms { tables.append(rooms.table) }
    if let levels { tables.append(levels.table) }
    tables += [gaps.table, clock.table, rejected.table]
    if let session { tables += session.tables }
    if let stream { tables.append(stream.table) }
    return tables
  }

  /// The state of the tables in the file; for tables that only grow, the length.
  struct Written {
    var floors: [Floor] = []
    var beacons = 0
    var traces = 0
    var advertisers = 0
    var levels = 0
    var positions = 0
    var receivers: [Node] = []
    var stays: [DistanceStay] = []
    var truth: [TruthPoint] = []
    var rooms: [RoomMark] = []
    var gaps: [Gap] = []
    var clock: [ClockReading] = []
    var rejected: [Rejected] = []
    var parts: [SessionPart] = []
    var offsets: [SessionOffset] = []
    var partClocks: [PartClockReading] = []
  }

  /// Writes new and changed rows since the last write.
  ///
  /// Rows are never removed, so a concurrent reader sees each table grow. `TraceWriter` adds the
  /// floors and rooms of a trace that is not live.
  func write(_ new: Catalogue, after old: inout Written) throws(RSSIError) {
    try floors?.write(new.floors, after: &old.floors, ==)
    let revised = new.revisedBeacons.clamped(to: 0..<old.beacons)
    try beacons.write(new.beacons[revised], from: revised.lowerBound)
    try beacons.write(new.beacons[old.beacons...], from: old.beacons)
    try traces.write(new.storedTraces(from: old.traces)[...], from: old.traces)
    try advertisers.write(
      new.advertisers[old.advertisers...].map(StoredAddress.init)[...], from: old.advertisers)
    (old.beacons, old.traces) = (new.beacons.count, new.traces.count)
    try levels?.write(new.levels[old.levels...], from: old.levels)
    (old.advertisers, old.levels) = (new.advertisers.count, new.levels.count)

    try receivers.write(new.receivers, after: &old.receivers, Node.isSame)
    try stays.write(new.stays, after: &old.stays, ==)
    try truth.write(new.truth, after: &old.truth, TruthPoint.isSame)
    try rooms?.write(new.rooms, after: &old.rooms, ==)
    try gaps.write(new.gaps, after: &old.gaps, ==)
    try clock.write(new.clock, after: &old.clock, ==)
    try rejected.write(new.rejected, after: &old.rejected, ==)
    if let stream {
      try stream.write(new.positions[old.positions...], from: old.positions)
      old.positions = new.positions.count
    }
    guard let session else { return }
    try session.parts.write(new.parts, after: &old.parts, ==)
    try session.offsets.write(new.offsets, after: &old.offsets, ==)
    try session.clock.write(new.partClocks, after: &old.partClocks, ==)
  }

  /// - Parameter isWhole: `false` for a file whose writer was stopped, or that has lost rows:
  ///   references to missing rows are then dropped instead of being an error.
  func read(isWhole: Bool) throws(RSSIError) -> Catalogue {
    var catalogue = Catalogue()
    catalogue.beacons = try beacons.read()
    catalogue.receivers = try receivers.read()
    catalogue.floors = try floors?.read() ?? []
    for (row, trace) in try traces.read().enumerated() {
      catalogue.traces.append(trace.name)
      catalogue.traceFloors[UInt16(clamping: row)] = trace.floor
    }
    if !isWhole { catalogue.removeUnwritten() }
    for stored in try advertisers.read() {
      if let address = stored.address {
        catalogue.advertisers.append(address)
      } else if isWhole {
        throw RSSIError(
          .badInput, "\"\(stored.text)\" in /advertisers of \(path) is not a valid address")
      } else {
        break
      }
    }
    let stays = try stays.read()
    let truth = try truth.read()
    let rooms = try rooms?.read() ?? []
    let levels = try levels?.read() ?? []
    let gaps = try gaps.read()
    catalogue.stays = stays.filter(catalogue.knows)
    catalogue.truth = truth.filter(catalogue.knows)
    catalogue.rooms = rooms.filter(catalogue.knows)
    catalogue.levels = levels.filter(catalogue.knows)
    catalogue.gaps = gaps.filter { Int($0.receiver) < catalogue.receivers.count }
    catalogue.clock = try clock.read()
    catalogue.rejected = try rejected.read()
    try session?.read(into: &catalogue)
    catalogue.positions = try stream?.read() ?? []
    let lacksFloors = catalogue.removeUnknownFloors()
    guard
      !isWhole
        || !lacksFloors && catalogue.stays.count == stays.count
          && catalogue.truth.count == truth.count && catalogue.rooms.count == rooms.count
          && catalogue.levels.count == levels.count && catalogue.gaps.count == gaps.count
    else {
      throw RSSIError(
        .badInput,
        lacksFloors
          ? "a table of \(path) refers to a floor that /floors does not contain: it is damaged"
          : "/truth or /gaps of \(path) refers to a node or a trace that the file does not "
            + "contain: it is damaged"
      )
    }
    return catalogue
  }
}

extension RowTable {
  /// Writes a small table from the first changed row on.
  fileprivate func write(
    _ new: [Row], after old: inout [Row], _ isSame: (Row, Row) -> Bool
  ) throws(RSSIError) {
    let first = zip(old, new).enumerated().first { !isSame($1.0, $1.1) }?.offset ?? old.count
    if first < new.count { try write(new[first...], from: first) }
    old = new
  }
}

/// A row of `/traces`.
private struct StoredTrace {
  var name = ""
  var floor: UInt16?
}

extension Schema<StoredTrace> {
  fileprivate static var traces: Schema {
    Schema(
      "traces", empty: StoredTrace(), limit: Int(UInt16.max),
      [.text(\.name, "id", .trace, "Name of a continuous recording"), .floor(\.floor)])
  }
}

extension Catalogue {
  /// Returns the traces from a row on.
  fileprivate func storedTraces(from first: Int) -> [StoredTrace] {
    (first..<traces.count).map {
      StoredTrace(name: traces[$0], floor: traceFloors[UInt16($0)])
    }
  }
}

/// The stored address of an advertiser.
private struct StoredAddress {
  var text = ""
  var type: UInt8 = 0

  init() {}

  init(_ address: DeviceAddress) { (text, type) = (address.description, address.type) }

  /// The address; `nil` if the text is not valid.
  var address: DeviceAddress? {
    UInt64(text.filter { $0 != ":" }, radix: 16).map { DeviceAddress(bits: $0, type: type) }
  }
}

extension Schema<StoredAddress> {
  fileprivate static var advertisers: Schema {
    Schema(
      "advertisers", empty: StoredAddress(), limit: Int(UInt32.max),
      [
        .text(\.text, "address", .words(17), "Device address"),
        .number(
          \.type, "address_type",
          "0 public, 1 random, 2 public identity, 3 random identity, 255 anonymous"),
      ])
  }
}

extension Schema<Gap> {
  /// The schema of `/gaps`: the losses of receivers. A gap with a reason of a later program is
  /// dropped.
  fileprivate static var gaps: Schema {
    Schema(
      "gaps", empty: Gap(start: 0, end: 0, receiver: 0, reason: .silence, dropped: 0),
      [
        .time(\.start, "start_s", "When it began"),
        .time(\.end, "end_s", "When it was over"),
        .number(\.receiver, "receiver", "Row of /receivers"),
        .word(
          \.reason, "reason", .words(32), other: .silence,
          "silence, reset, overflow, unplugged, interference, line-noise, disconnected, clock-step",
          admits: { Gap.Reason(rawValue: $0) != nil }),
        .number(\.dropped, "dropped", "Events known to be lost; 0 if a count is not available"),
      ])
  }
}

extension Schema<Rejected> {
  fileprivate static var rejected: Schema {
    Schema(
      "rejected", empty: Rejected(reason: "", count: 0),
      [
        .text(\.reason, "reason", .reason, "Why input was refused"),
        .number(\.count, "count", "How often"),
      ])
  }
}

extension Catalogue {
  /// Removes the rows at the ends that a writer allocated and never filled.
  fileprivate mutating func removeUnwritten() {
    while beacons.last?.id.isEmpty == true { beacons.removeLast() }
    while receivers.last?.id.isEmpty == true { receivers.removeLast() }
    while traces.last?.isEmpty == true { traces.removeLast() }
  }

  fileprivate func knows(_ stay: DistanceStay) -> Bool {
    stay.beacon < beacons.count && stay.receiver < receivers.count && stay.trace < traces.count
  }

  fileprivate func knows(_ level: TruthLevel) -> Bool {
    level.beacon < beacons.count && level.receiver < receivers.count && level.trace < traces.count
  }

  fileprivate func knows(_ row: some NodeTruth) -> Bool {
    row.node < (row.role == .beacon ? beacons.count : receivers.count) && row.trace < traces.count
  }
}
