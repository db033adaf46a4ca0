import Advertising
import ArgumentParser
import Capture
import LivePipelines
import PathLoss
import Reporting
import Support
import TracePipelines

struct AdvertiseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "advertise",
    abstract: "Advertise as a beacon from a local adapter.",
    discussion: """
      ID is ibeacon:UUID:MAJOR:MINOR, altbeacon:ID, eddystone-uid:NAMESPACE:INSTANCE or \
      eddystone-url:https://…. SOURCE is hci0 (an adapter; default: the first), user:0 (an adapter, \
      exclusively), h4:tcp:HOST:PORT, h4:unix:PATH or h4:/dev/ttyACM0[:BAUD] (an HCI controller).

      A beacon advertises its RSSI at 1 m: give it with --measured-power, or with --calibration from \
      `rssi calibrate` or `rssi fit`. Ctrl-C and SIGTERM stop advertising and restore the adapter.

      EXAMPLES:
        rssi advertise ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:7 hci0 \\
          --measured-power -59
        rssi advertise eddystone-url:https://example.org --measured-power -59 \\
          --print
      """)

  @Argument(help: ArgumentHelp("Identity to advertise.", valueName: "identity"))
  var id: String

  @Argument(
    help: ArgumentHelp("Controller to advertise with.", valueName: "source"),
    completion: .list(["hci0", "user:0", "monitor", "h4:", "mqtt://", "replay:"]))
  var source: String = "hci"

  @OptionGroup(title: "Advertised power") var powering: PowerOptions
  @OptionGroup(title: "Eddystone telemetry") var telling: TelemetryOptions
  @OptionGroup(title: "Advertising") var sending: BroadcastOptions

  @Option(help: ArgumentHelp("Stop after this time, such as 30s, 10m, 8h.", valueName: "time"))
  var duration: String?

  @Flag(name: .customLong("print"), help: "Print the advertisement without sending it.")
  var isDryRun = false

  @OptionGroup var measuring: MetricsOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let source = try SourceName(source)
    try AdvertiseRequest.check(source)
    let identity = try BeaconIdentity(toAdvertise: id)
    let settings = try sending.settings()
    // Also with --print: bytes that cannot be sent are not shown.
    try settings.check()
    let power = try powering.power(of: identity)
    let schedule = FrameSchedule(
      try BeaconFrame(
        identity, measuredPower: power.advertised, company: try sending.companyNumber(for: identity)
      ),
      interval: Int64((settings.interval * 1e9).rounded()),
      telemetry: try telling.telemetry(with: identity))
    var request = AdvertiseRequest(
      identity, from: source, schedule: schedule, power: power, settings: settings,
      duration: try duration.map { try time($0, "--duration") })
    for doubt in power.doubts { reporting.warn(doubt) }
    if isDryRun {
      try measuring.refuse("--print sends nothing")
      return try report(request, nil)
    }
    let served = try measuring.serve("advertise", of: source.description, reporting.messages)
    defer { served?.end() }
    StopSignals.install()
    let context = LiveContext(reporting).publishing(on: served?.board)
    request.show = show
    try report(request, AdvertiseStage(request).run(in: context))
  }

  private func report(_ request: AdvertiseRequest, _ outcome: AdvertiseResult?) throws {
    let report = AdvertiseReport(request, outcome)
    try reporting.report(report.json, text: report.text)
  }

  /// The progress line on a terminal.
  private func show(_ outcome: AdvertiseResult?) {
    guard StandardError.isTerminal, !reporting.quiet else { return }
    guard let outcome, let radio = outcome.radio else { return StandardError.write("\r\u{1B}[K") }
    let restarts = outcome.restarts > 0 ? ", restarted \(outcome.restarts) ×" : ""
    StandardError.write(
      "\r\(radio.adapter.printable) advertises since \(outcome.uptimeText)\(restarts)\u{1B}[K")
  }
}

extension BeaconIdentity {
  /// Reads an identity of the command line.
  fileprivate init(toAdvertise text: String) throws {
    if let problem = Self.problem(ofIBeacon: text) {
      throw RSSIError(.usage, problem, in: text, advice: "write ibeacon:UUID:MAJOR:MINOR")
    }
    guard let identity = BeaconPattern(text)?.identity else {
      throw RSSIError(
        .usage,
        "\"\(text)\" is not an identity: write ibeacon:UUID:MAJOR:MINOR, altbeacon:ID (40 digits), "
          + "eddystone-uid:NAMESPACE:INSTANCE (20 and 12 digits) or eddystone-url:https://…")
    }
    self = identity
  }

  /// Returns the part of the identity of an iBeacon that is invalid, in words; `nil` if there is
  /// none.
  private static func problem(ofIBeacon text: String) -> String? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts[0] == "ibeacon", parts.count == 4 else { return nil }
    let digits = parts[1].filter { $0 != "-" }
    guard digits.count == 32, digits.allSatisfy(\.isHexDigit) else {
      return "expected a UUID of 32 hexadecimal digits, found \"\(parts[1])\""
    }
    let invalid = zip(["major", "minor"], parts[2...]).first { UInt16($0.1) == nil }
    return invalid.map { "expected a \($0.0) from 0 to 65535, found \"\($0.1)\"" }
  }
}

/// The source of the RSSI at 1 m that a beacon advertises.
struct PowerOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: ArgumentHelp("RSSI at 1 m in dBm.", valueName: "dbm"))
  var measuredPower: Double?

  @Option(
    help: ArgumentHelp(
      "RSSI at 1 m from a file of `rssi calibrate -o` or `rssi fit -o`.", valueName: "file"),
    completion: .file())
  var calibration: String?

  @Option(help: ArgumentHelp("Group of the calibration of `rssi fit` to use.", valueName: "name"))
  var group: String?

  /// Returns the RSSI at 1 m.
  ///
  /// - Throws: a usage failure if it is missing, or given twice.
  func power(of identity: BeaconIdentity) throws -> BeaconPower {
    guard group == nil || calibration != nil else {
      throw RSSIError(.usage, "--group needs --calibration")
    }
    switch (measuredPower, calibration) {
    case (let power?, nil):
      guard power.isFinite else {
        throw RSSIError(.usage, "--measured-power \(power): expected dBm at 1 m")
      }
      return BeaconPower(value: power, source: "--measured-power")
    case (nil, let path?):
      return try BeaconPower(of: identity.description, in: path, group: group)
    case (.some, .some):
      throw RSSIError(
        .usage, "--measured-power and --calibration exclude each other")
    case (nil, nil):
      throw RSSIError(
        .usage,
        "the RSSI at 1 m of this beacon is unknown: measure it (`rssi calibrate`) and give "
          + "--calibration FILE, or give --measured-power DBM; any number, such as -59, will do "
          + "while you measure")
    }
  }
}

/// The telemetry of an Eddystone beacon.
struct TelemetryOptions: ParsableArguments {
  @Flag(help: "Also send telemetry every few seconds: uptime, number of advertisements.")
  var tlm = false

  @Option(help: ArgumentHelp("Battery voltage in mV, sent with --tlm.", valueName: "mv"))
  var battery: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Temperature in degrees Celsius, sent with --tlm.", valueName: "celsius"))
  var temperature: Double?

  /// Returns the telemetry to send; nil for none.
  func telemetry(with identity: BeaconIdentity) throws -> FrameSchedule.Telemetry? {
    guard tlm else {
      guard battery == nil, temperature == nil else {
        throw RSSIError(.usage, "--battery and --temperature are sent with --tlm: add it")
      }
      return nil
    }
    guard [.eddystoneUID, .eddystoneURL].contains(identity.kind) else {
      throw RSSIError(
        .usage,
        "--tlm goes with eddystone-uid and eddystone-url; an \(identity.kind.rawValue) has no "
          + "telemetry"
      )
    }
    if let battery, !(1...65535).contains(battery) {
      throw RSSIError(.usage, "--battery \(battery) cannot be sent: give 1 to 65535 mV")
    }
    // -128 means none.
    if let temperature, !(temperature > -127.998 && temperature < 127.998) {
      throw RSSIError(
        .usage,
        "--temperature \(temperature) cannot be sent: give more than -128 and less than 128")
    }
    return FrameSchedule.Telemetry(
      batteryVoltage: battery.map(UInt16.init),
      temperature256: temperature.map { Int16(($0 * 256).rounded(.toNearestOrAwayFromZero)) })
  }
}
