import ArgumentParser
import LivePipelines

struct SessionStopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop",
    abstract: "Stop the running session of a lobby for all members at one instant.")

  @Argument(help: "Name of the lobby.")
  var lobby: String

  @OptionGroup(title: "Broker") var broker: BrokerOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let session = try stopSession(broker.request(lobby), log: reporting.log)
    reporting.note("session \(session) ends")
  }
}
