import ArgumentParser
import Capture
import Support

/// What only some sources need.
struct SourceOptions: ParsableArguments {
  @Option(help: "replay: so many times as fast as recorded, or max.")
  var speed = "1"

  @Option(help: "mqtt: the gateways' dialect, where topic and content do not tell it.")
  var dialect: String?

  @Option(
    name: .customLong("cafile"),
    help: "mqtts: the authority's certificate (default: those of the system).")
  var caFile: String?

  @Option(help: "mqtt: who to log in as; the password is in --password-file or RSSI_MQTT_PASSWORD.")
  var user: String?

  @Option(help: "mqtt: a file that holds the password, which only its owner may read (chmod 600).")
  var passwordFile: String?

  @Option(
    help: "mqtt: a name that stays, so that the broker keeps messages while this program is away.")
  var clientID: String?

  func gateways() throws -> MQTTOptions {
    var options = MQTTOptions()
    options.dialect = try dialect.map { name in
      guard let dialect = Dialect(rawValue: name) else {
        throw RSSIError(
          .usage,
          "--dialect \(name) is unknown: choose from "
            + Dialect.allCases.map(\.rawValue).joined(separator: ", "))
      }
      return dialect
    }
    (options.caFile, options.userName) = (caFile, user)
    (options.passwordFile, options.clientID) = (passwordFile, clientID)
    return options
  }

  func replaySpeed() throws -> Double {
    if speed == "max" { return .infinity }
    guard let factor = Double(speed.hasSuffix("x") ? speed.dropLast() : speed[...]), factor >= 1e-3
    else {
      throw RSSIError(.usage, "--speed \(speed) is no speed: write 1, 10 or max")
    }
    return factor
  }
}
