/// Someone who takes part in a session: what the others in the lobby know of a receiver.
public struct Member: Equatable, Sendable {
  /// The state of a member of a session.
  public enum State: String, CaseIterable, Sendable {
    /// The member is there, but its radio or its clock is not ready.
    case joining
    /// The member waits for the start.
    case ready
    /// The member records.
    case recording
    /// The member has recorded, and transfers its parts to the member that gathers them.
    case handing
    /// The member left and announced it.
    case left
    /// The connection of the member ended without a goodbye.
    case lost

    /// A Boolean value that is true if it is there.
    public var isPresent: Bool { self != .left && self != .lost }
  }

  /// The name of the member.
  public var name: String
  /// Stays when the member comes back, so that no one else takes its name meanwhile.
  package var key: Token
  /// Differs each time that the member comes.
  package var incarnation: Token
  /// The order of joining; the smallest leads.
  public var ticket: UInt32 = 0
  /// The state of the member.
  public var state = State.joining
  /// A Boolean value that is true if it knows the session's time.
  public var isSynchronised = false
  /// The session that it has agreed to.
  package var session: Token?
  /// The number of members that must be ready before a recording starts, as the leader counts.
  public var expected: Int
  /// The largest number of members in the session, as the leader counts.
  public var limit: Int
  /// A Boolean value that is true if it gathers everyone's parts in the end.
  public var gathers = false
  /// The parts that it recorded in this session.
  public var parts: [Part] = []

  /// A file that a member recorded.
  public struct Part: Equatable, Sendable {
    package var id: Token
    /// The file's name, without its folder.
    public var file: String
    /// The size of the file, in bytes.
    public var bytes: UInt64
    /// The SHA-256 of the file, 64 hexadecimal digits; empty while it is being written.
    public var sha256: String

    package init(id: Token, file: String, bytes: UInt64, sha256: String) {
      self.id = id
      self.file = file
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  package init(name: String, key: Token, incarnation: Token, expected: Int, limit: Int) {
    self.name = name
    self.key = key
    self.incarnation = incarnation
    self.expected = expected
    self.limit = limit
  }

  /// Returns true if it comes before another in leading: who knows the time, then who came first.
  func leads(_ other: Member) -> Bool {
    (isSynchronised ? 0 : 1, ticket, name)
      < (other.isSynchronised ? 0 : 1, other.ticket, other.name)
  }
}
