import ArgumentParser
import LivePipelines
import Screens
import Sightings
import Support

struct SessionWhoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "who", abstract: "List the members of a lobby and the announced session.")

  @Argument(help: "Name of the lobby.")
  var lobby: String

  @OptionGroup(title: "Broker") var broker: BrokerOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    var visit = try LobbyVisit(lobby, at: broker)
    try visit.look()
    visit.close()
    let members = visit.members.values.sorted { ($0.ticket, $0.name) < ($1.ticket, $1.name) }
    try reporting.report(
      json(members, visit.announcement), text: text(members, visit.announcement))
  }

  private func json(_ members: [Member], _ announcement: Announcement?) -> JSONValue {
    .object([
      "lobby": .string(lobby),
      "session": announcement.map { current in
        .object([
          "id": .string(current.session.description),
          "start": .string(Timestamp.iso8601(current.start)),
          "end": current.end.map { .string(Timestamp.iso8601($0)) } ?? .null,
        ])
      } ?? .null,
      "members": .array(
        members.map { member in
          .object([
            "name": .string(member.name), "state": .string(member.state.rawValue),
            "synchronised": .boolean(member.isSynchronised),
            "session": member.session.map { .string($0.description) } ?? .null,
            "parts": .array(member.parts.map { .string($0.file) }),
          ])
        }),
    ])
  }

  private func text(_ members: [Member], _ announcement: Announcement?) -> String {
    guard !members.isEmpty else { return "nobody is in \(lobby)\n" }
    let width = members.map(\.name.printable.count).max() ?? 0
    var text = ""
    for member in members {
      let name = member.name.printable
      text += name + String(repeating: " ", count: width - name.count)
      text += "  \(member.state.rawValue)\n"
    }
    if let announcement {
      text += "session \(announcement.session), start \(Timestamp.iso8601(announcement.start))\n"
    }
    return text
  }
}
