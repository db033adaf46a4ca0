import Foundation
import Inputs

extension ToolIdentity {
  /// This program, and how it was called, with its own folder left out.
  static let program = ToolIdentity(version: "0.1.0", commandLine: calledAs)

  private static var calledAs: String {
    (["rssi"] + CommandLine.arguments.dropFirst()).map { word in
      let isPlain = word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=,+@%".contains($0) }
      return isPlain && !word.isEmpty
        ? word : "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }.joined(separator: " ")
  }
}
