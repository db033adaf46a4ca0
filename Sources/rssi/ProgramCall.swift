import CRevision
import Inputs

extension ToolIdentity {
  /// This program, and how it was called, with its own folder left out.
  static let program = ToolIdentity(version: version, commandLine: calledAs)

  /// The release, and the commit if the build knows it: `0.1.0 (a9a6f18)`.
  private static var version: String {
    let commit = String(cString: crevision_commit())
    return "0.1.0" + (commit.isEmpty ? "" : " (\(commit))")
  }

  private static var calledAs: String {
    (["rssi"] + CommandLine.arguments.dropFirst()).map { word in
      let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=,+@%".contains($0) }
      return isPlain && !word.isEmpty
        ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }.joined(separator: " ")
  }
}
