import Capture
import Glibc
import Sessions
import Sightings

/// A look into a lobby by somebody who takes no part.
struct LobbyVisit: ~Copyable {
  let topics: LobbyTopics
  private(set) var members: [String: Member] = [:]
  private(set) var announcement: Announcement?
  private var channel: BrokerChannel

  /// How long what the broker keeps may take after the connection.
  private static let patience: Int64 = 700_000_000

  init(_ lobby: String, at broker: BrokerOptions) throws {
    try requireLobbyName(lobby, "lobby")
    let topics = LobbyTopics(lobby: lobby)
    let channel = try broker.channel(topics.visible)
    self.topics = topics
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

  mutating func close() { channel.close() }

  private mutating func readMessages() {
    for message in channel.takeMessages() {
      switch topics.message(message) {
      case .presence(let member)?:
        // No lobby has as many; a hostile one shall not fill the memory.
        if members.count < 1024 || members[member.name] != nil { members[member.name] = member }
      case .absence(let name)?: members[name] = nil
      case .announcement(let new)?: announcement = new
      case .withdrawal?: announcement = nil
      default: break
      }
    }
  }
}
