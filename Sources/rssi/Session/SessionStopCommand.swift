import ArgumentParser
import LivePipelines

struct SessionStopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop",
    abstract: "Stop the running session of a lobby for all members at one instant.",
    discussion: """
      EXAMPLES:
        rssi session stop hall --broker mqtt://broker.local
        rssi session stop hall --broker mqtts://ana@broker.local \\
          --password-file password.txt
      """)

  @Argument(help: ArgumentHelp("Name of the lobby.", valueName: "name"))
  var lobby: String

  @OptionGroup(title: "Broker") var broker: BrokerOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let session = try stopSession(broker.request(lobby), log: reporting.log)
    reporting.note("session \(session) ends")
  }
}
