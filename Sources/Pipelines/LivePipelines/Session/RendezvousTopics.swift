import Capture
import Support

/// The topics of a lobby at a broker, and the form of its messages: JSON, checked before any use.
///
/// The broker retains `rssi/session/LOBBY/members/NAME` and `…/announcement`; one member reads
/// `…/to/NAME`.
struct RendezvousTopics {
  let lobby: String

  private var root: String { "rssi/session/\(lobby)" }
  private var announcement: String { root + "/announcement" }
  private func presence(of name: String) -> String { root + "/members/\(name)" }
  private func mail(to name: String) -> String { root + "/to/\(name)" }

  /// Returns the topics to which a member or a visitor of a name subscribes.
  func topics(for name: String) -> [String] { [presence(of: "+"), announcement, mail(to: name)] }

  /// The maximum length in bytes; longer messages are not of a lobby.
  private static let longestMessage = 32_768

  /// A message to one member.
  private struct Mail: Codable {
    var question: ClockQuestion?
    var answer: ClockAnswer?
    var marker: Token?
  }

  /// Reads a message; returns nil for one that no member wrote.
  func message(_ received: BrokerChannel.Message) -> RendezvousMessage? {
    let payload = received.payload
    guard payload.count <= Self.longestMessage, received.topic.hasPrefix(root + "/") else {
      return nil
    }
    let place = received.topic.dropFirst(root.utf8.count + 1).split(
      separator: "/", omittingEmptySubsequences: false)
    switch (place.first, place.count) {
    case ("members", 2):
      let name = String(place[1])
      guard !payload.isEmpty else { return isSessionName(name) ? .absence(name) : nil }
      guard let member = try? Member(json: payload), member.name == name, member.isSound else {
        return nil
      }
      return .presence(member)
    case ("announcement", 1):
      guard !payload.isEmpty else { return .withdrawal }
      guard let new = try? Announcement(json: payload), new.isSound else { return nil }
      return .announcement(new)
    case ("to", 2):
      let name = String(place[1])
      guard let mail = try? Mail(json: payload) else { return nil }
      if let question = mail.question {
        return isSessionName(question.name) ? .question(question, to: name) : nil
      }
      return mail.answer.map { .answer($0, to: name) } ?? mail.marker.map { .marker($0, to: name) }
    default: return nil
    }
  }

  /// Writes a message into its topic.
  func publish<Channel: RendezvousChannel & ~Copyable>(
    _ message: RendezvousMessage, on channel: inout Channel
  ) throws {
    func retain(_ payload: [UInt8], at topic: String) {
      channel.publish(payload, to: topic, isRetained: true, isUrgent: false)
    }
    func send(_ mail: Mail, to name: String, isUrgent: Bool) throws {
      channel.publish(
        try jsonLine(mail), to: self.mail(to: name), isRetained: false, isUrgent: isUrgent)
    }
    switch message {
    case .presence(let member): retain(try jsonLine(member), at: presence(of: member.name))
    case .absence(let name): retain([], at: presence(of: name))
    case .announcement(let new): retain(try jsonLine(new), at: announcement)
    case .withdrawal: retain([], at: announcement)
    // A late message would be worthless.
    case .question(let question, let name):
      try send(Mail(question: question), to: name, isUrgent: true)
    case .answer(let answer, let name): try send(Mail(answer: answer), to: name, isUrgent: true)
    case .marker(let token, let name): try send(Mail(marker: token), to: name, isUrgent: false)
    }
  }

  /// Returns the message that the broker publishes if a member disappears without a goodbye.
  func will(_ member: Member) throws -> (topic: String, payload: [UInt8]) {
    (presence(of: member.name), try jsonLine(member))
  }
}

/// Returns true if a text can name a lobby or a member: 1 to 64 of A-Z, a-z, 0-9, `.`, `_` and `-`.
///
/// Names are levels of MQTT topics and parts of file names, so they must not contain special
/// characters of either.
package func isSessionName(_ text: String) -> Bool {
  let bytes = text.utf8
  return (1...64).contains(bytes.count) && text != "." && text != ".."
    && bytes.allSatisfy { byte in
      (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        || [45, 46, 95].contains(byte)
    }
}

/// Refuses a text that cannot name a lobby or a member.
func requireSessionName(_ text: String, _ kind: String) throws(RSSIError) {
  guard isSessionName(text) else {
    throw RSSIError(
      .usage,
      "\"\(text)\" is not a valid name of a \(kind): use 1 to 64 letters, digits, dots, dashes or "
        + "underscores"
    )
  }
}
