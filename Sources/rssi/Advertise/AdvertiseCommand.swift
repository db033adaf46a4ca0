import Advertising
import ArgumentParser
import Capture
import LivePipelines
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
    try BroadcastRequest.check(source)
    let identity = try BeaconIdentity(toAdvertise: id)
    let settings = try sending.settings()
    // Also for a look at the bytes: what cannot be sent is not shown as if it could.
    try settings.check()
    let power = try powering.power(of: identity)
    let schedule = FrameSchedule(
      try BeaconFrame(
        identity, measuredPower: power.stated, company: try sending.companyNumber(for: identity)),
      interval: Int64((settings.interval * 1e9).rounded()),
      telemetry: try telling.telemetry(with: identity))
    let request = BroadcastRequest(
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
    try report(request, LiveBroadcast(request, in: context).run(show: show))
  }

  private func report(_ request: BroadcastRequest, _ outcome: BroadcastOutcome?) throws {
    let report = AdvertiseReport(request, outcome)
    try reporting.report(report.json, text: report.text)
  }

  /// A line on a terminal that shows how it goes.
  private func show(_ outcome: BroadcastOutcome?) {
    guard StandardError.isTerminal, !reporting.quiet else { return }
    guard let outcome, let radio = outcome.radio else { return StandardError.write("\r\u{1B}[K") }
    let restarts = outcome.restarts > 0 ? ", restarted \(outcome.restarts) ×" : ""
    StandardError.write(
      "\r\(radio.adapter.printable) advertises since \(outcome.uptimeText)\(restarts)\u{1B}[K")
  }
}

extension BeaconIdentity {
  /// An identity as the command line writes it.
  fileprivate init(toAdvertise text: String) throws {
    guard let identity = BeaconPattern(text)?.identity else {
      throw RSSIError(
        .usage,
        "\"\(text)\" is not an identity: write ibeacon:UUID:MAJOR:MINOR, altbeacon:ID (40 digits), "
          + "eddystone-uid:NAMESPACE:INSTANCE (20 and 12 digits) or eddystone-url:https://…")
    }
    self = identity
  }
}
