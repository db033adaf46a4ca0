internal import CHDF5
package import Support

/// Writes a copy of a trace with a calibration under `/calibration`, in place of the one it had.
///
/// - Parameters:
///   - source: the trace to copy.
///   - path: where the copy will be; may be the source's own path.
///   - step: what was done, added to the provenance.
/// - Throws: `.badInput` where the trace has a `/calibration` of another program.
package func write(
  _ calibration: StoredCalibration, into source: TraceReader, at path: String,
  adding step: Provenance
) throws(RSSIError) {
  prepareHDF5()
  let copy = try TraceCopy(of: source, to: path, adding: step)
  try copy.change { file throws(RSSIError) in
    if H5Lexists(file.id, "calibration", hid_t(H5P_DEFAULT)) > 0 {
      guard CalibrationTables.isThere(in: file) else {
        throw RSSIError(
          .badInput,
          "\(source.path) has a /calibration that rssi did not write: rename it, or write the "
            + "calibration to a .json file")
      }
      try check(
        H5Ldelete(file.id, "calibration", hid_t(H5P_DEFAULT)), "replace /calibration of", path)
    }
    try CalibrationTables(in: file, mode: .create(.packed), path: path)
      .write(calibration, path: path)
  }
  try copy.finish()
}

extension TraceReader {
  /// The calibration that the trace holds, if any.
  ///
  /// - Throws: `.badInput` where it is damaged.
  package func calibration() throws(RSSIError) -> StoredCalibration? {
    prepareHDF5()
    guard CalibrationTables.isThere(in: file) else { return nil }
    return try CalibrationTables(in: file, mode: .open(trust), path: path).read()
  }
}
