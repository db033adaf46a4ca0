import PathLoss
import TraceStore

/// A file that was fitted, and the recordings that it was made from, so that `eval` can tell whether
/// it is scored on what was fitted.
func fittedInputs(_ path: String) throws -> [Calibration.Input] {
  guard path != "-" else { return [] }
  var inputs = try provenance(of: "fit", inputs: [path]).inputs
  if try InputKind(path: path) == .trace {
    inputs += try TraceReader(path: path).sources
  }
  return inputs.map { Calibration.Input(name: $0.name, sha256: $0.sha256) }
}

extension TraceReader {
  /// The files that the sightings are from. Of those that a fit read only the first is one, the
  /// trace itself as it was: what it then held of the others is their calibration.
  var sources: [Provenance.Input] {
    provenance.flatMap { $0.stage == "fit" ? $0.inputs.prefix(1) : $0.inputs[...] }
  }
}
