import Capture
import Sightings
import Support
package import TracePipelines

/// The members of a lobby and the announced session, as the broker keeps them.
package struct RendezvousView {
  package var lobby: String
  /// In the order in which they came.
  package var members: [Member]
  package var announcement: Announcement?
}

/// Looks into a lobby without joining it.
package struct SessionViewStage: Stage {
  private let request: RendezvousRequest

  package init(_ request: RendezvousRequest) { self.request = request }

  package func run(in context: StageContext) throws -> RendezvousView {
    var visit = try RendezvousVisit(request)
    try visit.look()
    visit.close()
    return visit.view
  }
}

/// Stops the running session of a lobby for all members at one instant.
package struct SessionStopStage: Stage {
  private let request: RendezvousRequest

  package init(_ request: RendezvousRequest) { self.request = request }

  /// - Returns: the session.
  /// - Throws: `RSSIError` if no session is running, or no leader answers.
  package func run(in context: StageContext) throws -> Token {
    var visit = try RendezvousVisit(request)
    return try visit.stopSession(context.log)
  }
}

/// A look into a lobby by a program that takes no part.
struct RendezvousVisit<Channel: RendezvousChannel & ~Copyable>: ~Copyable {
  private let topics: RendezvousTopics
  private let clock: MachineClock
  private(set) var channel: Channel
  private var members: [String: Member] = [:]
  private var announcement: Announcement?
  /// As whom it asks questions.
  private let name: String
  private let incarnation: Token
  /// The members that answered.
  private var alive: Set<Token> = []

  /// Nanoseconds that retained messages may take after the connection.
  private static var patience: Int64 { 700_000_000 }
  /// Milliseconds that one step waits for messages.
  private static var wait: Int32 { 50 }
  /// Members and answers that are kept, so that a hostile lobby does not fill the memory.
  private static var most: Int { 1024 }

  /// - Parameter connect: makes a channel that subscribes to topics.
  init(
    _ lobby: String, clock: MachineClock = .system, connect: ([String]) throws -> Channel
  ) throws {
    try requireSessionName(lobby, "lobby")
    let topics = RendezvousTopics(lobby: lobby)
    let incarnation = Token.random()
    let name = "visitor-\(incarnation.description.prefix(16))"
    channel = try connect(topics.visible + [topics.mail(to: name)])
    (self.topics, self.clock, self.incarnation, self.name) = (topics, clock, incarnation, name)
  }

  var view: RendezvousView {
    RendezvousView(
      lobby: topics.lobby,
      members: members.values.sorted { ($0.ticket, $0.name) < ($1.ticket, $1.name) },
      announcement: announcement)
  }

  /// Reads what the broker keeps of the lobby.
  mutating func look() throws {
    var connected: Int64?
    while connected.map({ clock.monotonic() - $0 < Self.patience }) ?? true {
      if try step() { connected = clock.monotonic() }
    }
  }

  mutating func stopSession(_ log: any ActivityLog) throws -> Token {
    try look()
    let silent = try removeSilent(after: 3)
    for member in silent { log.warn("\(member.name) does not answer, and counts as lost") }
    guard let session = announcement?.session,
      members.values.contains(where: { $0.state == .recording && $0.session == session })
    else {
      // What is published leaves before the connection ends.
      if !silent.isEmpty { _ = try wait(1) { _ in false } }
      close()
      throw RSSIError(.failed, "no session is running in \(topics.lobby): see `rssi session who`")
    }
    let before = announcement?.end
    try topics.publish(.stop(session), on: &channel)
    let isAnswered = try wait(10) { now in
      // It is over, or its end is set again.
      now?.session != session || now?.end != before
    }
    close()
    guard isAnswered else {
      throw RSSIError(
        .failed,
        "no member of \(topics.lobby) answered: the leader may not reach the broker; try again, or "
          + "end each member"
      )
    }
    return session
  }

  mutating func close() { channel.close() }

  /// Receives what comes next; whether the connection was made.
  private mutating func step() throws -> Bool {
    let event = try channel.step(within: Self.wait)
    readMessages()
    if case .connected = event { return true }
    return false
  }

  /// Reads on until a condition holds; false if it does not within a number of seconds.
  private mutating func wait(
    _ seconds: Int64, until condition: (Announcement?) -> Bool
  ) throws -> Bool {
    let deadline = clock.monotonic() + seconds * Timestamp.second
    while clock.monotonic() < deadline {
      _ = try step()
      if condition(announcement) { return true }
    }
    return false
  }

  /// Publishes as lost the members that do not answer within a number of seconds; a live one
  /// contradicts.
  ///
  /// - Returns: the members that do not answer.
  private mutating func removeSilent(after seconds: Int64) throws -> [Member] {
    let deadline = clock.monotonic() + seconds * Timestamp.second
    var (next, number) = (Int64.min, UInt32(0))
    var unanswered = unansweredMembers
    while !unanswered.isEmpty, clock.monotonic() < deadline {
      if clock.monotonic() >= next {
        next = clock.monotonic() + Timestamp.second / 2
        for member in unanswered {
          let question = ClockQuestion(number: number, name: name, incarnation: incarnation)
          try topics.publish(.question(question, to: member.name), on: &channel)
          number += 1
        }
      }
      _ = try step()
      unanswered = unansweredMembers
    }
    for var member in unanswered {
      member.state = .lost
      members[member.name] = member
      try topics.publish(.presence(member), on: &channel)
    }
    return unanswered
  }

  private var unansweredMembers: [Member] {
    members.values.filter { $0.state.isPresent && !alive.contains($0.incarnation) }
      .sorted { $0.name < $1.name }
  }

  private mutating func readMessages() {
    for message in channel.takeMessages() {
      switch topics.message(message) {
      case .presence(let member)?:
        if members.count < Self.most || members[member.name] != nil {
          members[member.name] = member
        }
      case .absence(let name)?: members[name] = nil
      case .announcement(let new)?: announcement = new
      case .answer(let answer, _)?:
        if answer.asker == incarnation, alive.count < Self.most { alive.insert(answer.answerer) }
      case .withdrawal?: announcement = nil
      default: break
      }
    }
  }
}

extension RendezvousVisit<BrokerChannel> {
  init(_ request: RendezvousRequest) throws {
    try self.init(request.lobby) { try request.channel($0) }
  }
}
