package import LivePipelines
import Sightings
package import Support

/// Which members are in a lobby, and the announced session.
package struct LobbyReport {
  private let view: RendezvousView

  package init(_ view: RendezvousView) { self.view = view }

  package var json: JSONValue {
    .object([
      "lobby": .string(view.lobby),
      "session": view.announcement.map(json) ?? .null,
      "members": .array(view.members.map(json)),
    ])
  }

  private func json(_ announcement: Announcement) -> JSONValue {
    .object([
      "id": .string(announcement.session.description),
      "start": .string(Timestamp.iso8601(announcement.start)),
      "end": announcement.end.map { .string(Timestamp.iso8601($0)) } ?? .null,
    ])
  }

  private func json(_ member: Member) -> JSONValue {
    .object([
      "name": .string(member.name), "state": .string(member.state.rawValue),
      "synchronised": .boolean(member.isSynchronised),
      "session": member.session.map { .string($0.description) } ?? .null,
      "parts": .array(member.parts.map { .string($0.file) }),
    ])
  }

  package var text: String {
    guard !view.members.isEmpty else { return "no member is in \(view.lobby)\n" }
    let width = view.members.map(\.name.printable.count).max() ?? 0
    var text = ""
    for member in view.members {
      let name = member.name.printable
      text += name + String(repeating: " ", count: width - name.count)
      text += "  \(member.state.rawValue)\n"
    }
    if let announcement = view.announcement {
      text += "session \(announcement.session), start \(Timestamp.iso8601(announcement.start))\n"
    }
    return text
  }
}
