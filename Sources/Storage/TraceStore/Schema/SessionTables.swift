internal import CHDF5
internal import Sightings
import Support

/// The tables `/session/parts`, `/session/offsets` and `/session/clock`: the members of a session
/// and their clocks.
///
/// A part and a merged trace have the same tables; a part has one row of parts and no clock other
/// than `/clock`.
struct SessionTables {
  let parts: RowTable<SessionPart>
  let offsets: RowTable<SessionOffset>
  let clock: RowTable<PartClockReading>

  init(in file: TraceFile) throws(RSSIError) {
    parts = try RowTable(.parts, in: file)
    offsets = try RowTable(.offsets, in: file)
    clock = try RowTable(.partClock, in: file)
  }

  var tables: [Table] { [parts.table, offsets.table, clock.table] }

  /// Returns a Boolean value that is true if a file has the tables.
  static func isThere(in file: TraceFile) -> Bool {
    groupNames("session", in: file.handle).contains("parts")
  }

  /// Reads everything; rows that refer to missing parts are dropped.
  func read(into catalogue: inout Catalogue) throws(RSSIError) {
    catalogue.parts = try parts.read()
    let count = catalogue.parts.count
    catalogue.offsets = try offsets.read().filter { $0.part < count }
    catalogue.partClocks = try clock.read().filter { $0.part < count }
  }
}

extension Schema<SessionPart> {
  fileprivate static var parts: Schema {
    Schema(
      "session/parts",
      empty: SessionPart(id: "", key: "", member: "", number: 0, start: 0, isMachineClock: false),
      [
        .text(
          \.id, "id", .identity(32), "Tells parts apart, and copies of one as the same",
          // Allocated rows that a killed writer never filled.
          admits: { !$0.isEmpty }),
        .text(\.key, "key", .identity(32), "The same in all parts of a member"),
        .text(\.member, "member", .identity(64), "Who recorded it"),
        .number(\.number, "number", "1, 2, … in a member's order"),
        .time(\.start, "start_s", "When it began, of the session's time"),
        .flag(
          \.isMachineClock, "machine_clock",
          "1 = times are of the machine's clock, 0 = of a recording that was played again"),
      ])
  }
}

extension Schema<SessionOffset> {
  fileprivate static var offsets: Schema {
    Schema(
      "session/offsets", empty: SessionOffset(part: 0, time: 0, offset: 0, uncertainty: 0),
      [
        .time(\.time, "time_s", "When it was measured, of the session's time"),
        .coded(
          \.offset, "offset_ns", units: "ns", "Session's time minus the clock of the machine",
          code: { $0 }, value: { $0 }, admits: { $0.magnitude < 1 << 62 }),
        .coded(
          \.uncertainty, "uncertainty_ns", units: "ns", "The true offset is within so much",
          code: { $0 }, value: { max(0, $0) }),
        .number(\.part, "part", "Row of /session/parts whose clock it is"),
      ])
  }
}

extension Schema<PartClockReading> {
  fileprivate static var partClock: Schema {
    Schema(
      "session/clock",
      empty: PartClockReading(
        part: 0, reading: ClockReading(time: 0, monotonic: 0, isSynchronised: false)),
      [
        .time(\.reading.time, "time_s", "The clock of the part's times, as session's time"),
        .monotonic(\.reading.monotonic), .synchronised(\.reading.isSynchronised),
        .number(\.part, "part", "Row of /session/parts"),
      ])
  }
}

extension Schema<ClockReading> {
  /// The schema of `/clock`: the clock of the sightings' times compared with a clock that is never
  /// set.
  static var clock: Schema {
    Schema(
      "clock", empty: ClockReading(time: 0, monotonic: 0, isSynchronised: false),
      [
        .time(\.time, "time_s", "The clock of the times"), .monotonic(\.monotonic),
        .synchronised(\.isSynchronised),
      ])
  }
}

extension SchemaColumn {
  fileprivate static func monotonic(_ place: WritableKeyPath<Row, Int64>) -> Self {
    coded(
      place, "monotonic_s", units: "s", "A clock that is never set, at the same instant",
      code: { Double($0) / 1e9 }, value: { abs($0) < 9e9 ? Int64($0 * 1e9) : 0 },
      admits: { abs($0) < 9e9 })
  }

  fileprivate static func synchronised(_ place: WritableKeyPath<Row, Bool>) -> Self {
    flag(place, "synchronised", "1 = a time service kept the clock right")
  }
}

/// The session of a trace: the attributes of `/session`.
package struct SessionMark: Equatable, Sendable {
  package var lobby: String
  /// The identifier of 32 hexadecimal digits, the same in all parts.
  package var id: String
  /// The common start, in nanoseconds since the Unix epoch of the session's time.
  package var start: Int64
  /// A Boolean value that is true if its parts were merged here, so that all times are the
  /// session's.
  package var isMerged: Bool

  package init(lobby: String, id: String, start: Int64, isMerged: Bool = false) {
    self.lobby = lobby
    self.id = id
    self.start = start
    self.isMerged = isMerged
  }

  /// Reads the session of a file, or returns `nil` if it has none.
  init?(in file: TraceFile) throws(RSSIError) {
    guard SessionTables.isThere(in: file) else { return nil }
    let group = Handle(
      try checkRead(
        H5Gopen2(file.handle.id, "session", hid_t(H5P_DEFAULT)), "open session of", file.path),
      close: H5Gclose)
    guard let lobby = group.textAttribute("lobby"), let id = group.textAttribute("id"),
      let start = group.textAttribute("start").flatMap({ Timestamp.parse(iso8601: $0) })
    else {
      throw RSSIError(
        .badInput, "/session of \(file.path) has no session identifier: it is damaged")
    }
    self.init(
      lobby: lobby, id: id, start: start,
      isMerged: group.attribute("merged", as: UInt8.self) == 1)
  }

  /// Writes the attributes into a new file that has the group.
  func write(to file: TraceFile) throws(RSSIError) {
    let path = file.path
    let group = Handle(
      try check(H5Gopen2(file.handle.id, "session", hid_t(H5P_DEFAULT)), "open session of", path),
      close: H5Gclose)
    try group.setAttribute("lobby", lobby, in: path)
    try group.setAttribute("id", id, in: path)
    try group.setAttribute("start", Timestamp.iso8601(start), in: path)
    try group.setAttribute("merged", UInt8(isMerged ? 1 : 0), in: path)
  }
}
