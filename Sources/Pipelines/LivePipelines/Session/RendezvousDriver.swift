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
  private var connection: RendezvousConnection
  /// Why connecting failed last.
  private var complaint = ""

  init(_ lobby: Rendezvous, _ topics: RendezvousTopics, log: any ActivityLog, at now: Int64) {
    (self.lobby, self.topics, self.log) = (lobby, topics, log)
    roll = MembershipLog(log)
    connection = RendezvousConnection(at: now)
  }

  /// Does one round: receives, does what is ordered and due, and publishes.
  ///
  /// - Parameter wait: milliseconds that the channel may wait.
  /// - Returns: false when the member has left.
  /// - Throws: `RSSIError` if the first connection fails or the lobby refuses the member.
  mutating func step<Channel: RendezvousChannel & ~Copyable>(
    over channel: inout Channel, _ mailbox: RendezvousMailbox, within wait: Int32,
    _ clock: MachineClock
  ) throws -> Bool {
    note(try channel.step(within: wait), at: clock.monotonic())
    let messages = channel.takeMessages()
    for message in messages {
      if let known = topics.message(message) {
        lobby.receive(known, at: clock.monotonic())
        // An answer leaves before anything else happens.
        try publish(over: &channel)
      }
    }
    let orders = mailbox.exchange(messages.filter { mailbox.isLetter($0) })
    let hasStoppedAll = follow(orders)
    let reading = clock.reading
    lobby.tick(at: reading.monotonic, wallClock: reading.time)
    try publish(over: &channel)
    for (payload, topic) in orders.outgoing { channel.publish(payload, to: topic) }
    var report = report(reading)
    report.hasStoppedAll = hasStoppedAll
    mailbox.update(report)
    if orders.leaves, lobby.me.state != .left, !lobby.isGone { lobby.leave(at: reading.monotonic) }
    roll.note(lobby)
    if let refusal = lobby.refusal {
      throw RSSIError(.failed, "\(lobby.me.name) cannot join \(topics.lobby): \(refusal)")
    }
    return !lobby.isGone
  }

  /// Publishes what the machine has to send.
  mutating func publish<Channel: RendezvousChannel & ~Copyable>(over channel: inout Channel) throws
  {
    for message in lobby.takeMessages() { try topics.publish(message, on: &channel) }
  }

  private mutating func note(_ event: BrokerChannel.Event, at now: Int64) {
    switch event {
    case .nothing: break
    case .connected:
      lobby.connected(at: now)
      connection.made(at: now)
      complaint = ""
    case .lost(let reason):
      lobby.disconnected()
      connection.lost(at: now)
      log.note("\(reason); the recording goes on, connecting again")
    case .failedAgain(let reason):
      // Once for each reason, not at each attempt.
      if reason != complaint { log.note("\(reason); trying on") }
      complaint = reason
    }
  }

  /// - Returns: whether the session was asked to end for all.
  private mutating func follow(_ orders: RendezvousMailbox.Orders) -> Bool {
    if orders.isSourceReady { lobby.sourceIsReady() }
    if orders.hasBegun, lobby.me.state == .ready { lobby.began() }
    if let parts = orders.parts, lobby.me.state == .recording { lobby.ended(with: parts) }
    return orders.stopsAll && lobby.askForStop()
  }

  private mutating func report(_ reading: ClockReading) -> RendezvousMailbox.Report {
    let now = reading.monotonic
    connection.note(lost: lobby.others.filter { $0.value.state == .lost }.map(\.key), at: now)
    let agreement = RendezvousAgreement(
      announcement: lobby.announcement, start: lobby.start(at: now), end: lobby.end(at: now),
      others: lobby.others.values.sorted { $0.name < $1.name }, connection: connection)
    var report = RendezvousMailbox.Report(agreement: agreement)
    if lobby.me.session != nil, let estimate = lobby.reading(at: now) {
      let time = now &+ estimate.offset
      report.offset = SessionOffset(
        part: 0, time: time, offset: time &- reading.time, uncertainty: estimate.uncertainty)
    }
    return report
  }
}

/// A connection over which the members of a lobby exchange messages.
protocol RendezvousChannel: ~Copyable {
  /// Does what is next, for a number of milliseconds at most.
  mutating func step(within milliseconds: Int32) throws(RSSIError) -> BrokerChannel.Event

  /// The messages that arrived since the last call.
  mutating func takeMessages() -> [BrokerChannel.Message]

  /// Publishes a message; it is lost without a connection.
  ///
  /// - Parameters:
  ///   - isRetained: whether later subscribers get it; an empty message removes the retained one.
  ///   - isUrgent: whether it is worthless once it is late.
  /// - Returns: whether it was accepted.
  @discardableResult
  mutating func publish(
    _ payload: [UInt8], to topic: String, isRetained: Bool, isUrgent: Bool
  ) -> Bool

  mutating func close()
}

extension RendezvousChannel where Self: ~Copyable {
  @discardableResult
  mutating func publish(_ payload: [UInt8], to topic: String) -> Bool {
    publish(payload, to: topic, isRetained: false, isUrgent: false)
  }
}

extension BrokerChannel: RendezvousChannel {}

/// Notes which members come, are ready and go.
struct MembershipLog {
  private let log: any ActivityLog
  private var known: [String: Member.State] = [:]
  private var leader: String?

  init(_ log: any ActivityLog) { self.log = log }

  mutating func note(_ lobby: Rendezvous) {
    guard lobby.isInside else { return }
    for member in lobby.others.values.sorted(by: { $0.name < $1.name })
    where known[member.name] != member.state {
      // Members that were gone before this one came are not news.
      if known[member.name] != nil || member.state.isPresent {
        let isSilent = member.state == .lost && lobby.silent.contains(member.incarnation)
        log.note(
          "\(member.name): "
            + "\(isSilent ? "does not answer, and counts as lost" : words(member.state))"
        )
      }
      known[member.name] = member.state
    }
    if let name = lobby.leader?.name, lobby.leader?.isSynchronised == true, name != leader {
      log.note(name == lobby.me.name ? "this member leads" : "\(name) leads")
      leader = name
    }
  }

  private func words(_ state: Member.State) -> String {
    switch state {
    case .joining: "has come"
    case .ready: "ready"
    case .recording: "records"
    case .handing: "has recorded"
    case .left: "left"
    case .lost: "lost"
    }
  }
}

/// A member's conversation with its lobby, on a separate thread: clocks are compared well only if
/// answers leave at once, and a radio's loop does not wait for messages.
final class RendezvousConversation: Sendable {
  let mailbox: RendezvousMailbox
  private let done = DispatchSemaphore(value: 0)
  private let log: any ActivityLog
  private let clock: MachineClock

  /// Milliseconds that the thread waits for the broker at most.
  private static let wait: Int32 = 20

  /// - Throws: `RSSIError` of kind `usage` or `permission`, before anything is connected.
  init(
    _ me: Member, _ request: RendezvousRequest, duration: Int64?, log: any ActivityLog,
    clock: MachineClock
  ) throws {
    (self.log, self.clock) = (log, clock)
    mailbox = RendezvousMailbox(me, lobby: request.lobby, at: clock.monotonic())
    let machine = Rendezvous(me, duration: duration)
    let channel = try request.channel(
      mailbox.topics.topics(for: me.name), will: mailbox.topics.will(machine.will))
    let carrier = Carrier(channel)
    detachThread {
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

  /// Leaves the lobby, and waits until the others know.
  func leave() {
    mailbox.leave()
    _ = done.wait(timeout: .now() + 5)
    done.signal()
  }

  private func run(_ machine: Rendezvous, _ carrier: Carrier) {
    guard var channel = carrier.take() else { return }
    var driver = RendezvousDriver(machine, mailbox.topics, log: log, at: clock.monotonic())
    do {
      while try driver.step(over: &channel, mailbox, within: Self.wait, clock) {}
    } catch {
      mailbox.fail(error as? RSSIError ?? RSSIError(.failed, "\(error)"))
    }
    try? driver.publish(over: &channel)
    channel.close()
  }
}
