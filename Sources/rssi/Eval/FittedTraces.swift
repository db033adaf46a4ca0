import Inputs
import PathLoss
import TraceStore

extension Calibration {
  /// Whether it was fitted on a target's readings, or may have been.
  ///
  /// Raw readings are told apart by how often each level was heard on each link. Where others were
  /// fitted, as those of a filter, a file of the same bytes and a series of the trace's name tell.
  func wasFitted(on target: AskedTarget, of reader: TraceReader) -> Bool {
    if let censuses { return censuses.contains { $0.isPart(of: target.census) } }
    let trace = target.trace
    let fitted = Set(inputs.map(\.sha256))
    guard reader.sources.contains(where: { fitted.contains($0.sha256) }) else { return false }
    return stations.isEmpty || stations.contains { $0.series == trace }
  }
}
