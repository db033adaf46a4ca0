import Capture
import Sightings
import Support
public import TracePipelines

/// The members of a lobby and the announced session, as the broker keeps them.
public struct RendezvousView: Sendable {
  /// The name of the lobby.
  public var lobby: String
  /// The members, in the order of their names.
  public var members: [Member]
  /// The announced session; nil if there is none.
  public var announcement: Announcement?
}

/// Looks into a lobby without joining it.
public struct SessionViewStage: Stage {
  private let request: RendezvousRequest

  public init(_ request: RendezvousRequest) { self.request = request }

  public func perform(in context: StageContext) throws -> RendezvousView {
    var visit = try RendezvousVisit(request, .looks)
    defer { visit.close() }
    return try visit.look()
  }
}

/// Stops the running session of a lobby for all members at one instant.
public struct SessionStopStage: Stage {
  private let request: RendezvousRequest

  public init(_ request: RendezvousRequest) { self.request = request }

  /// - Returns: the session.
  /// - Throws: `RSSIError` if no session is running, or the broker does not answer.
  public func perform(in context: StageContext) throws -> Token {
    var visit = try RendezvousVisit(request, .asks)
    defer { visit.close() }
    return try visit.stopSession(context.log)
  }
}

/// A look into a lobby by a program that takes no part.
struct RendezvousVisit<Channel: RendezvousChannel & ~Copyable>: ~Copyable {
  private let topics: RendezvousTopics
  private let clock: MachineClock
  private(set) var channel: Channel
  private var lobby: Rendezvous

  /// - Parameter connect: makes a channel that subscribes to topics.
  init(
    _ lobby: String, _ role: Rendezvous.Role, clock: MachineClock = .system,
    connect: ([String]) throws -> Channel
  ) throws {
    try requireSessionName(lobby, "lobby")
    let token = Token.random()
    let me = Member(name: "visitor-\(token)", key: token, incarnation: token)
    let topics = RendezvousTopics(lobby: lobby)
    channel = try connect(topics.topics(for: me.name))
    (self.topics, self.clock, self.lobby) = (topics, clock, Rendezvous(me, role))
  }

  /// Reads the retained messages of the lobby, and waits for the requested answers.
  mutating func look() throws -> RendezvousView {
    while !lobby.isVisiting { try step() }
    return RendezvousView(
      lobby: topics.lobby, members: lobby.others.values.sorted { $0.name < $1.name },
      announcement: lobby.announcement)
  }

  /// Announces the end of the session to all members, also those that reach the broker later.
  mutating func stopSession(_ log: any ActivityLog) throws -> Token {
    let view = try look()
    for member in view.members where lobby.doubtful.contains(member.incarnation) {
      log.warn("\(member.name) does not answer and counts as lost")
    }
    guard let session = view.announcement?.session,
      lobby.present.contains(where: { $0.session == session }),
      lobby.stopAll(at: clock.monotonic())
    else {
      throw RSSIError(.failed, "no session is running in \(topics.lobby): see `rssi session who`")
    }
    for message in lobby.takeMessages() { try topics.publish(message, on: &channel) }
    let deadline = clock.monotonic() + 10 * Timestamp.second
    while !lobby.isAnnounced {
      guard clock.monotonic() < deadline else {
        throw RSSIError(
          .failed, "the broker did not take the end of the session: try again, or end each member")
      }
      try step()
    }
    return session
  }

  mutating func close() { channel.close() }

  /// Receives the next messages, and sends those that are due.
  private mutating func step() throws {
    switch try channel.step(within: 50) {
    case .connected: lobby.connected(at: clock.monotonic())
    case .lost: lobby.disconnected()
    case .nothing, .failedAgain: break
    }
    for message in channel.takeMessages() {
      if let known = topics.message(message) { lobby.receive(known, at: clock.monotonic()) }
    }
    let reading = clock.reading
    lobby.tick(at: reading.monotonic, wallClock: reading.time)
    for message in lobby.takeMessages() { try topics.publish(message, on: &channel) }
  }
}

extension RendezvousVisit<BrokerChannel> {
  init(_ request: RendezvousRequest, _ role: Rendezvous.Role) throws {
    try self.init(request.lobby, role) { try request.channel($0) }
  }
}
