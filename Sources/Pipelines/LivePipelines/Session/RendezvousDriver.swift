import Capture
import Dispatch
import Sightings
import Support

/// Drives a member's `Rendezvous` over a channel, round by round.
struct RendezvousDriver {
  private(set) var lobby: Rendezvous
  private let topics: RendezvousTopics
  private let log: any ActivityLog
  private var roll: MembershipLog
  /// The time from which the present members are known; nil without a connection.
  private var settled: Int64?
  private var wasConnected = false
  /// The reason of the latest failure to connect.
  private var complaint = ""

  /// The time in which members reconnect to a broker that was restarted, in nanoseconds.
  private static let settling: Int64 = 5_000_000_000

  init(_ lobby: Rendezvous, _ topics: RendezvousTopics, log: any ActivityLog) {
    (self.lobby, self.topics, self.log) = (lobby, topics, log)
    roll = MembershipLog(lobby: topics.lobby, log)
  }

  /// Does one round: receives, executes orders and due work, and publishes.
  ///
  /// - Parameter wait: the time that the channel may wait, in milliseconds.
  /// - Returns: false when the member has left.
  /// - Throws: `RSSIError` if the first connection fails or the lobby refuses the member.
  mutating func step<Channel: RendezvousChannel & ~Copyable>(
    over channel: inout Channel, _ mailbox: RendezvousMailbox, within wait: Int32,
    _ clock: MachineClock
  ) throws -> Bool {
    note(try channel.step(within: wait), at: clock.monotonic())
    for message in channel.takeMessages() {
      if let known = topics.message(message) {
        lobby.receive(known, at: clock.monotonic())
        // An answer leaves before anything else happens.
        try publish(over: &channel)
      }
    }
    let orders = mailbox.orders
    if orders.isSourceReady { lobby.sourceIsReady() }
    if let parts = orders.parts, lobby.me.state == .ready { lobby.began(parts) }
    let reading = clock.reading
    lobby.tick(at: reading.monotonic, wallClock: reading.time)
    report(to: mailbox, reading)
    if orders.leaves, lobby.me.state != .left, !lobby.isGone {
      if orders.stopsAll, !lobby.stopAll(at: reading.monotonic) {
        log.warn(
          "the broker is out of reach, and the others go on: use `rssi session stop` when it is back"
        )
      }
      lobby.leave(at: reading.monotonic)
    }
    try publish(over: &channel)
    if let settled, reading.monotonic >= settled { roll.note(lobby, at: reading.monotonic) }
    if let refusal = lobby.refusal {
      throw RSSIError(
        .failed,
        "\(lobby.me.name) cannot take part in \(topics.lobby): \(refusal.words(in: topics.lobby))")
    }
    return !lobby.isGone
  }

  /// Publishes pending messages.
  mutating func publish<Channel: RendezvousChannel & ~Copyable>(over channel: inout Channel) throws
  {
    for message in lobby.takeMessages() { try topics.publish(message, on: &channel) }
  }

  private mutating func note(_ event: BrokerChannel.Event, at now: Int64) {
    switch event {
    case .nothing: break
    case .connected:
      lobby.connected(at: now)
      settled = now + (wasConnected ? Self.settling : 0)
      (wasConnected, complaint) = (true, "")
    case .lost(let reason):
      lobby.disconnected()
      settled = nil
      log.note("\(reason); the recording goes on, connecting again")
    case .failedAgain(let reason):
      // Once for each reason, not at each attempt.
      if reason != complaint { log.note("\(reason); trying again") }
      complaint = reason
    }
  }

  private func report(to mailbox: RendezvousMailbox, _ reading: ClockReading) {
    let now = reading.monotonic
    var agreement = RendezvousAgreement(start: lobby.start(at: now), end: lobby.end(at: now))
    if let announcement = lobby.announcement, let start = announcement.start {
      agreement.session = (announcement.session, start)
      agreement.duration = announcement.end.map { $0 &- start }
    }
    guard let session = lobby.me.session, let estimate = lobby.clock.estimate(at: now) else {
      return mailbox.update(agreement)
    }
    agreement.otherParts = lobby.others.values.filter { $0.session == session }.flatMap(\.parts)
    let time = now &+ estimate.offset
    mailbox.update(
      agreement,
      offset: SessionOffset(
        part: 0, time: time, offset: time &- reading.time, uncertainty: estimate.uncertainty))
  }
}

/// A connection over which the members of a lobby exchange messages.
protocol RendezvousChannel: ~Copyable {
  /// Does the next step, for a number of milliseconds at most.
  mutating func step(within milliseconds: Int32) throws(RSSIError) -> BrokerChannel.Event

  /// Returns the messages that arrived since the last call.
  mutating func takeMessages() -> [BrokerChannel.Message]

  /// Publishes a message; it is lost without a connection.
  ///
  /// - Parameters:
  ///   - isRetained: true if later subscribers get it; an empty message removes the retained one.
  ///   - isUrgent: true if it is worthless once it is late.
  /// - Returns: true if it was accepted.
  @discardableResult
  mutating func publish(
    _ payload: [UInt8], to topic: String, isRetained: Bool, isUrgent: Bool
  ) -> Bool

  mutating func close()
}

extension BrokerChannel: RendezvousChannel {}

/// A log of the members that join, become ready and leave, and of the leader.
private struct MembershipLog {
  private let lobby: String
  private let log: any ActivityLog
  private var known: [String: Member.State] = [:]
  /// The leader in the latest note, "" for none; nil before the first note.
  private var leader: String?

  init(lobby: String, _ log: any ActivityLog) { (self.lobby, self.log) = (lobby, log) }

  mutating func note(_ view: Rendezvous, at now: Int64) {
    guard view.isInside else { return }
    for member in view.others.values.sorted(by: { $0.name < $1.name })
    where known[member.name] != member.state {
      // Members that left before this one joined are not news.
      if known[member.name] != nil || member.state.isPresent {
        log.note("\(member.name): \(member.state.rawValue)")
      }
      known[member.name] = member.state
    }
    let name = view.hasLeader(at: now) ? view.leader?.name ?? view.me.name : ""
    guard name != leader else { return }
    defer { leader = name }
    if view.isLeading {
      log.note("this member leads")
    } else if !name.isEmpty {
      log.note("\(name) leads")
    } else if view.me.state == .recording {
      // At the common end the leader may leave a little earlier.
      guard now < (view.end(at: now) ?? .max) - Timestamp.second else { return }
      log.note(
        "\(leader.map { "\($0) is gone" } ?? "the leader is gone"): this member keeps recording until "
          + "the session's end, Ctrl-C or `rssi session stop \(lobby)`")
    } else if view.isRunning {
      log.note("the session runs without its leader: this member takes part")
    } else {
      log.note(
        "waiting for a leader: start the session with `rssi session start \(lobby)` on one machine; "
          + "Ctrl-C ends the wait")
    }
  }
}

/// A member's conversation with its lobby, on a separate thread: the comparison of clocks needs
/// immediate answers, and the loop of a radio must not wait for messages.
final class RendezvousConversation: Sendable {
  let mailbox: RendezvousMailbox
  private let done = DispatchSemaphore(value: 0)
  private let log: any ActivityLog
  private let clock: MachineClock

  /// The maximum time that the thread waits for the broker, in milliseconds.
  private static let wait: Int32 = 20

  /// - Throws: `RSSIError` of kind `usage` or `permission`, before anything is connected.
  init(
    _ me: Member, _ request: RendezvousRequest, terms: SessionTerms?, log: any ActivityLog,
    clock: MachineClock
  ) throws {
    (self.log, self.clock) = (log, clock)
    mailbox = RendezvousMailbox(me, lobby: request.lobby)
    let machine = Rendezvous(me, terms.map { .starts($0) } ?? .joins)
    let channel = try request.channel(
      mailbox.topics.topics(for: me.name), will: mailbox.topics.will(machine.will))
    let carrier = Carrier(channel)
    try detachThread {
      self.run(machine, carrier)
      self.done.signal()
    }
  }

  /// A carrier that hands a channel, which cannot be copied, to the thread.
  private final class Carrier: @unchecked Sendable {
    private var channel: BrokerChannel?
    init(_ channel: consuming BrokerChannel) { self.channel = consume channel }
    func take() -> BrokerChannel? { channel.take() }
  }

  /// Leaves the lobby, and waits until the other members know.
  ///
  /// - Parameter stopsAll: true to end the session for all members.
  func leave(stoppingAll stopsAll: Bool = false) {
    mailbox.leave(stoppingAll: stopsAll)
    _ = done.wait(timeout: .now() + 5)
    done.signal()
  }

  private func run(_ machine: Rendezvous, _ carrier: Carrier) {
    guard var channel = carrier.take() else { return }
    var driver = RendezvousDriver(machine, mailbox.topics, log: log)
    do {
      while try driver.step(over: &channel, mailbox, within: Self.wait, clock) {}
    } catch {
      mailbox.fail(RSSIError(error))
    }
    try? driver.publish(over: &channel)
    channel.close()
  }
}
