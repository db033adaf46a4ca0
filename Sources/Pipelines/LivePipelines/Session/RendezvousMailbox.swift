import Capture
import Sightings
import Support
import Synchronization

/// The exchange between a member's conversation with the lobby and its recorder, which work on
/// different threads.
final class RendezvousMailbox: Sendable {
  /// The wishes of the recorder.
  struct Orders {
    var isSourceReady = false
    var hasBegun = false
    var parts: [Member.Part]?
    var leaves = false
    var stopsAll = false
    var outgoing: [(payload: [UInt8], topic: String)] = []
  }

  /// The findings of the conversation in one round.
  struct Report {
    var agreement: RendezvousAgreement
    /// The latest measurement of the clock during a session.
    var offset: SessionOffset?
    /// A Boolean value that is true if the session was asked to end for all.
    var hasStoppedAll = false
  }

  private struct Content {
    var orders = Orders()
    var agreement: RendezvousAgreement
    var offsets: [SessionOffset] = []
    /// The latest measurement, and the time of the one that was kept last.
    var latest: SessionOffset?
    var kept: Int64?
    var letters: [BrokerChannel.Message] = []
  }

  let topics: RendezvousTopics
  let me: Member
  private let content: Mutex<Content>

  /// Nanoseconds between two measurements of the clock that are kept.
  private static let offsetPeriod: Int64 = 10_000_000_000
  /// Letters that wait at most: members ask for a few pieces at a time.
  private static let mostLetters = 256

  init(_ me: Member, lobby: String, at now: Int64) {
    self.me = me
    topics = RendezvousTopics(lobby: lobby)
    content = Mutex(
      Content(agreement: RendezvousAgreement(connection: RendezvousConnection(at: now))))
  }

  // MARK: For the recorder

  var agreement: RendezvousAgreement { content.withLock { $0.agreement } }

  func sourceIsReady() { content.withLock { $0.orders.isSourceReady = true } }
  func began() { content.withLock { $0.orders.hasBegun = true } }
  func ended(with parts: [Member.Part]) { content.withLock { $0.orders.parts = parts } }
  func leave() { content.withLock { $0.orders.leaves = true } }
  /// Ends the session for all members.
  func stopAll() { content.withLock { $0.orders.stopsAll = true } }

  /// Returns the offsets of this machine's clock from the session's time, measured since the last
  /// call.
  ///
  /// - Parameter isEnd: whether to add the latest, because there will be no further call.
  func takeOffsets(isEnd: Bool = false) -> [SessionOffset] {
    content.withLock { content in
      if isEnd, let latest = content.latest, latest.time != content.kept {
        content.offsets.append(latest)
      }
      return take(&content.offsets)
    }
  }

  /// The letters about parts that arrived since the last call.
  func takeLetters() -> [BrokerChannel.Message] { content.withLock { take(&$0.letters) } }

  func send(_ payload: [UInt8], to topic: String) {
    content.withLock { $0.orders.outgoing.append((payload, topic)) }
  }

  // MARK: For the conversation

  /// Returns true if a message is a letter about parts, which the recorder reads.
  func isLetter(_ message: BrokerChannel.Message) -> Bool {
    message.topic == topics.requests(to: me.name) || message.topic == topics.pieces(for: me.name)
  }

  /// Hands letters to the recorder, and takes its orders.
  func exchange(_ letters: [BrokerChannel.Message]) -> Orders {
    content.withLock { content in
      content.letters += letters.prefix(Self.mostLetters - content.letters.count)
      var orders = content.orders
      orders.outgoing = take(&content.orders.outgoing)
      return orders
    }
  }

  func update(_ report: Report) {
    content.withLock { content in
      content.agreement = report.agreement
      if report.hasStoppedAll { content.orders.stopsAll = false }
      guard let offset = report.offset else { return }
      content.latest = offset
      if let kept = content.kept, offset.time &- kept < Self.offsetPeriod { return }
      content.kept = offset.time
      content.offsets.append(offset)
    }
  }

  func fail(_ error: RSSIError) { content.withLock { $0.agreement.failure = error } }
}

private func take<Element>(_ list: inout [Element]) -> [Element] {
  defer { list.removeAll() }
  return list
}
