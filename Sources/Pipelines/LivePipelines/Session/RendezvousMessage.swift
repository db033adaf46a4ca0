import Sightings

/// A message between members of a lobby.
package enum RendezvousMessage: Equatable, Sendable {
  /// The state of a member; retained by the broker.
  case presence(Member)
  /// The removal of a retained presence.
  case absence(String)
  /// The session of the lobby; retained by the broker.
  case announcement(Announcement)
  /// The removal of the retained announcement.
  case withdrawal
  case question(ClockQuestion, to: String)
  case answer(ClockAnswer, to: String)
  /// A message to oneself: all retained messages of the broker arrive before it.
  case marker(Token, to: String)
}

/// The state of a receiver in a lobby, as the others see it.
public struct Member: Codable, Equatable, Sendable {
  /// The state of a member, from its arrival to its departure.
  public enum State: String, CaseIterable, Codable, Sendable {
    /// Its radio or its clock is not ready, or no session is announced.
    case joining
    /// It waits for the start.
    case ready
    /// It records.
    case recording
    /// It ended, with a goodbye.
    case left
    /// Its connection ended without a goodbye.
    case lost

    /// A Boolean value that is true if the member is present.
    public var isPresent: Bool { self != .left && self != .lost }
  }

  /// The name of the member, which is that of its receiver.
  public var name: String
  /// A key that is the same each time that the member joins, so that no other member takes its name
  /// meanwhile.
  public var key: Token
  /// A mark that is different each time that the member joins.
  public var incarnation: Token
  /// The state of the member.
  public var state = State.joining
  /// The session whose time it knows.
  public var session: Token?
  /// The names of the files that it recorded in the session, without their folders.
  public var parts: [String] = []

  /// Creates a member that is joining.
  public init(name: String, key: Token, incarnation: Token) {
    (self.name, self.key, self.incarnation) = (name, key, incarnation)
  }

  /// A Boolean value that is true if the values are ones that a member publishes.
  var isSound: Bool {
    isSessionName(name) && parts.count <= 64
      && parts.allSatisfy { part in
        (1...255).contains(part.utf8.count)
          && !part.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "/") || $0 == 0x7F }
      }
  }
}

/// The session that a leader announces.
public struct Announcement: Codable, Equatable, Sendable {
  /// The identity of the session.
  public var session: Token
  /// The number of the session in its lobby: one more than that of the session before.
  public var number: UInt32
  /// The name of the leader.
  public var leader: String
  /// The instant at which the leader opened the session; this and the next two are in nanoseconds
  /// since the Unix epoch of the session's time.
  public var opened: Int64
  /// The start; nil as long as the leader waits for members.
  public var start: Int64?
  /// The end; nil if the session goes on until it is stopped.
  public var end: Int64?
  /// The largest number of members.
  public var limit: Int

  private enum CodingKeys: String, CodingKey {
    case session, number, leader, limit
    case opened = "opened_ns"
    case start = "start_ns"
    case end = "end_ns"
  }

  /// Creates the announcement of a session that waits for members.
  public init(session: Token, number: UInt32, leader: String, opened: Int64, limit: Int) {
    (self.session, self.number, self.leader) = (session, number, leader)
    (self.opened, self.limit) = (opened, limit)
  }

  /// A Boolean value that is true if the values are ones that a leader announces.
  var isSound: Bool {
    // Years that a trace can count in, with room for what is added.
    let years = -4_000_000_000_000_000_000...4_000_000_000_000_000_000 as ClosedRange<Int64>
    return isSessionName(leader) && (1...256).contains(limit) && years.contains(opened)
      && years.contains(start ?? 0) && years.contains(end ?? 0)
  }

  /// Returns true if this session takes precedence, of two that are announced in one lobby.
  func outranks(_ other: Announcement) -> Bool {
    (number, session) > (other.number, other.session)
  }

  /// Combines two announcements of one session: the earlier instants count, in whatever order they
  /// arrive.
  func merged(with other: Announcement) -> Announcement {
    var merged = self
    merged.start = [start, other.start].compactMap(\.self).min()
    merged.end = [end, other.end].compactMap(\.self).min()
    return merged
  }
}

/// A question for the session's time.
package struct ClockQuestion: Codable, Equatable, Sendable {
  package var number: UInt32
  /// The name to which the answer goes.
  package var name: String
  package var incarnation: Token
  package var session: Token

  package init(number: UInt32, name: String, incarnation: Token, session: Token) {
    (self.number, self.name) = (number, name)
    (self.incarnation, self.session) = (incarnation, session)
  }
}

/// The session's times at which a question arrived and its answer left.
package struct ClockAnswer: Codable, Equatable, Sendable {
  package var asker: Token
  package var number: UInt32
  package var answerer: Token
  /// The times; nil if the answering member does not know the time of that session.
  package var times: Times?

  /// The times, in nanoseconds of the session's time.
  package struct Times: Codable, Equatable, Sendable {
    package var arrived: Int64
    package var answered: Int64
    package var uncertainty: Int64

    private enum CodingKeys: String, CodingKey {
      case arrived = "arrived_ns"
      case answered = "answered_ns"
      case uncertainty = "uncertainty_ns"
    }

    package init(arrived: Int64, answered: Int64, uncertainty: Int64) {
      (self.arrived, self.answered, self.uncertainty) = (arrived, answered, uncertainty)
    }
  }

  package init(to question: ClockQuestion, from answerer: Token, times: Times?) {
    (asker, number) = (question.incarnation, question.number)
    (self.answerer, self.times) = (answerer, times)
  }
}

/// The reason why a member may not take part.
package enum RendezvousRefusal: Equatable, Sendable {
  /// A member of this name is present.
  case nameTaken(String)
  /// A member of this name took part, was lost and may rejoin.
  case nameKept(String)
  case full(limit: Int)
  /// Another member leads since an instant, in nanoseconds since the Unix epoch.
  case led(by: String, since: Int64)
  /// Members record a session that lost its leader.
  case running([String], since: Int64)

  /// Returns the reason, and a remedy.
  func words(in lobby: String) -> String {
    switch self {
    case .nameTaken(let name):
      "a member named \(name) is already there: choose another `name`, or end the other member"
    case .nameKept(let name):
      "\(name) was lost from the running session and may rejoin: choose another `name`; to rejoin "
        + "as \(name), write to the output of its part, in the same folder"
    case .full(let limit):
      "it has its \(limit) members: wait until one leaves, or start with a larger `maxMembers`"
    case .led(let leader, let since):
      "\(leader) leads a session there since \(Timestamp.iso8601(since)): take part with `rssi "
        + "session join \(lobby)`, or end it with `rssi session stop \(lobby)`"
    case .running(let names, let since):
      "\(names.joined(separator: ", ")) still record the session of \(Timestamp.iso8601(since)), "
        + "whose leader is gone: take part with `rssi session join \(lobby)`, or end it with `rssi "
        + "session stop \(lobby)`"
    }
  }
}
