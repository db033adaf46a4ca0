import PathLoss
import Support
import TraceStore

/// Returns a fitted file and the recordings that it was made from, so that an evaluation can find
/// out whether it scores fitted data.
func fittedInputs(_ path: String) throws -> [Calibration.Input] {
  guard path != "-" else { return [] }
  var inputs = try fittedFiles([path])
  if try InputKind(path: path) == .trace {
    inputs += try TraceReader(path: path).sources
      .map { Calibration.Input(name: $0.name, sha256: $0.sha256, madeInto: path) }
  }
  return inputs
}

/// Returns files with their digests.
func fittedFiles(_ paths: [String]) throws -> [Calibration.Input] {
  try InputDigests(of: paths).wait().map {
    Calibration.Input(name: $0.name, sha256: $0.sha256)
  }
}

/// Refuses a file that was given twice, or together with a trace that was made from it: its
/// readings would count twice.
func requireDifferent(_ inputs: [Calibration.Input]) throws(RSSIError) {
  let fitted = inputs.filter { $0.madeInto == nil }
  for (index, input) in fitted.enumerated() {
    if fitted[..<index].contains(where: { $0.sha256 == input.sha256 }) {
      throw RSSIError(
        .badInput, "\(input.name) is given twice: its readings would count twice")
    }
    if let made = inputs.first(where: { $0.madeInto != nil && $0.sha256 == input.sha256 }),
      let trace = made.madeInto
    {
      throw RSSIError(
        .badInput,
        "\(trace) was made from \(input.name), which is given too: its readings would count twice")
    }
  }
}
