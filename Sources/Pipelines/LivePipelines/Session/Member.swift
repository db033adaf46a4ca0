/// Someone who takes part in a session: what the others in the lobby know of a receiver.
public struct Member: Equatable, Sendable {
  public enum State: String, CaseIterable, Sendable {
    /// It is there, but its radio or its clock is not ready.
    case joining
    /// It waits for the start.
    case ready
    case recording
    /// It recorded, and hands its parts over to who gathers them.
    case handing
    /// It stated goodbye.
    case left
    /// Its connection ended without a goodbye.
    case lost

    /// A Boolean value that is true if it is there.
    public var isPresent: Bool { self != .left && self != .lost }
  }

  public var name: String
  /// Stays when the member comes back, so that no one else takes its name meanwhile.
  package var key: Token
  /// Differs each time that the member comes.
  package var incarnation: Token
  /// The order of joining; the smallest leads.
  public var ticket: UInt32 = 0
  public var state = State.joining
  /// A Boolean value that is true if it knows the session's time.
  public var isSynchronised = false
  /// The session that it has agreed to.
  package var session: Token?
  /// The number of members that it wants to be ready before anything starts, and the most that may
  /// be there; the leader's count.
  public var expected: Int
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
    public var bytes: UInt64
    /// 64 hexadecimal digits; empty while it is being written.
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
