internal import Sightings
import Support

/// All tables of a trace.
final class TraceTables {
  let sightings: SightingTable
  let payloads: PayloadRows
  let catalogue: CatalogueTables
  let provenance: ProvenanceTables

  /// - Parameters:
  ///   - isOfSession: A Boolean value that is true to create the tables of a session.
  ///   - stream: The broker stream whose table to create.
  init(
    in file: TraceFile, isOfSession: Bool = false, stream: StreamIdentity? = nil
  ) throws(RSSIError) {
    sightings = try SightingTable(in: file)
    payloads = try PayloadRows(in: file)
    catalogue = try CatalogueTables(in: file, isOfSession: isOfSession, stream: stream)
    provenance = try ProvenanceTables(in: file)
  }

  /// The tables that grow during a capture.
  var growing: [Table] { [sightings.table] + payloads.tables + catalogue.tables }
}
