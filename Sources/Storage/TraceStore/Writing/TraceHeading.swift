internal import Sightings
import Support

/// The metadata of a new trace, and its contents besides its rows and the tables that they refer
/// to.
package struct TraceHeading: Sendable {
  package var provenance: [Provenance]
  /// The reference of times; `nil` for the time of the first sighting.
  package var start: Int64?
  /// The description of the source of times.
  package var clock = "as recorded"
  package var note = ""
  package var session: SessionMark?
  package var calibration: StoredCalibration?
  package var radioMap: StoredRadioMap?
  /// The filters whose levels come with the rows.
  package var filters: [StoredFilter] = []

  package init(provenance: [Provenance]) { self.provenance = provenance }

  /// Creates the heading of a merged session, whose file counts from the session's start.
  ///
  /// - Parameter provenance: The parts' provenance, followed by the merging stage.
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
    if let calibration { try CalibrationTables(in: draft.file).write(calibration, path: path) }
    if let radioMap { try RadioMapTables(in: draft.file).write(radioMap) }
    var tables: [FilterTables] = []
    for filter in filters { tables.append(try draft.add(filter)) }
    return draft.startWriting(tables)
  }
}

/// The tables of a filter in a trace that is being written.
struct FilterTables {
  let levels: FilteredTable
  let links: RowTable<FilteredLink>
}

extension TraceDraft {
  fileprivate func add(_ filter: StoredFilter) throws(RSSIError) -> FilterTables {
    FilterTables(
      levels: try .create(filter.name, chain: filter.chain, in: file),
      links: try RowTable(.links(ofFilter: filter.name), in: file))
  }
}
