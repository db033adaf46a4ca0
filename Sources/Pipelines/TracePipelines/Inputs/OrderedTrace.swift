package import Recordings
package import Sightings
package import Support
package import TraceStore

/// The sightings of a file in order of time, for each trace separately.
///
/// They are read in constant memory if none is later than a limit behind one before it; otherwise
/// all are kept and sorted.
package struct OrderedTrace {
  /// A function that takes a block: its sightings, the levels of the filter by row, and the tables.
  package typealias Body = (
    _ rows: borrowing SightingColumns, _ filtered: [Float], _ catalogue: Catalogue
  ) throws -> Void

  private enum Source {
    case trace(TraceReader, filter: String?)
    case other(path: String, columns: ColumnMap)
  }

  private let source: Source
  /// A Boolean value that is true if no sighting is too late, so that blocks come as they are in
  /// the file.
  package let isOrdered: Bool

  /// - Parameters:
  ///   - filter: the filter whose levels blocks have with the raw ones; nil = none.
  ///   - lateness: the maximum delay of a sighting behind others of its trace, nanoseconds.
  package init(
    _ reader: TraceReader, filtered filter: String? = nil, lateness: Int64
  ) throws {
    try self.init(.trace(reader, filter: filter), lateness) { _ in }
  }

  /// - Parameters:
  ///   - path: a file of any kind that contains sightings.
  ///   - columns: the columns of a table of another program.
  ///   - note: receives notes for the user, such as that a recording has no sighting.
  package init(
    path: String, columns: ColumnMap = ColumnMap(), lateness: Int64, note: (String) -> Void
  ) throws {
    if try InputKind(path: path) == .trace {
      let reader = try TraceReader(path: path)
      try reader.requireUsablePlaces()
      try reader.requireTimes()
      try self.init(reader, lateness: lateness)
    } else {
      try self.init(.other(path: path, columns: columns), lateness, note: note)
    }
  }

  private init(_ source: Source, _ lateness: Int64, note: (String) -> Void) throws {
    let order = OrderCheck(lateness: lateness)
    try Self.read(source, [.time, .link], SilentLog(), note: note) { rows, _, _ in order.add(rows) }
    self.source = source
    isOrdered = order.isKept
  }

  /// Passes on all sightings in order.
  ///
  /// - Parameters:
  ///   - fields: times and links, and the needed levels and channels; other columns are lost if the
  ///     file is sorted.
  ///   - progress: receives the number of sightings that were read.
  package func forEachBlock(
    _ fields: SightingFields, progress: any ActivityProgress = SilentLog(), _ body: Body
  ) throws {
    // Notes about a file are made in its first pass.
    let note = { (_: String) in }
    guard !isOrdered else { return try Self.read(source, fields, progress, note: note, body) }
    let held = HeldSightings()
    try Self.read(source, fields, progress, note: note) { held.add($0, $1, $2) }
    held.sort()
    try body(held.rows, held.filtered, held.catalogue)
  }

  /// Returns notes for the user about the levels of a trace that was passed on.
  ///
  /// - Throws: `.badInput` if over half of the levels of a link are above 0 dBm.
  package func levelNotes() throws -> [String] {
    if case .trace(let reader, _) = source { try reader.levelNotes() } else { [] }
  }

  private static func read(
    _ source: Source, _ fields: SightingFields, _ progress: any ActivityProgress,
    note: (String) -> Void, _ body: Body
  ) throws {
    var first = 0
    switch source {
    case .trace(let reader, let filter):
      let levels = fields.contains(.rssi) ? filter : nil
      try reader.forEachBlock(fields) { rows in
        let filtered = try levels.map {
          try reader.levels(ofFilter: $0, rows: first..<first + rows.count)
        }
        first += rows.count
        try body(rows, filtered ?? [], reader.catalogue)
        progress.update(first)
      }
    case .other(let path, let columns):
      try withoutActuallyEscaping(body) { body in
        try TracePipelines.forEachBlock(
          of: path, fields, filtered: nil, columns: columns, needsTimes: true, note: note
        ) {
          try body($0, [], $1)
        }
      }
    }
    progress.finish()
  }
}

/// A check that no sighting of a trace is later than a limit behind one before it.
final class OrderCheck {
  private let lateness: Int64
  /// The newest time, by trace.
  private var newest: [Int64] = []
  private(set) var isKept = true

  init(lateness: Int64) { self.lateness = lateness }

  func add(_ rows: borrowing SightingColumns) {
    guard isKept else { return }
    for row in 0..<rows.count {
      let (time, trace) = (rows.time[row], Int(rows.trace[row]))
      while newest.count <= trace { newest.append(.min) }
      if time >= newest[trace] {
        newest[trace] = time
      } else if UInt64(bitPattern: newest[trace] &- time) > lateness.magnitude {
        isKept = false
        return
      }
    }
  }
}

/// All sightings of a file that is not in order.
private final class HeldSightings {
  private(set) var rows = SightingColumns(capacity: 0)
  private(set) var filtered: [Float] = []
  private(set) var catalogue = Catalogue()

  func add(
    _ block: borrowing SightingColumns, _ levels: [Float], _ catalogue: Catalogue
  ) {
    rows.append(contentsOf: block)
    filtered += levels
    self.catalogue = catalogue
  }

  /// Sorts them by time, and those of one time by their place in the file.
  func sort() {
    let order = rows.time.indices.sorted { (rows.time[$0], $0) < (rows.time[$1], $1) }
    rows.reorder(order)
    if !filtered.isEmpty { filtered = order.map { filtered[$0] } }
  }
}
