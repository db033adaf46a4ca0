import Support

/// The agreement of the members of a lobby, as the recorder of one needs it; times are of the
/// machine's monotonic clock.
struct RendezvousAgreement {
  var announcement: Announcement?
  /// The agreed beginning and end; nil before that is agreed.
  var start: Int64?
  var end: Int64?
  var others: [Member] = []
  var connection: RendezvousConnection
  /// Why it is over before its time.
  var failure: RSSIError?
}

/// The visibility of a lobby: decisions must not rest on what is out of date.
struct RendezvousConnection {
  /// The time at which the present connection was made, or the last one was lost.
  private(set) var since: Int64
  private(set) var isThere = false
  /// A Boolean value that is true if there was another connection before.
  private var isRenewed = false
  /// The times since which members are lost, by name.
  private var losses: [String: Int64] = [:]

  /// Nanoseconds after which members are back that connect again to a broker that was restarted.
  private static let settling: Int64 = 5_000_000_000

  init(at now: Int64) { since = now }

  /// Returns true if it is known which members are there.
  func isSettled(at now: Int64) -> Bool {
    isThere && (!isRenewed || now - since >= Self.settling)
  }

  /// Nanoseconds without a broker.
  func outage(at now: Int64) -> Int64 { isThere ? 0 : now - since }

  /// Nanoseconds for which a lost member was not seen although it could have been.
  func absence(of name: String, at now: Int64) -> Int64 {
    isThere ? now - max(since, losses[name] ?? now) : 0
  }

  mutating func made(at now: Int64) { (isThere, since) = (true, now) }

  mutating func lost(at now: Int64) { (isThere, since, isRenewed) = (false, now, true) }

  /// Remembers since when members are lost.
  mutating func note(lost names: [String], at now: Int64) {
    losses = Dictionary(uniqueKeysWithValues: names.map { ($0, losses[$0] ?? now) })
  }
}

/// The announcement of a leader: the session, its start and its end.
package struct Announcement: Equatable, Sendable {
  /// Rises with each announcement of a lobby, so that a late one does not replace a newer.
  package var term: UInt32
  package var session: Token
  /// Nanoseconds of the session's time.
  package var start: Int64
  /// Nil = when someone asks for it.
  package var end: Int64?
  /// The number of members that have to agree before anyone starts.
  package var expected: Int

  package init(term: UInt32, session: Token, start: Int64, end: Int64?, expected: Int) {
    self.term = term
    self.session = session
    self.start = start
    self.end = end
    self.expected = expected
  }

  /// Returns true if this one counts, of two.
  func replaces(_ other: Announcement) -> Bool {
    session == other.session
      ? (end ?? .max) < (other.end ?? .max) : (term, other.session) > (other.term, session)
  }
}
