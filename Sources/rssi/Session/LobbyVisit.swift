import Capture
import Glibc
import LivePipelines
import Sightings
import Support

/// A look into a lobby by somebody who takes no part.
struct LobbyVisit: ~Copyable {
  let topics: LobbyTopics
  private(set) var members: [String: Member] = [:]
  private(set) var announcement: Announcement?
  private var channel: BrokerChannel
  /// As whom questions are asked.
  private let name: String
  private let incarnation: Token
  /// Who answered.
  private var alive: Set<Token> = []

  /// How long what the broker keeps may take after the connection.
  private static let patience: Int64 = 700_000_000

  init(_ lobby: String, at broker: BrokerOptions) throws {
    try requireLobbyName(lobby, "lobby")
    let topics = LobbyTopics(lobby: lobby)
    let incarnation = Token.random()
    let name = "visitor-\(incarnation.description.prefix(16))"
    let channel = try broker.channel(topics.visible + [topics.mail(to: name)])
    self.topics = topics
    (self.name, self.incarnation) = (name, incarnation)
    self.channel = channel
  }

  /// Reads what the broker keeps of the lobby.
  mutating func look() throws {
    var connected: Int64?
    while connected.map({ SystemClock.monotonic - $0 < Self.patience }) ?? true {
      if case .connected = try channel.step(within: 50) { connected = SystemClock.monotonic }
      readMessages()
    }
  }

  mutating func publish(_ message: LobbyMessage) throws {
    try topics.publish(message, on: &channel)
  }

  /// Goes on reading until something holds; false where it does not in so many seconds.
  mutating func wait(
    _ seconds: Int64, until condition: (Announcement?) -> Bool
  ) throws -> Bool {
    let deadline = SystemClock.monotonic + seconds * Timestamp.second
    while SystemClock.monotonic < deadline {
      _ = try channel.step(within: 50)
      readMessages()
      if condition(announcement) { return true }
    }
    return false
  }

  /// Takes those for lost who do not answer for so many seconds, and says so to everybody; a live
  /// one contradicts.
  ///
  /// - Returns: who does not.
  mutating func removeSilent(after seconds: Int64) throws -> [Member] {
    let deadline = SystemClock.monotonic + seconds * Timestamp.second
    var (next, number) = (Int64.min, UInt32(0))
    var unanswered = unansweredMembers
    while !unanswered.isEmpty, SystemClock.monotonic < deadline {
      if SystemClock.monotonic >= next {
        next = SystemClock.monotonic + Timestamp.second / 2
        for member in unanswered {
          let question = ClockQuestion(number: number, name: name, incarnation: incarnation)
          try publish(.question(question, to: member.name))
          number += 1
        }
      }
      _ = try channel.step(within: 50)
      readMessages()
      unanswered = unansweredMembers
    }
    for var member in unanswered {
      member.state = .lost
      members[member.name] = member
      try publish(.presence(member))
    }
    return unanswered
  }

  private var unansweredMembers: [Member] {
    members.values.filter { $0.state.isPresent && !alive.contains($0.incarnation) }
      .sorted { $0.name < $1.name }
  }

  mutating func close() { channel.close() }

  private mutating func readMessages() {
    for message in channel.takeMessages() {
      switch topics.message(message) {
      case .presence(let member)?:
        // No lobby has as many; a hostile one shall not fill the memory.
        if members.count < 1024 || members[member.name] != nil { members[member.name] = member }
      case .absence(let name)?: members[name] = nil
      case .announcement(let new)?: announcement = new
      case .answer(let answer, _)?:
        if answer.asker == incarnation, alive.count < 1024 { alive.insert(answer.answerer) }
      case .withdrawal?: announcement = nil
      default: break
      }
    }
  }
}
