package import Sightings
package import Support

// The optional parts of a trace: the calibration, the radio map, filtered levels and positions.
extension TraceReader {
  /// Returns the calibration in the trace, if any.
  ///
  /// - Throws: `.badInput` if it is damaged.
  package func calibration() throws(RSSIError) -> StoredCalibration? {
    prepareHDF5()
    guard CalibrationTables.isThere(in: file) else { return nil }
    return try CalibrationTables(in: file).read()
  }

  /// Returns the radio map in the file, if any.
  ///
  /// - Throws: `.badInput` if it is damaged, or of a later format.
  package func radioMap() throws(RSSIError) -> StoredRadioMap? {
    prepareHDF5()
    guard RadioMapTables.isThere(in: file) else { return nil }
    return try RadioMapTables(in: file).read()
  }

  /// Returns the names of the filters with levels in the trace, sorted.
  public func filterNames() -> [String] {
    prepareHDF5()
    return groupNames("filtered", in: file.handle)
  }

  /// Returns the filters of a chain with their parameters, as they were written; empty if the trace
  /// has none of that name.
  public func filterChain(_ name: String) -> [String] {
    prepareHDF5()
    guard filterNames().contains(name), let table = try? FilteredTable(name, in: file) else {
      return []
    }
    return table.chain.split(separator: " ").map(String.init)
  }

  /// Returns a filter with levels in the trace.
  ///
  /// - Throws: `.badInput` if it is damaged.
  package func filter(_ name: String) throws(RSSIError) -> StoredFilter {
    prepareHDF5()
    return StoredFilter(
      name: name, chain: filterChain(name).joined(separator: " "),
      links: try RowTable(.links(ofFilter: name), in: file).read())
  }

  /// Returns the levels of a filter for some rows of the trace.
  package func levels(ofFilter name: String, rows: Range<Int>) throws(RSSIError) -> [Float] {
    var levels: [Float] = []
    try filterTable(name).rssi.read(rows, into: &levels)
    return levels
  }

  /// Returns the levels of a filter for some rows of the trace, with their variances.
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
    let table = try FilteredTable(name, in: file)
    guard table.rssi.count == count else {
      throw RSSIError(
        .badInput, "/filtered/\(name) of \(path) has \(table.rssi.count) rows, /sightings \(count)")
    }
    return table
  }

  /// Returns the names of the positions in the trace, sorted.
  package func positionNames() -> [String] {
    prepareHDF5()
    return groupNames("positions", in: file.handle)
  }

  /// Returns the positions of a name.
  ///
  /// - Throws: `.badInput` if there are none, or they are damaged.
  package func positions(_ name: String) throws(RSSIError) -> [StoredPosition] {
    prepareHDF5()
    return try PositionTable(name, in: file).read()
  }
}

/// Returns the stream that a capture read, with the last position in it, or `nil` if the trace has
/// no stream, no message of it, or is of another stage, which skips messages before it starts.
///
/// It reads no sightings of the file, which may be being written.
///
/// - Throws: `RSSIError` for a file that cannot be read or is not a trace.
package func streamPosition(
  ofTrace path: String
) throws(RSSIError) -> (stream: StreamIdentity, position: StreamPosition)? {
  prepareHDF5()
  try requireHDF5(path)
  let handle = try openHDF5(path)
  guard handle.textAttribute("format") == "rssi-trace",
    let start = handle.textAttribute("start").flatMap({ Timestamp.parse(iso8601: $0) })
  else { return nil }
  let file = TraceFile(
    handle: handle, mode: .open(.closed), clock: Clock(start: start), path: path)
  guard let stream = try StreamIdentity(in: file) else { return nil }
  let isClean = handle.attribute("clean", as: UInt8.self) == 1
  let trust = try RowTrust(in: file, isClean: isClean)
  let opened = file.opened(trust)
  guard try ProvenanceTables(in: opened).read().first?.stage == "capture" else { return nil }
  return try RowTable(.stream, in: opened).read().last.map { (stream, $0) }
}
