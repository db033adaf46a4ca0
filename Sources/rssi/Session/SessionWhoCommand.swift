import ArgumentParser
import LivePipelines
import Reporting

struct SessionWhoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "who", abstract: "List the members of a lobby and the announced session.",
    discussion: """
      EXAMPLES:
        rssi session who hall --broker mqtt://broker.local
        rssi session who hall --broker mqtts://ana@broker.local \\
          --password-file password.txt
      """)

  @Argument(help: ArgumentHelp("Name of the lobby.", valueName: "name"))
  var lobby: String

  @OptionGroup(title: "Broker") var broker: BrokerOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let report = LobbyReport(try viewRendezvous(broker.request(lobby)))
    try reporting.report(report.json, text: report.text)
  }
}
