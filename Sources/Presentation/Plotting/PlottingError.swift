/// Why a picture was not made.
public struct PlottingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of failure it is; the command line turns it into an exit code.
  public enum Kind: Sendable {
    /// The extension, the size or the chart itself is not one that can be drawn.
    case usage
    /// gnuplot is not installed.
    case unavailable
    /// The disk is full, or there is no such folder.
    case inputOutput
    /// The user may not write here.
    case permission
    /// gnuplot ran and failed.
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
