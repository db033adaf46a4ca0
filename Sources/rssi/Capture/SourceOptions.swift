import ArgumentParser
import Capture
import LivePipelines
import Support

/// How to replay a recording, and what gateways send.
struct PlaybackOptions: ParsableArguments {
  @Option(help: "replay: playback speed as a multiple of real time, or max.")
  var speed = "1"

  @Option(help: "mqtt: dialect of the gateways (default: detected from topic and content).")
  var dialect: String?

  func set(_ request: inout SourceRequest) throws {
    request.speed = try playbackSpeed()
    request.gateways.dialect = try dialect.map { name in
      guard let dialect = Dialect(rawValue: name) else {
        throw RSSIError(
          .usage,
          "--dialect \(name) is unknown: choose from "
            + Dialect.allCases.map(\.rawValue).joined(separator: ", "))
      }
      return dialect
    }
  }

  private func playbackSpeed() throws -> Double {
    if speed == "max" { return .infinity }
    guard let factor = Double(speed.hasSuffix("x") ? speed.dropLast() : speed[...]), factor >= 1e-3
    else {
      throw RSSIError(.usage, "--speed \(speed) is not a speed: write 1, 10 or max")
    }
    return factor
  }
}

/// How to log in at a broker.
struct LoginOptions: ParsableArguments {
  @Option(
    name: .customLong("cafile"),
    help: "mqtts: file of CA certificates (default: the system's).")
  var caFile: String?

  @Option(help: "mqtt: user name; the password is read from --password-file or RSSI_MQTT_PASSWORD.")
  var user: String?

  @Option(help: "mqtt: file with the password, readable by its owner only (chmod 600).")
  var passwordFile: String?

  func set(_ options: inout MQTTOptions) {
    (options.caFile, options.userName, options.passwordFile) = (caFile, user, passwordFile)
  }

  func addFiles(to files: inout CommandFiles) {
    files.read([passwordFile], as: "--password-file")
    files.read([caFile], as: "--cafile")
  }
}

/// What only some sources need.
struct SourceOptions: ParsableArguments {
  @OptionGroup var playback: PlaybackOptions
  @OptionGroup var login: LoginOptions

  @Option(
    help:
      "mqtt: fixed client ID, for which the broker queues messages while the program is disconnected."
  )
  var clientID: String?

  func request(_ name: SourceName, _ scanning: ScanOptions) throws -> SourceRequest {
    var request = SourceRequest(name)
    request.scanning = try scanning.settings()
    try playback.set(&request)
    login.set(&request.gateways)
    request.gateways.clientID = clientID
    return request
  }
}
