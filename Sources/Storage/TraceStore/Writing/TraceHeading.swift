internal import Sightings
import Support

/// The statements of a new trace about itself, and its contents beside its rows and the tables that
/// they point into.
package struct TraceHeading: Sendable {
  package var provenance: [Provenance]
  /// The time that the file counts from; nil = the first sighting's.
  package var start: Int64?
  /// The source of the times, in words.
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
    if let calibration { try CalibrationTables(in: draft.file).write(calibration, path: path) }
    if let radioMap { try RadioMapTables(in: draft.file).write(radioMap) }
    var tables: [FilterTables] = []
    for filter in filters { tables.append(try draft.add(filter)) }
    return draft.startWriting(tables)
  }
}

/// A filter of a trace that is being written.
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
