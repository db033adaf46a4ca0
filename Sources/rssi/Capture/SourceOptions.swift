import ArgumentParser
import Capture
import Support

/// What only some sources need.
struct SourceOptions: ParsableArguments {
  @Option(help: "replay: playback speed as a multiple of real time, or max.")
  var speed = "1"

  @Option(help: "mqtt: dialect of the gateways (default: detected from topic and content).")
  var dialect: String?

  @Option(
    name: .customLong("cafile"),
    help: "mqtts: file of CA certificates (default: the system's).")
  var caFile: String?

  @Option(help: "mqtt: user name; the password is read from --password-file or RSSI_MQTT_PASSWORD.")
  var user: String?

  @Option(help: "mqtt: file with the password, readable by its owner only (chmod 600).")
  var passwordFile: String?

  @Option(
    help:
      "mqtt: fixed client ID, for which the broker queues messages while the program is disconnected."
  )
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
