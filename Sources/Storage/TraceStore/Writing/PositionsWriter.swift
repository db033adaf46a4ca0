internal import CHDF5
package import Support

/// Writes a copy of a trace with the positions of one algorithm under `/positions/NAME`, in place
/// of those of that name.
///
/// - Parameters:
///   - source: the trace to copy.
///   - path: where the copy will be; may be the source's own path.
///   - step: what was done, added to the provenance.
package func write(
  _ positions: StoredPositions, into source: TraceReader, at path: String, adding step: Provenance
) throws(RSSIError) {
  prepareHDF5()
  guard StoredPositions.isName(positions.name) else {
    throw RSSIError(
      .failed,
      "\"\(positions.name)\" cannot be a group of \(path): leave out slashes, or shorten it")
  }
  let copy = try TraceCopy(of: source, to: path, adding: step)
  try copy.change { file throws(RSSIError) in
    if groupNames("positions", in: file).contains(positions.name) {
      try check(
        H5Ldelete(file.id, "positions/\(positions.name)", hid_t(H5P_DEFAULT)),
        "replace /positions/\(positions.name) of", path)
    }
    let clock = Clock(start: source.start)
    let table = try LocatedTable(
      name: positions.name, in: file, mode: .create(.packed), timeUnits: clock.units, path: path)
    try table.append(positions.rows, clock: clock)
    let group = table.group.group
    try group.setAttribute("algorithm", positions.algorithm, in: path)
    for (name, value) in positions.settings.sorted(by: { $0.key < $1.key }) {
      try group.setAttribute(name, value, in: path)
    }
  }
  try copy.finish()
}

extension TraceReader {
  /// The names of the positions that the trace holds, sorted.
  package func positionNames() -> [String] {
    prepareHDF5()
    return groupNames("positions", in: file)
  }

  /// The positions of a name.
  ///
  /// - Throws: `.badInput` where there are none, or where they are damaged.
  package func positions(_ name: String) throws(RSSIError) -> [StoredPosition] {
    prepareHDF5()
    let clock = Clock(start: start)
    return try LocatedTable(
      name: name, in: file, mode: .open(trust), timeUnits: clock.units, path: path
    ).read(clock: clock, path: path)
  }

  /// The levels of a filter for some rows of the trace.
  package func levels(ofFilter name: String, rows: Range<Int>) throws(RSSIError) -> [Float] {
    var levels: [Float] = []
    try filterTable(name).rssi.read(rows, into: &levels)
    return levels
  }

  /// The levels of a filter for some rows of the trace, with their variances.
  package func filteredLevels(
    _ name: String, rows: Range<Int>
  ) throws(RSSIError) -> FilteredLevels {
    let table = try filterTable(name)
    var levels = FilteredLevels()
    try table.rssi.read(rows, into: &levels.rssi)
    try table.variance.read(rows, into: &levels.variance)
    return levels
  }

  private func filterTable(_ name: String) throws(RSSIError) -> FilteredTable {
    prepareHDF5()
    let table = try FilteredTable(name: name, in: file, mode: .open(trust), path: path)
    guard table.rssi.count == count else {
      throw RSSIError(
        .badInput, "/filtered/\(name) of \(path) has \(table.rssi.count) rows, /sightings \(count)")
    }
    return table
  }
}
