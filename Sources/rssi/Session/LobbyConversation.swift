import Capture
import Foundation
import LivePipelines
import Sightings
import Support
import Synchronization

/// A member's talk with the lobby, on a thread of its own: clocks are only compared well by
/// somebody who answers at once, and a radio's loop does not.
final class LobbyConversation: Sendable {
  /// What the recorder needs to know, of the machine's monotonic clock.
  struct Agreement {
    var announcement: Announcement?
    /// When to begin and to end; nil as long as that is not agreed.
    var start: Int64?
    var end: Int64?
    var others: [Member] = []
    var isInside = false
    var connection = Connection()
    /// Why it is over before its time.
    var failure: RSSIError?
  }

  /// How much of the lobby can be seen: nothing is to be decided by what is out of date.
  struct Connection {
    /// When the connection was made that there is, or when the last one was lost.
    var since: Int64 = SystemClock.monotonic
    var isThere = false
    /// Whether there was another one before.
    var isRenewed = false
    /// By name, since when members are lost.
    var losses: [String: Int64] = [:]

    /// Nanoseconds after which those are back who will be when a broker starts anew.
    private static let settling: Int64 = 5_000_000_000

    /// Whether those who are there are known.
    func isSettled(at now: Int64) -> Bool {
      isThere && (!isRenewed || now - since >= Self.settling)
    }

    /// Nanoseconds without a broker.
    func outage(at now: Int64) -> Int64 { isThere ? 0 : now - since }

    /// Nanoseconds for which a lost member was not seen although it could have been.
    func absence(of name: String, at now: Int64) -> Int64 {
      isThere ? now - max(since, losses[name] ?? now) : 0
    }
  }

  /// What is asked of the thread.
  private struct Wishes {
    var isSourceReady = false
    var hasBegun = false
    var parts: [Member.Part]?
    var leaves = false
    var stopsAll = false
  }

  private struct Shared {
    var agreement = Agreement()
    var wishes = Wishes()
    /// Why connecting failed last, as it was told.
    var complaint = ""
    var offsets: [SessionOffset] = []
    /// The latest measurement, and when the one that was written down last was made.
    var latest: SessionOffset?
    var noted: Int64?
    var letters: [BrokerChannel.Message] = []
    var connection = Connection()
    var outgoing: [(payload: [UInt8], topic: String)] = []
  }

  let topics: LobbyTopics
  let me: Member
  private let shared = Mutex(Shared())
  private let done = DispatchSemaphore(value: 0)
  private let reporting: ReportingOptions

  /// Milliseconds that the thread waits for the broker at most.
  private static let wait: Int32 = 20
  /// Nanoseconds between two measurements that are written down.
  private static let offsetPeriod: Int64 = 10_000_000_000

  /// - Throws: `RSSIError` of kind `usage` or `permission`, before anything is connected.
  init(
    _ me: Member, lobby: String, broker: BrokerOptions, duration: Int64?,
    reporting: ReportingOptions
  ) throws {
    self.me = me
    self.reporting = reporting
    topics = LobbyTopics(lobby: lobby)
    let machine = Lobby(me, duration: duration)
    let channel = try broker.channel(
      topics.topics(for: me.name), will: topics.will(machine.will))
    let carrier = Carrier(channel)
    Thread.detachNewThread { @Sendable in
      self.run(machine, carrier)
      self.done.signal()
    }
  }

  /// Hands a channel, which cannot be copied, to the thread.
  private final class Carrier: @unchecked Sendable {
    private var channel: BrokerChannel?
    init(_ channel: consuming BrokerChannel) { self.channel = consume channel }
    func take() -> BrokerChannel? { channel.take() }
  }

  var agreement: Agreement { shared.withLock { $0.agreement } }

  func sourceIsReady() { shared.withLock { $0.wishes.isSourceReady = true } }
  func began() { shared.withLock { $0.wishes.hasBegun = true } }
  func ended(with parts: [Member.Part]) { shared.withLock { $0.wishes.parts = parts } }
  /// Ends the session for all.
  func stopAll() { shared.withLock { $0.wishes.stopsAll = true } }

  /// How far this machine's clock was from the session's time, measured since the last call.
  ///
  /// - Parameter isEnd: whether to add the latest, because there will be no further call.
  func takeOffsets(isEnd: Bool = false) -> [SessionOffset] {
    shared.withLock { shared in
      if isEnd, let latest = shared.latest, latest.time != shared.noted {
        shared.offsets.append(latest)
      }
      return take(&shared.offsets)
    }
  }

  /// What came for this member's store of parts.
  func takeLetters() -> [BrokerChannel.Message] { shared.withLock { take(&$0.letters) } }

  func send(_ payload: [UInt8], to topic: String) {
    shared.withLock { $0.outgoing.append((payload, topic)) }
  }

  /// Says goodbye and waits until that is said.
  func leave() {
    shared.withLock { $0.wishes.leaves = true }
    _ = done.wait(timeout: .now() + 5)
    done.signal()
  }

  private func run(_ machine: Lobby, _ carrier: Carrier) {
    var lobby = machine
    guard var channel = carrier.take() else { return }
    do {
      var roll = LobbyRoll(reporting)
      while try step(&lobby, &channel) {
        roll.tell(lobby)
        if let refusal = lobby.refusal {
          throw RSSIError(.failed, "\(me.name) cannot join \(topics.lobby): \(refusal)")
        }
      }
    } catch {
      let failure = RSSIError(error) ?? RSSIError(.failed, "\(error)")
      shared.withLock { $0.agreement.failure = failure }
    }
    try? publish(&lobby, &channel)
    channel.close()
  }

  /// Does one round; false when the member has left.
  private func step(_ lobby: inout Lobby, _ channel: inout BrokerChannel) throws -> Bool {
    switch try channel.step(within: Self.wait) {
    case .nothing: break
    case .connected:
      lobby.connected(at: SystemClock.monotonic)
      shared.withLock { shared in
        shared.complaint = ""
        (shared.connection.isThere, shared.connection.since) = (true, SystemClock.monotonic)
      }
    case .lost(let reason):
      lobby.disconnected()
      shared.withLock { shared in
        (shared.connection.isThere, shared.connection.since) = (false, SystemClock.monotonic)
        shared.connection.isRenewed = true
      }
      reporting.note("\(reason); the recording goes on, connecting again")
    case .failedAgain(let reason):
      // Once for each reason, not at each attempt.
      let isNews = shared.withLock { shared in
        defer { shared.complaint = reason }
        return shared.complaint != reason
      }
      if isNews { reporting.note("\(reason); trying on") }
    }
    let messages = channel.takeMessages()
    for message in messages {
      if let known = topics.message(message) {
        lobby.receive(known, at: SystemClock.monotonic)
        // An answer leaves before anything else is looked at.
        try publish(&lobby, &channel)
      }
    }
    let letters = messages.filter { isLetter($0.topic) }
    let (wishes, outgoing) = shared.withLock { shared in
      // Nobody asks for more than a few at a time: what is beyond is somebody's mischief.
      if shared.letters.count < 256 { shared.letters += letters }
      return (shared.wishes, take(&shared.outgoing))
    }
    follow(wishes, &lobby)
    let reading = MachineClock.system.reading
    lobby.tick(at: reading.monotonic, wallClock: reading.time)
    try publish(&lobby, &channel)
    for (payload, topic) in outgoing { channel.publish(payload, to: topic) }
    tell(lobby, reading)
    if wishes.leaves, lobby.me.state != .left, !lobby.isGone { lobby.leave(at: reading.monotonic) }
    return !lobby.isGone
  }

  private func isLetter(_ topic: String) -> Bool {
    topic == topics.requests(to: me.name) || topic == topics.pieces(for: me.name)
  }

  private func follow(_ wishes: Wishes, _ lobby: inout Lobby) {
    if wishes.isSourceReady { lobby.sourceIsReady() }
    if wishes.hasBegun, lobby.me.state == .ready { lobby.began() }
    if let parts = wishes.parts, lobby.me.state == .recording { lobby.ended(with: parts) }
    if wishes.stopsAll, lobby.askForStop() { shared.withLock { $0.wishes.stopsAll = false } }
  }

  private func publish(_ lobby: inout Lobby, _ channel: inout BrokerChannel) throws {
    for message in lobby.takeMessages() { try topics.publish(message, on: &channel) }
  }

  private func tell(_ lobby: Lobby, _ reading: ClockReading) {
    let estimate = lobby.reading(at: reading.monotonic)
    shared.withLock { shared in
      var agreement = Agreement()
      agreement.announcement = lobby.announcement
      agreement.start = lobby.start(at: reading.monotonic)
      agreement.end = lobby.end(at: reading.monotonic)
      agreement.others = lobby.others.values.sorted { $0.name < $1.name }
      agreement.isInside = lobby.isInside
      let lost = lobby.others.filter { $0.value.state == .lost }.keys
      shared.connection.losses = Dictionary(
        uniqueKeysWithValues: lost.map { ($0, shared.connection.losses[$0] ?? reading.monotonic) })
      agreement.connection = shared.connection
      shared.agreement = agreement
      guard let estimate, lobby.me.session != nil else { return }
      let time = reading.monotonic &+ estimate.offset
      let offset = SessionOffset(
        part: 0, time: time, offset: time &- reading.time, uncertainty: estimate.uncertainty)
      shared.latest = offset
      if let noted = shared.noted, time &- noted < Self.offsetPeriod { return }
      shared.noted = time
      shared.offsets.append(offset)
    }
  }
}

private func take<Element>(_ list: inout [Element]) -> [Element] {
  defer { list.removeAll() }
  return list
}
