internal import CHDF5
package import Support

/// A writer of a copy of a trace with the levels of one filter added under `/filtered/NAME`.
package struct FilteredWriter: ~Copyable {
  private let copy: TraceCopy
  private let path: String
  private let table: FilteredTable
  private let name: String
  /// The number of sightings in the trace.
  private let count: Int

  /// Copies the trace and creates the tables for the filter's levels.
  ///
  /// - Parameters:
  ///   - source: The trace to copy.
  ///   - path: The path of the copy; may be the source's own path.
  ///   - name: The filter's name.
  ///   - chain: The filters with their parameters, as text.
  package init(
    copying source: TraceReader, to path: String, name: String, chain: String,
    provenance: Provenance
  ) throws(RSSIError) {
    prepareHDF5()
    let copy = try TraceCopy(of: source, to: path, adding: provenance)
    table = try copy.change { file throws(RSSIError) in
      if groupNames("filtered", in: file.handle).contains(name) {
        try remove(name, from: file, source.path)
      }
      return try .create(name, chain: chain, in: file)
    }
    self.copy = copy
    self.path = path
    self.name = name
    count = source.count
  }

  /// Appends the levels of the next rows.
  package mutating func append(rssi: [Float], variance: [Float]) throws(RSSIError) {
    prepareHDF5()
    try table.append(FilteredLevels(rssi: rssi, variance: variance))
  }

  /// Writes each link's parameters, closes the file and gives it its name.
  ///
  /// - Throws: `.failed` if the number of levels differs from that of sightings.
  package consuming func finish(links: [FilteredLink]) throws(RSSIError) {
    prepareHDF5()
    guard table.rssi.count == count, table.variance.count == count else {
      throw RSSIError(
        .failed,
        "cannot write \(path): \(name) returned \(table.rssi.count) levels for \(count) sightings")
    }
    try copy.change { file throws(RSSIError) in
      try RowTable(.links(ofFilter: name), in: file).append(links)
    }
    try copy.finish()
  }
}

/// Deletes a filter's levels, after the references of the time column to them.
private func remove(_ name: String, from file: TraceFile, _ path: String) throws(RSSIError) {
  let operation = "replace /filtered/\(name) of"
  let time = Handle(
    try checkRead(
      H5Dopen2(file.handle.id, "sightings/time_s", hid_t(H5P_DEFAULT)), operation, path),
    close: H5Dclose)
  // If the copy cannot be read, the original trace is damaged.
  let copied = TraceFile(
    handle: file.handle, mode: .open(.closed), clock: file.clock, path: path)
  let old = try FilteredTable(name, in: copied)
  for column in [old.rssi.dataset, old.variance.dataset]
  where H5DSis_attached(column.id, time.id, 0) > 0 {
    try check(H5DSdetach_scale(column.id, time.id, 0), operation, path)
  }
  try check(H5Ldelete(file.handle.id, "filtered/\(name)", hid_t(H5P_DEFAULT)), operation, path)
}
