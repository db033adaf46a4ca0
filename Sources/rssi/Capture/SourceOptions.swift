import ArgumentParser
import Capture
import LivePipelines
import Sightings
import Support

/// Options of replayed recordings, and the dialect of gateways.
struct PlaybackOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "replay: playback speed as a multiple of real time, or max.", valueName: "factor|max"))
  var speed = "1"

  @Option(
    help: ArgumentHelp(
      "mqtt, nats: dialect of the gateways (default: detected from topic and content).",
      valueName: "name"
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

/// The credentials for a broker.
struct LoginOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "mqtts, nats+tls: file of CA certificates (default: the system's).", valueName: "file"),
    completion: .file())
  var cafile: InputPath?

  @Option(
    help: ArgumentHelp(
      "mqtt, nats: user name; the password is read from --password-file, RSSI_MQTT_PASSWORD or RSSI_NATS_PASSWORD.",
      valueName: "name"))
  var user: String?

  @Option(
    help: ArgumentHelp(
      "mqtt, nats: file with the password, readable by its owner only (chmod 600).",
      valueName: "file"),
    completion: .file())
  var passwordFile: InputPath?

  func set(_ options: inout GatewayOptions) {
    (options.caFile, options.userName, options.passwordFile) = (
      cafile?.path, user, passwordFile?.path
    )
  }
}

/// Options of particular sources.
struct SourceOptions: ParsableArguments {
  @OptionGroup var playback: PlaybackOptions
  @OptionGroup var login: LoginOptions

  @Option(
    help: ArgumentHelp(
      "mqtt: fixed client ID, for which the broker queues messages while the program is disconnected; nats: name of the consumer.",
      valueName: "id"))
  var clientID: String?

  @Option(
    help: ArgumentHelp(
      "nats: begin with this message of a stream that no trace in the folder -o has anything of: a number, a time such as 2026-01-31T12:00:00Z, 2h (ago) or now (default: the first).",
      valueName: "message|time"))
  var since: String?

  func request(
    _ name: SourceName, _ scanning: ScanSettings = ScanSettings()
  ) throws -> SourceRequest {
    var request = SourceRequest(name)
    request.scanning = scanning
    try playback.set(&request)
    login.set(&request.gateways)
    request.gateways.clientID = clientID
    request.since = try since.map { text throws(RSSIError) in try streamStart(text) }
    return request
  }

  private func streamStart(_ text: String) throws(RSSIError) -> StreamStart {
    if text == "now" { return .new }
    if let number = UInt64(text) { return .sequence(number) }
    if let time = Timestamp.parse(iso8601: text) { return .time(time) }
    if let ago = duration(text), ago > 0 { return .time(SystemClock.now - ago) }
    throw RSSIError(
      .usage,
      "--since \"\(text)\" is neither a message nor a time: write a number, "
        + "2026-01-31T12:00:00Z (UTC), 2h or now")
  }
}

extension SourceName {
  /// Reads a text typed in the place of a source, which may be a missing file.
  ///
  /// - Throws: `RSSIError`; for what looks like a file name, that there is no such file.
  init(typed text: String) throws {
    do {
      try self.init(text, mayBeFile: true)
    } catch {
      guard text.contains("/") || text.contains("."), !text.contains(":") else { throw error }
      throw RSSIError(
        .noInput, "no such file", in: text, advice: "check the name, or give a source such as hci0")
    }
  }
}
