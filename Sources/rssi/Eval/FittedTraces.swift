import PathLoss
import TraceStore

extension Calibration {
  /// Whether it was fitted on a trace of a file, or may have been: on the same bytes, and on a
  /// series of the trace's name.
  ///
  /// Two traces share bytes where they were made from the same recording; calibrations of older
  /// versions do not tell the series.
  func wasFitted(on trace: String, of reader: TraceReader) -> Bool {
    let fitted = Set(inputs.map(\.sha256))
    guard reader.sources.contains(where: { fitted.contains($0.sha256) }) else { return false }
    return stations.isEmpty || stations.contains { $0.series == trace }
  }
}
