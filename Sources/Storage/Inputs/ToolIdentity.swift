public import TraceStore

/// Which program works, and how it was called: what a file that it writes names as its origin.
public struct ToolIdentity: Sendable {
  public var version: String
  public var commandLine: String

  public init(version: String, commandLine: String) {
    (self.version, self.commandLine) = (version, commandLine)
  }

  /// The provenance of a stage that reads these files; the standard input has no digest.
  ///
  /// - Throws: `RSSIError` for a file that cannot be read.
  public func provenance(of stage: String, inputs: [String]) throws -> Provenance {
    Provenance(
      stage: stage, toolVersion: version, commandLine: commandLine,
      inputs: try InputDigests(of: inputs).wait())
  }
}
