import PathLoss
import TraceStore

/// A file that was fitted, and the recordings that it was made from, so that `eval` can tell whether
/// it is scored on what was fitted.
func fittedInputs(_ path: String) throws -> [Calibration.Input] {
  guard path != "-" else { return [] }
  var inputs = try provenance(of: "fit", inputs: [path]).inputs
  if try InputKind(path: path) == .trace {
    inputs += try TraceReader(path: path).provenance.flatMap(\.inputs)
  }
  return inputs.map { Calibration.Input(name: $0.name, sha256: $0.sha256) }
}
