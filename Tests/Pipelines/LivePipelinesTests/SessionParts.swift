import Advertising
import Sightings
import TestSupport
import TraceStore

@testable import LivePipelines

/// Parts of a session, made without recording them.
struct SessionParts {
  let folder: TemporaryDirectory
  let session = Token.random()
  /// The start in the session's time, nanoseconds since the Unix epoch.
  let start: Int64 = 1_767_225_600_000_000_000

  init() throws { folder = try TemporaryDirectory() }

  /// A member's part to make.
  struct Plan {
    var member: String
    var key = Token.random()
    var id = Token.random()
    var number: UInt16 = 1
    /// The nanoseconds of the unit of times.
    var unit: Int64 = 1_000_000
    /// Times of the clock after the start, and the level.
    var rows: [(time: Int64, level: Float)]
    /// Times of the session after the start, and the offset.
    var offsets: [(time: Int64, offset: Int64)] = []
    var timeKind = Radio.TimeKind.kernel
    var receiver = "hci0"
  }

  var mark: SessionMark {
    SessionMark(lobby: "lab", id: session.description, start: start)
  }

  /// Writes a part and returns its path.
  func write(_ plan: Plan, to name: String, mark: SessionMark? = nil) throws -> String {
    let path = folder.path(name)
    var builder = TraceBuilder(
      into: try TraceSink(
        path: path, heading: TraceHeading(provenance: [], session: mark ?? self.mark)))
    builder.currentTrace = try builder.trace(named: "lab")
    builder.append(
      SessionPart(
        id: plan.id.description, key: plan.key.description, member: plan.member,
        number: plan.number, start: start, isMachineClock: true))
    var radio = Radio()
    radio.timeKind = plan.timeKind
    try builder.describe(adapter: 0, name: plan.receiver, radio: radio)
    for offset in plan.offsets {
      builder.append(
        SessionOffset(
          part: 0, time: start + offset.time * plan.unit, offset: offset.offset * plan.unit,
          uncertainty: 1000))
    }
    let payload: [UInt8] = [2, 1, 6]
    for row in plan.rows {
      try builder.receive(
        AdvertisingReport(start + row.time * plan.unit, rssi: row.level), payload: payload.span)
    }
    let catalogue = try builder.complete()
    try builder.takeSink().finish(catalogue)
    return path
  }

  struct Row: Equatable {
    /// Milliseconds after the start.
    var time: Int64
    var level: Float
    var receiver: String

    init(_ time: Int64, _ level: Float, _ receiver: String) {
      (self.time, self.level, self.receiver) = (time, level, receiver)
    }
  }

  func rows(_ path: String) throws -> [Row] {
    let reader = try TraceReader(path: path)
    var found: [Row] = []
    try reader.forEachBlock([.time, .link, .rssi]) { rows in
      for row in 0..<rows.count {
        found.append(
          Row(
            (rows.time[row] - start) / 1_000_000, rows.rssi[row],
            reader.catalogue.receivers[Int(rows.receiver[row])].id))
      }
    }
    return found
  }
}
