import Capture
import Sightings
import Support

/// Drives a member's `Lobby` over a channel, round by round.
struct LobbyDriver {
  private(set) var lobby: Lobby
  private let topics: LobbyTopics
  private let log: any ActivityLog
  private var roll: LobbyRoll
  private var connection: LobbyConnection
  /// Why connecting failed last.
  private var complaint = ""

  init(_ lobby: Lobby, _ topics: LobbyTopics, log: any ActivityLog, at now: Int64) {
    (self.lobby, self.topics, self.log) = (lobby, topics, log)
    roll = LobbyRoll(log)
    connection = LobbyConnection(at: now)
  }

  /// Does one round: receives, does what is ordered and due, and publishes.
  ///
  /// - Parameter wait: milliseconds that the channel may wait.
  /// - Returns: false when the member has left.
  /// - Throws: `RSSIError` if the first connection fails or the lobby refuses the member.
  mutating func step<Channel: LobbyChannel & ~Copyable>(
    over channel: inout Channel, _ mailbox: LobbyMailbox, within wait: Int32,
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
  mutating func publish<Channel: LobbyChannel & ~Copyable>(over channel: inout Channel) throws {
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
  private mutating func follow(_ orders: LobbyMailbox.Orders) -> Bool {
    if orders.isSourceReady { lobby.sourceIsReady() }
    if orders.hasBegun, lobby.me.state == .ready { lobby.began() }
    if let parts = orders.parts, lobby.me.state == .recording { lobby.ended(with: parts) }
    return orders.stopsAll && lobby.askForStop()
  }

  private mutating func report(_ reading: ClockReading) -> LobbyMailbox.Report {
    let now = reading.monotonic
    connection.note(lost: lobby.others.filter { $0.value.state == .lost }.map(\.key), at: now)
    let agreement = LobbyAgreement(
      announcement: lobby.announcement, start: lobby.start(at: now), end: lobby.end(at: now),
      others: lobby.others.values.sorted { $0.name < $1.name }, connection: connection)
    var report = LobbyMailbox.Report(agreement: agreement)
    if lobby.me.session != nil, let estimate = lobby.reading(at: now) {
      let time = now &+ estimate.offset
      report.offset = SessionOffset(
        part: 0, time: time, offset: time &- reading.time, uncertainty: estimate.uncertainty)
    }
    return report
  }
}
