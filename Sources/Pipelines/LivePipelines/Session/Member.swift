/// Somebody who takes part in a session: what the others in the lobby know of a receiver.
public struct Member: Equatable, Sendable {
  public enum State: String, CaseIterable, Sendable {
    /// It is there, but its radio or its clock is not ready.
    case joining
    /// It waits for the start.
    case ready
    case recording
    /// It recorded, and hands its parts over to who gathers them.
    case handing
    /// It said goodbye.
    case left
    /// Its connection ended without a goodbye.
    case lost

    /// Whether it is there.
    public var isPresent: Bool { self != .left && self != .lost }
  }

  public var name: String
  /// Stays when the member comes back, so that nobody else takes its name meanwhile.
  public var key: Token
  /// Differs each time that the member comes.
  public var incarnation: Token
  /// The order of joining; the smallest leads.
  public var ticket: UInt32 = 0
  public var state = State.joining
  /// Whether it knows the session's time.
  public var isSynchronised = false
  /// The session that it has agreed to.
  public var session: Token?
  /// How many it wants to be ready before anything starts, and how many may be there; the leader's
  /// count.
  public var expected: Int
  public var limit: Int
  /// Whether it gathers everybody's parts in the end.
  public var gathers = false
  /// What it recorded in this session.
  public var parts: [Part] = []

  /// A file that a member recorded.
  public struct Part: Equatable, Sendable {
    public var id: Token
    /// The file's name, without its folder.
    public var file: String
    public var bytes: UInt64
    /// 64 hexadecimal digits; empty while it is being written.
    public var sha256: String

    public init(id: Token, file: String, bytes: UInt64, sha256: String) {
      self.id = id
      self.file = file
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  public init(name: String, key: Token, incarnation: Token, expected: Int, limit: Int) {
    self.name = name
    self.key = key
    self.incarnation = incarnation
    self.expected = expected
    self.limit = limit
  }

  /// Whether it comes before another in leading: who knows the time, then who came first.
  func leads(_ other: Member) -> Bool {
    (isSynchronised ? 0 : 1, ticket, name)
      < (other.isSynchronised ? 0 : 1, other.ticket, other.name)
  }
}
