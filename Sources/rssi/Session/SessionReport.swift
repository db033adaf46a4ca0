import LivePipelines
import Reporting
import Sightings
import Support

/// What a member tells when its session is over.
struct SessionReport {
  private let conversation: LobbyConversation
  private let beginning: SessionBeginning
  private let capture: RecordReport
  private let gathering: Gathering

  init(
    _ conversation: LobbyConversation, _ beginning: SessionBeginning, _ capture: RecordReport,
    _ gathering: Gathering
  ) {
    self.conversation = conversation
    self.beginning = beginning
    self.capture = capture
    self.gathering = gathering
  }

  private var session: Announcement { beginning.announcement }

  func json() throws -> JSONValue {
    guard case .object(var members) = capture.json else { return .null }
    members["session"] = .object([
      "lobby": .string(conversation.topics.lobby), "id": .string(session.session.description),
      "member": .string(conversation.me.name), "part": .string(beginning.path),
      "start": .string(Timestamp.iso8601(session.start)),
      "began_time_s": .number(Double(beginning.begun.time) / 1e9),
      "began_late_s": .number(Double(beginning.lateness) / 1e9),
    ])
    members["merged"] = gathering.merged?.json ?? .null
    members["missing"] = .array(gathering.missing.map(\.json))
    return .object(members)
  }

  func text() throws -> String {
    var text = capture.text
    text +=
      "session       \(session.session) in \(conversation.topics.lobby), as "
      + "\(conversation.me.name)\n"
    text += "started       \(Timestamp.iso8601(session.start)), this member "
    text += "\(decimal(Double(beginning.lateness) / 1e6, 1)) ms later\n"
    text += gathering.merged?.text ?? ""
    for part in gathering.missing { text += "missing       \(part.text)\n" }
    return text
  }
}
