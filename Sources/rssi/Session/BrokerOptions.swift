import ArgumentParser
import Capture
import LivePipelines
import Support

/// The broker at which members of a session meet.
struct BrokerOptions: ParsableArguments {
  @Option(help: "Broker: mqtt://[USER@]HOST[:PORT], or mqtts:// for TLS.")
  var broker: String

  @OptionGroup var login: LoginOptions

  var options: MQTTOptions {
    var options = MQTTOptions()
    login.set(&options)
    return options
  }

  func channel(
    _ topics: [String], will: (topic: String, payload: [UInt8])? = nil
  ) throws -> BrokerChannel {
    try BrokerChannel(broker: broker, topics: topics, will: will, options: options)
  }
}

/// Refuses what cannot name a lobby or a member.
func requireLobbyName(_ text: String, _ what: String) throws {
  guard isLobbyName(text) else {
    throw RSSIError(
      .usage,
      "\"\(text)\" is no name of a \(what): write 1 to 64 letters, digits, dots, dashes or "
        + "underscores"
    )
  }
}
