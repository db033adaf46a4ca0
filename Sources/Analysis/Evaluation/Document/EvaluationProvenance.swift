/// What an evaluation was made with, so that it can be made again.
package struct EvaluationProvenance: Equatable, Codable, Sendable {
  /// A file that was read.
  package struct Input: Equatable, Codable, Sendable {
    /// The path as it was typed.
    package var name: String
    /// SHA-256 in hexadecimal digits.
    package var sha256: String
    package var bytes: UInt64

    package init(name: String, sha256: String, bytes: UInt64) {
      self.name = name
      self.sha256 = sha256
      self.bytes = bytes
    }
  }

  /// The program's version.
  package var version: String
  /// The command as it was typed, without what its results do not depend on.
  package var commandLine: String
  package var inputs: [Input]

  package init(version: String, commandLine: String, inputs: [Input]) {
    self.version = version
    self.commandLine = commandLine
    self.inputs = inputs
  }
}
