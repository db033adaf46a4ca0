import Support
package import TraceStore

/// The trace that a calibration is added to; nil where the output is a file of its own.
///
/// - Throws: `RSSIError` of kind `usage` for the name of a trace that does not exist.
package func traceOfCalibration(_ path: String) throws -> TraceReader? {
  if path != "-", (try? InputKind(path: path)) == .trace { return try TraceReader(path: path) }
  guard ![".h5", ".hdf5"].contains(where: path.lowercased().hasSuffix) else {
    throw RSSIError(
      .usage,
      "\(path) is not a trace, and a calibration is added to one that exists: write it first "
        + "(`rssi import FILE -o \(path)`), or name a new .json file")
  }
  return nil
}
