/// Somebody who takes part in a session: one receiver with a name of its own in the lobby.
public struct Member: Equatable, Sendable {
  public var name: String

  public init(name: String) { self.name = name }
}
