import Sightings
import Support
import Synchronization

/// The agreement of the members of a lobby, for the recorder of one; times are of the machine's
/// monotonic clock.
struct RendezvousAgreement {
  /// The session, and its start in the session's time; nil before the start is announced.
  var session: (id: Token, start: Int64)?
  /// The agreed beginning and end; nil before they are known.
  var start: Int64?
  var end: Int64?
  /// The end that the leader set, as a duration.
  var duration: Int64?
  /// The names of the other members' parts.
  var otherParts: [String] = []
  /// The failure that ended it early.
  var failure: RSSIError?
}

/// The exchange between a member's conversation with the lobby and its recorder, on different
/// threads.
final class RendezvousMailbox: Sendable {
  /// The orders of the recorder.
  struct Orders {
    var isSourceReady = false
    /// The names of the parts, once it records.
    var parts: [String]?
    var leaves = false
    /// A Boolean value that is true if the session is to end for all members.
    var stopsAll = false
  }

  private struct Content {
    var orders = Orders()
    var agreement = RendezvousAgreement()
    var offsets: [SessionOffset] = []
    /// The latest measurement, and the time of the last one that was kept.
    var latest: SessionOffset?
    var kept: Int64?
  }

  let topics: RendezvousTopics
  let me: Member
  private let content = Mutex(Content())

  /// The time between two kept measurements of the clock, in nanoseconds.
  private static let offsetPeriod: Int64 = 10_000_000_000

  init(_ me: Member, lobby: String) {
    self.me = me
    topics = RendezvousTopics(lobby: lobby)
  }

  // MARK: For the recorder

  var agreement: RendezvousAgreement { content.withLock { $0.agreement } }

  func sourceIsReady() { content.withLock { $0.orders.isSourceReady = true } }
  func began(_ parts: [String]) { content.withLock { $0.orders.parts = parts } }
  func leave(stoppingAll: Bool = false) {
    content.withLock { ($0.orders.leaves, $0.orders.stopsAll) = (true, stoppingAll) }
  }

  /// Returns the offsets of this machine's clock from the session's time, measured since the last
  /// call.
  ///
  /// - Parameter isEnd: true to add the latest, because there will be no further call.
  func takeOffsets(isEnd: Bool = false) -> [SessionOffset] {
    content.withLock { content in
      if isEnd, let latest = content.latest, latest.time != content.kept {
        content.offsets.append(latest)
      }
      defer { content.offsets.removeAll() }
      return content.offsets
    }
  }

  // MARK: For the conversation

  var orders: Orders { content.withLock { $0.orders } }

  /// - Parameter offset: the latest measurement of the clock during a session.
  func update(_ agreement: RendezvousAgreement, offset: SessionOffset? = nil) {
    content.withLock { content in
      content.agreement = agreement
      guard let offset else { return }
      content.latest = offset
      if let kept = content.kept, offset.time &- kept < Self.offsetPeriod { return }
      content.kept = offset.time
      content.offsets.append(offset)
    }
  }

  func fail(_ error: RSSIError) { content.withLock { $0.agreement.failure = error } }
}
