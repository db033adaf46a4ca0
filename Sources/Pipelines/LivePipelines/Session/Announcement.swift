/// What a leader shows everyone: the session, when it starts, and when it ends.
package struct Announcement: Equatable, Sendable {
  /// Rises with each announcement of a lobby, so that a late one does not replace a newer.
  package var term: UInt32
  package var session: Token
  /// Nanoseconds of the session's time.
  package var start: Int64
  /// Nil = when someone asks for it.
  package var end: Int64?
  /// How many have to agree before anyone starts.
  package var expected: Int

  package init(term: UInt32, session: Token, start: Int64, end: Int64?, expected: Int) {
    self.term = term
    self.session = session
    self.start = start
    self.end = end
    self.expected = expected
  }

  /// Whether this one counts, of two.
  func replaces(_ other: Announcement) -> Bool {
    session == other.session
      ? (end ?? .max) < (other.end ?? .max) : (term, other.session) > (other.term, session)
  }
}
