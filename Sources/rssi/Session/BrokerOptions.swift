import ArgumentParser
import LivePipelines

/// The broker at which members of a session meet.
struct BrokerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Broker: mqtt://[USER@]HOST[:PORT], or mqtts:// for TLS.", valueName: "url"))
  var broker: String

  @OptionGroup var login: LoginOptions

  func request(_ lobby: String) throws -> RendezvousRequest {
    var request = RendezvousRequest(lobby: lobby, broker: broker)
    login.set(&request.options)
    try request.check()
    return request
  }
}
