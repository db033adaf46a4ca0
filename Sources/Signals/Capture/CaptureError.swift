/// Why listening could not begin or go on.
public struct CaptureError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of failure it is; the command line turns it into an exit code.
  public enum Kind: Sendable {
    /// The source is spelt wrong, or asks for what it does not have.
    case usage
    /// There is no such adapter, controller or broker, or it is gone.
    case unavailable
    /// The user may not use it.
    case permission
    /// It answered something that it must not.
    case protocolViolation
  }

  public var kind: Kind
  /// One sentence: what failed, on what, and what to do.
  public var description: String

  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
