/// What an evaluation was made with, so that it can be made again.
public struct EvaluationProvenance: Equatable, Sendable {
  /// A file that was read.
  public struct Input: Equatable, Sendable {
    /// The path as it was typed.
    public var name: String
    /// SHA-256 in hexadecimal digits.
    public var sha256: String
    public var bytes: UInt64

    public init(name: String, sha256: String, bytes: UInt64) {
      self.name = name
      self.sha256 = sha256
      self.bytes = bytes
    }
  }

  /// The program's version.
  public var version: String
  /// The command as it was typed.
  public var commandLine: String
  public var inputs: [Input]

  public init(version: String, commandLine: String, inputs: [Input]) {
    self.version = version
    self.commandLine = commandLine
    self.inputs = inputs
  }
}
