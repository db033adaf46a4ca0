import Geometry
import Recordings
import Sightings
import Sites
import Support
import TraceStore

/// The times at which users know the room of a node: rows of a table, marks in traces, or true
/// positions in the rooms of a site.
///
///     room, start_s, end_s [, trace, node]
struct RoomLabels {
  /// A stay of a node in a room; times are in nanoseconds since the Unix epoch.
  private struct Stay {
    var room: String
    var start: Int64
    var end: Int64
    /// The name of the trace; empty for all.
    var trace: String
    /// The name of the node; empty for the only one that moves.
    var node: String
    var line = 0

    func concerns(_ trace: String, _ node: String) -> Bool {
      (self.trace.isEmpty || self.trace == trace) && (self.node.isEmpty || self.node == node)
    }
  }

  private var stays: [Stay]
  private let rooms: RoomOutlines
  private let isTable: Bool

  /// - Parameters:
  ///   - path: A table of stays; nil to use the marks in traces or the rooms of the site.
  ///   - site: The site with the rooms.
  /// - Throws: `RSSIError` for labels that overlap.
  init(_ path: String?, site: Site?) throws {
    stays = try path.map(Self.read) ?? []
    (rooms, isTable) = (RoomOutlines(path == nil ? site : nil), path != nil)
    if let path { try Self.refuseOverlaps(stays, path) }
  }

  /// Returns the labels of a trace file: those of the table or, without one, the marks of the file.
  ///
  /// - Throws: `RSSIError` if the rooms are unknown.
  func labels(in reader: TraceReader) throws -> RoomLabels {
    let catalogue = reader.catalogue
    guard !isTable, !catalogue.rooms.isEmpty else {
      guard isTable || arePlaces else {
        throw RSSIError(
          .usage,
          "the rooms in \(reader.path) are unknown: name them with `room` of a capture, give a "
            + "table of stays with `labels`, or a `site` with [[rooms]] and traces with truth")
      }
      return self
    }
    var labels = try RoomLabels(nil, site: nil)
    let ends = try HeardCensus(reader).spans.mapValues(\.upperBound)
    let marks = catalogue.rooms.sorted { $0.time < $1.time }
    for (number, mark) in marks.enumerated() where !mark.room.isEmpty {
      let next = marks[(number + 1)...].first(where: mark.isSameNode)?.time
      let nodes = mark.role == .receiver ? catalogue.receivers : catalogue.beacons
      labels.stays.append(
        Stay(
          room: mark.room, start: mark.time, end: next ?? ends[mark.trace] ?? mark.time,
          trace: catalogue.traces[Int(mark.trace)], node: nodes[Int(mark.node)].id))
    }
    return labels
  }

  private static func read(_ path: String) throws -> [Stay] {
    var table = try SmallTable(path) { _ in
      TableHeader.Columns(
        required: ["room", "start_s", "end_s"], optional: ["trace", "node"])
    }
    var stays: [Stay] = []
    while try table.next() {
      let (start, end) = (try table.time("start_s"), try table.time("end_s"))
      guard start < end else { throw table.problem("the stay ends before it starts") }
      stays.append(
        Stay(
          room: try table.name("room", of: "room"), start: start, end: end,
          trace: table.text("trace"), node: table.text("node"), line: table.line))
    }
    return stays
  }

  private static func refuseOverlaps(_ stays: [Stay], _ path: String) throws(RSSIError) {
    for (number, stay) in stays.enumerated() {
      let other = stays[..<number].first { other in
        other.room != stay.room && other.start < stay.end && stay.start < other.end
          && (other.trace.isEmpty || stay.trace.isEmpty || other.trace == stay.trace)
          && (other.node.isEmpty || stay.node.isEmpty || other.node == stay.node)
      }
      guard let other else { continue }
      throw RSSIError(
        .badInput,
        "\(path), lines \(other.line) and \(stay.line): \(other.room) and \(stay.room) overlap in "
          + "time, but a node is in one room at a time: shorten one of them")
    }
  }

  /// A Boolean value that is true if rooms follow from true positions.
  var arePlaces: Bool { !rooms.isEmpty }

  /// The names of nodes in the table.
  var nodes: Set<String> { Set(stays.map(\.node).filter { !$0.isEmpty }) }

  /// Returns the time from the first to the last label of a node in a trace; nil without a label.
  func span(trace: String, node: String) -> ClosedRange<Int64>? {
    let own = stays.filter { $0.concerns(trace, node) }
    guard let first = own.map(\.start).min(), let last = own.map(\.end).max() else { return nil }
    return first...last
  }

  /// Returns the room of a node at a time; nil if it is unknown.
  func room(at time: Int64, trace: String, node: String) -> String? {
    stays.first { $0.concerns(trace, node) && $0.start < time && time <= $0.end }?.room
  }

  /// Returns the smallest room at a true position; nil if none contains it.
  ///
  /// - Parameter floor: The name of the floor; nil if it is unknown.
  func room(at place: Point, floor: String?) -> String? {
    rooms.room(at: place, floor: floor)?.name
  }
}
