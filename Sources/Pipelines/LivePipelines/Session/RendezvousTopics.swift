import Capture
import Support

/// The place of a lobby among a broker's topics, and the form of its messages: JSON, checked before
/// any use.
///
/// `rssi/session/LOBBY/members/NAME` and `…/announcement` are kept by the broker; `…/to/NAME` is
/// read by one member, `…/all` by all members.
struct RendezvousTopics {
  let lobby: String

  private var root: String { "rssi/session/\(lobby)" }
  var announcement: String { root + "/announcement" }
  var allMembers: String { root + "/all" }
  func presence(of name: String) -> String { root + "/members/\(name)" }
  func mail(to name: String) -> String { root + "/to/\(name)" }
  /// Returns the topic on which a member is asked for its parts.
  func requests(to name: String) -> String { root + "/requests/\(name)" }
  /// Returns the topic on which a member gets what it asked for.
  func pieces(for name: String) -> String { root + "/pieces/\(name)" }

  /// Returns the topics that a member subscribes to.
  func topics(for name: String) -> [String] {
    [
      presence(of: "+"), announcement, allMembers, mail(to: name), requests(to: name),
      pieces(for: name),
    ]
  }

  /// The topics that a visitor subscribes to.
  var visible: [String] { [presence(of: "+"), announcement] }

  /// Bytes; longer messages are not of a lobby.
  private static let longestMessage = 32_768

  /// Reads a message; nil for one that no member wrote.
  func message(_ received: BrokerChannel.Message) -> RendezvousMessage? {
    guard received.payload.count <= Self.longestMessage, received.topic.hasPrefix(root + "/") else {
      return nil
    }
    let place = received.topic.dropFirst(root.utf8.count + 1).split(
      separator: "/", omittingEmptySubsequences: false)
    switch (place.first, place.count) {
    case ("members", 2):
      let name = String(place[1])
      guard isSessionName(name) else { return nil }
      if received.payload.isEmpty { return .absence(name) }
      return (try? MemberJSON(json: received.payload))?.member(named: name).map(
        RendezvousMessage.presence)
    case ("announcement", 1):
      if received.payload.isEmpty { return .withdrawal }
      return (try? AnnouncementJSON(json: received.payload))?.announcement.map(
        RendezvousMessage.announcement)
    case ("to", 2): return (try? MailJSON(json: received.payload))?.message(to: String(place[1]))
    case ("all", 1):
      return (try? StopJSON(json: received.payload)).flatMap { Token($0.stop) }.map(
        RendezvousMessage.stop)
    default: return nil
    }
  }

  /// Writes a message into its topic.
  func publish<Channel: RendezvousChannel & ~Copyable>(
    _ message: RendezvousMessage, on channel: inout Channel
  ) throws {
    switch message {
    case .presence(let member):
      channel.publish(
        try jsonLine(MemberJSON(member)), to: presence(of: member.name), isRetained: true,
        isUrgent: false)
    case .absence(let name):
      channel.publish([], to: presence(of: name), isRetained: true, isUrgent: false)
    case .announcement(let new):
      channel.publish(
        try jsonLine(AnnouncementJSON(new)), to: announcement, isRetained: true, isUrgent: false)
    case .withdrawal: channel.publish([], to: announcement, isRetained: true, isUrgent: false)
    case .question(_, let name), .answer(_, let name):
      // Late, it would be worthless.
      channel.publish(
        try jsonLine(MailJSON(message)), to: mail(to: name), isRetained: false, isUrgent: true)
    case .marker(_, let name): channel.publish(try jsonLine(MailJSON(message)), to: mail(to: name))
    case .stop(let session):
      channel.publish(try jsonLine(StopJSON(stop: session.description)), to: allMembers)
    }
  }

  /// Returns the message that the broker publishes when a member is gone without leaving.
  func will(_ member: Member) throws -> (topic: String, payload: [UInt8]) {
    (presence(of: member.name), try jsonLine(MemberJSON(member)))
  }
}

/// Returns true if a text can name a lobby or a member: 1 to 64 of A-Z, a-z, 0-9, `.`, `_` and `-`.
///
/// Names are levels of MQTT topics and parts of file names, so nothing that means something in
/// either may be in them.
package func isSessionName(_ text: String) -> Bool {
  let bytes = text.utf8
  return (1...64).contains(bytes.count) && text != "." && text != ".."
    && bytes.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || [45, 46, 95].contains(byte)
    }
}

/// Refuses what cannot name a lobby or a member.
func requireSessionName(_ text: String, _ what: String) throws(RSSIError) {
  guard isSessionName(text) else {
    throw RSSIError(
      .usage,
      "\"\(text)\" is not a name of a \(what): write 1 to 64 letters, digits, dots, dashes or "
        + "underscores"
    )
  }
}
