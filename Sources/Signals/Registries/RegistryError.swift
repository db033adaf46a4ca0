/// Why a registry could not be read or fetched.
public struct RegistryError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of failure it is; the command line turns it into an exit code.
  public enum Kind: Sendable {
    /// What was asked for cannot be: an address that is none.
    case usage
    /// A document or an answer that is no registry.
    case badInput
    /// Nobody answered, or nobody who can be trusted.
    case unavailable
  }

  public var kind: Kind
  /// One sentence: what failed, on what, and what to do.
  public var description: String

  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
