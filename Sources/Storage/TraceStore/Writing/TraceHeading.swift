internal import Sightings
package import Support

/// What a new trace states of itself, and holds beside its rows and the tables that they point into.
package struct TraceHeading: Sendable {
  package var provenance: [Provenance]
  /// The time that the file counts from; nil = the first sighting's.
  package var start: Int64?
  /// In words, where the times come from.
  package var clock = "as recorded"
  package var note = ""
  package var session: SessionMark?
  package var calibration: StoredCalibration?
  package var radioMap: StoredRadioMap?
  /// Filters whose levels come with the rows.
  package var filters: [StoredFilter] = []

  package init(provenance: [Provenance]) { self.provenance = provenance }

  /// The heading of what the parts of a session recorded, in a file that counts from the session's
  /// start.
  ///
  /// - Parameter provenance: the parts' own, then the stage that merges them.
  package init(provenance: [Provenance], session: SessionMark) {
    self.init(provenance: provenance)
    start = session.start
    clock = "the session's, see /session"
    self.session = session
  }

  func begin(_ path: String, first: Int64) throws(RSSIError) -> TraceWriter {
    let draft = try TraceDraft(
      path: path, start: start ?? first, provenance: provenance, clock: clock, note: note,
      session: session)
    if let calibration { try draft.add(calibration) }
    if let radioMap { try draft.add(radioMap) }
    var tables: [FilterTables] = []
    for filter in filters { tables.append(try draft.add(filter)) }
    return draft.startWriting(tables)
  }
}

/// A filter whose levels a trace holds.
package struct StoredFilter: Sendable {
  package var name: String
  /// The filters and their parameters, as they were written.
  package var chain: String
  package var links: [FilteredLink]
}

/// The levels of a filter for some rows.
package struct FilteredLevels: Sendable {
  package var rssi: [Float] = []
  package var variance: [Float] = []

  mutating func takeFirst(_ count: Int) -> Self {
    defer {
      rssi.removeFirst(count)
      variance.removeFirst(count)
    }
    return Self(rssi: Array(rssi[..<count]), variance: Array(variance[..<count]))
  }
}

/// A filter of a trace that is being written.
struct FilterTables {
  let levels: FilteredTable
  let links: FilteredLinkTable
}

extension TraceDraft {
  fileprivate func add(_ calibration: StoredCalibration) throws(RSSIError) {
    try CalibrationTables(in: file, mode: .create(.packed), path: path)
      .write(calibration, path: path)
  }

  fileprivate func add(_ map: StoredRadioMap) throws(RSSIError) {
    try RadioMapTables(in: file, mode: .create(.packed), path: path).write(map)
  }

  fileprivate func add(_ filter: StoredFilter) throws(RSSIError) -> FilterTables {
    let levels = try FilteredTable(
      name: filter.name, in: file, mode: .create(.packed), path: path)
    try levels.group.align(to: "time_s", of: "sightings", in: file)
    try levels.group.group.setAttribute("chain", filter.chain, in: path)
    return FilterTables(
      levels: levels,
      links: try FilteredLinkTable(
        name: filter.name, in: file, mode: .create(.packed), path: path))
  }
}

extension TraceReader {
  /// The radio map that the file holds, if any.
  ///
  /// - Throws: `.badInput` where it is damaged, or of a later format.
  package func radioMap() throws(RSSIError) -> StoredRadioMap? {
    prepareHDF5()
    guard RadioMapTables.isThere(in: file) else { return nil }
    return try RadioMapTables(in: file, mode: .open(trust), path: path).read()
  }

  /// A filter whose levels the trace holds.
  ///
  /// - Throws: `.badInput` where it is damaged.
  package func filter(_ name: String) throws(RSSIError) -> StoredFilter {
    prepareHDF5()
    return StoredFilter(
      name: name, chain: filterChain(name).joined(separator: " "),
      links: try FilteredLinkTable(name: name, in: file, mode: .open(trust), path: path).read())
  }
}
