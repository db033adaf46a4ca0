internal import CHDF5
package import Sightings
package import Support

/// A writer of sightings to a new trace file, which is renamed to its final name by `finish`.
package struct TraceWriter: ~Copyable {
  private let output: AtomicFile
  private let file: TraceFile
  private let tables: TraceTables
  private let filters: [FilterTables]
  private var times: [Double] = []

  init(
    output: consuming AtomicFile, file: TraceFile, tables: TraceTables, filters: [FilterTables]
  ) {
    self.output = output
    self.file = file
    self.tables = tables
    self.filters = filters
  }

  /// Appends a block of rows. Large blocks are faster: 65,536 rows fill a chunk.
  ///
  /// - Throws: `.inputOutput` if the disk is full.
  package mutating func append(_ rows: SightingColumns) throws(RSSIError) {
    prepareHDF5()
    times.removeAll(keepingCapacity: true)
    for time in rows.time { times.append(file.clock.seconds(time)) }
    try tables.sightings.append(rows, times: times)
  }

  /// Appends payloads, one after the other in `bytes`.
  package mutating func append(payloads bytes: [UInt8], lengths: [UInt16]) throws(RSSIError) {
    prepareHDF5()
    try tables.payloads.append(bytes: bytes, lengths: lengths)
  }

  /// Appends the levels of the filters, as many as rows.
  mutating func append(_ levels: [FilteredLevels]) throws(RSSIError) {
    prepareHDF5()
    for (filter, levels) in zip(filters, levels) { try filter.levels.append(levels) }
  }

  /// Appends the results of the filters for each link.
  mutating func append(links: [[FilteredLink]]) throws(RSSIError) {
    prepareHDF5()
    for (filter, links) in zip(filters, links) { try filter.links.append(links) }
  }

  /// Appends input files that were unknown at the start.
  package mutating func append(inputs: [Provenance.Input]) throws(RSSIError) {
    prepareHDF5()
    try tables.provenance.append(inputs)
  }

  /// Writes the tables that the rows refer to, closes the file and gives it its name.
  ///
  /// - Parameter last: A closure that is called when the file is complete and about to be renamed.
  package consuming func finish(
    _ catalogue: Catalogue, last: () throws(RSSIError) -> Void = {}
  ) throws(RSSIError) {
    var output = try close(catalogue)
    try last()
    try output.commit()
    removeLog(of: output.path)
  }

  /// Writes the tables that the rows refer to and closes the file, which has no final name yet.
  consuming func close(_ catalogue: Catalogue) throws(RSSIError) -> AtomicFile {
    prepareHDF5()
    var nothing = CatalogueTables.Written()
    try tables.catalogue.write(catalogue, after: &nothing)
    if !catalogue.floors.isEmpty {
      try RowTable(.floors, in: file).append(catalogue.floors)
    }
    if !catalogue.rooms.isEmpty {
      try RowTable(.rooms, in: file).append(catalogue.rooms)
    }
    try file.handle.setAttribute("clean", UInt8(1), in: output.path)
    try closeWhole(file.handle, output.path)
    return output
  }
}
