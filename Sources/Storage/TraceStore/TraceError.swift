/// Why a trace file could not be read or written.
public struct TraceError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of failure it is; the command line turns it into an exit code.
  public enum Kind: Sendable {
    /// There is no such file, or it is a directory.
    case noInput
    /// The file is not a trace, or is damaged.
    case badInput
    /// The disk is full, or the device failed.
    case inputOutput
    /// The user may not read or write here.
    case permission
    /// Anything else.
    case failed
  }

  public var kind: Kind
  /// One sentence: what failed, on what, and what to do.
  public var description: String

  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
