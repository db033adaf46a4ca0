internal import CHDF5
package import Sightings
package import Support

/// A copy of a trace, open for additions; it is renamed to its final name when it is complete,
/// which may be the trace's own.
struct TraceCopy: ~Copyable {
  private var output: AtomicFile
  private let source: TraceReader
  private let file: TraceFile

  /// Copies a trace.
  ///
  /// - Parameters:
  ///   - path: The path of the copy; may be the source's own path.
  ///   - step: The stage to add to the provenance.
  init(
    of source: TraceReader, to path: String, adding step: Provenance
  ) throws(RSSIError) {
    let output = try Self.file(of: source, at: path)
    let properties = try writeAccess(path)
    let file = try blaming(source.path) { () throws(RSSIError) in
      let handle = Handle(
        try check(
          H5Fopen(output.temporaryPath, chdf5_read_write(), properties.id), "write", path),
        close: H5Fclose)
      try output.requireSame(as: chdf5_descriptor(handle.id))
      let file = TraceFile(
        handle: handle, mode: .create(.packed), clock: source.file.clock, path: path)
      try ProvenanceTables(in: file.opened(.closed)).append(step)
      return file
    }
    self.source = source
    self.output = output
    self.file = file
  }

  private static func file(of source: TraceReader, at path: String) throws(RSSIError) -> AtomicFile
  {
    // A file that a writer left open, or is writing, cannot be copied byte by byte.
    guard source.isClean else {
      return try packed(source, to: path, adding: nil).close(source.catalogue)
    }
    let output = try AtomicFile(path: path)
    try copyFile(source.path, to: output.temporaryPath, named: path)
    return output
  }

  /// Changes the copy, in which tables are created.
  func change<Result>(
    _ body: (TraceFile) throws(RSSIError) -> Result
  ) throws(RSSIError) -> Result {
    try blaming(source.path) { () throws(RSSIError) in try body(file) }
  }

  /// Closes the file and gives it its name.
  consuming func finish() throws(RSSIError) {
    try change { file throws(RSSIError) in try closeWhole(file.handle, output.path) }
    try source.requireInPlace(for: output.path)
    try output.commit()
    removeLog(of: output.path)
  }
}

/// Writes a copy of a trace with a calibration under `/calibration`, replacing the existing one.
///
/// - Parameters:
///   - source: The trace to copy.
///   - path: The path of the copy; may be the source's own path.
///   - step: The stage to add to the provenance.
/// - Throws: `.badInput` if the trace has a `/calibration` of another program.
package func write(
  _ calibration: StoredCalibration, into source: TraceReader, at path: String,
  adding step: Provenance
) throws(RSSIError) {
  prepareHDF5()
  let copy = try TraceCopy(of: source, to: path, adding: step)
  try copy.change { file throws(RSSIError) in
    if H5Lexists(file.handle.id, "calibration", hid_t(H5P_DEFAULT)) > 0 {
      guard CalibrationTables.isThere(in: file) else {
        throw RSSIError(
          .badInput,
          "\(source.path) has a /calibration that rssi did not write: rename it, or write the "
            + "calibration to a .json file")
      }
      try check(
        H5Ldelete(file.handle.id, "calibration", hid_t(H5P_DEFAULT)), "replace /calibration of",
        path)
    }
    try CalibrationTables(in: file).write(calibration, path: path)
  }
  try copy.finish()
}

/// Writes a copy of a trace with the positions of one algorithm under `/positions/NAME`, replacing
/// those of that name.
///
/// - Parameters:
///   - floors: The floors to which positions refer, those of the trace first.
///   - source: The trace to copy.
///   - path: The path of the copy; may be the source's own path.
///   - step: The stage to add to the provenance.
package func write(
  _ positions: StoredPositions, on floors: [Floor] = [], into source: TraceReader,
  at path: String, adding step: Provenance
) throws(RSSIError) {
  prepareHDF5()
  guard StoredPositions.isName(positions.name) else {
    throw RSSIError(
      .failed,
      "\"\(positions.name)\" cannot name a group of \(path): remove slashes, or shorten it")
  }
  let copy = try TraceCopy(of: source, to: path, adding: step)
  try copy.change { file throws(RSSIError) in
    if groupNames("positions", in: file.handle).contains(positions.name) {
      try check(
        H5Ldelete(file.handle.id, "positions/\(positions.name)", hid_t(H5P_DEFAULT)),
        "replace /positions/\(positions.name) of", path)
    }
    let known = source.catalogue.floors.count
    if floors.count > known {
      if known > 0 {
        try check(
          H5Ldelete(file.handle.id, "floors", hid_t(H5P_DEFAULT)), "replace /floors of", path)
      }
      try RowTable(.floors, in: file).append(floors)
    }
    let table = try PositionTable(positions.name, in: file)
    try table.write(positions.rows)
    let group = table.group
    try group.setAttribute("algorithm", positions.algorithm, in: path)
    for (name, value) in positions.settings.sorted(by: { $0.key < $1.key }) {
      try group.setAttribute(name, value, in: path)
    }
  }
  try copy.finish()
}
