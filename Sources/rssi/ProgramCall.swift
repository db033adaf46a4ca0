import Foundation
import Inputs
import TraceStore

/// The provenance of a stage that reads these files; the standard input has no digest.
func provenance(of stage: String, inputs: [String]) throws -> Provenance {
  Provenance(
    stage: stage, toolVersion: toolVersion, commandLine: commandLine(),
    inputs: try InputDigests(of: inputs).wait())
}

/// How the program was called, with the program's own folder left out.
func commandLine() -> String {
  (["rssi"] + CommandLine.arguments.dropFirst()).map { word in
    let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=,+@%".contains($0) }
    return isPlain && !word.isEmpty
      ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }.joined(separator: " ")
}
