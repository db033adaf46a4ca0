import ArgumentParser
import Capture
import LivePipelines
import Support

/// How to replay a recording, and what gateways send.
struct PlaybackOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "replay: playback speed as a multiple of real time, or max.", valueName: "factor|max"))
  var speed = "1"

  @Option(
    help: ArgumentHelp(
      "mqtt: dialect of the gateways (default: detected from topic and content).", valueName: "name"
    ), completion: .list(Dialect.allCases.map(\.rawValue)))
  var dialect: String?

  func set(_ request: inout SourceRequest) throws {
    request.speed = try playbackSpeed()
    request.gateways.dialect = try dialect.map { name in
      guard let dialect = Dialect(rawValue: name) else {
        let names = Dialect.allCases.map(\.rawValue)
        throw RSSIError(
          .usage,
          "--dialect \(name) is unknown\(didYouMean(name, among: names)): choose from "
            + names.joined(separator: ", "))
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
    help: ArgumentHelp(
      "mqtts: file of CA certificates (default: the system's).", valueName: "file"),
    completion: .file())
  var caFile: String?

  @Option(
    help: ArgumentHelp(
      "mqtt: user name; the password is read from --password-file or RSSI_MQTT_PASSWORD.",
      valueName: "name"))
  var user: String?

  @Option(
    help: ArgumentHelp(
      "mqtt: file with the password, readable by its owner only (chmod 600).", valueName: "file"),
    completion: .file())
  var passwordFile: String?

  func set(_ options: inout GatewayOptions) {
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
    help: ArgumentHelp(
      "mqtt: fixed client ID, for which the broker queues messages while the program is disconnected.",
      valueName: "id"))
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
