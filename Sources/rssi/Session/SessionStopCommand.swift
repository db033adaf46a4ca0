import ArgumentParser
import LivePipelines
import Support

struct SessionStopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop",
    abstract: "Stop the running session of a lobby for all members at one instant.")

  @Argument(help: "Name of the lobby.")
  var lobby: String

  @OptionGroup(title: "Broker") var broker: BrokerOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    var visit = try LobbyVisit(lobby, at: broker)
    try visit.look()
    let silent = try visit.removeSilent(after: 3)
    for member in silent { reporting.note("\(member.name) does not answer, and counts as lost") }
    guard let session = visit.announcement?.session,
      visit.members.values.contains(where: { $0.state == .recording && $0.session == session })
    else {
      // What is published goes out before the connection ends.
      if !silent.isEmpty { _ = try visit.wait(1) { _ in false } }
      visit.close()
      throw RSSIError(.failed, "no session is running in \(lobby): see `rssi session who`")
    }
    let before = visit.announcement?.end
    try visit.publish(.stop(session))
    let isTold = try visit.wait(10) { now in
      // It is over, or its end is set anew.
      now?.session != session || now?.end != before
    }
    visit.close()
    guard isTold else {
      throw RSSIError(
        .failed,
        "nobody in \(lobby) answered: who leads may be out of the broker's reach; try again, or "
          + "end each member"
      )
    }
    reporting.note("session \(session) ends")
  }
}
