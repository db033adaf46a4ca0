import Advertising
import ArgumentParser
import Capture
import LivePipelines
import Support

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
      """)

  @Argument(help: "Identity to advertise.")
  var id: String

  @Argument(help: "Controller to advertise with.")
  var source: String = "hci"

  @OptionGroup(title: "Advertised power") var powering: PowerOptions
  @OptionGroup(title: "Eddystone telemetry") var telling: TelemetryOptions
  @OptionGroup(title: "Advertising") var sending: BroadcastOptions

  @Option(help: "Stop after this time, such as 30s, 10m, 8h.")
  var duration: String?

  @Flag(name: .customLong("print"), help: "Print the advertisement without sending it.")
  var isDryRun = false

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let source = try SourceName(source)
    try requireRadio(source)
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
    let limit = try duration.map { try time($0, "--duration") }
    for doubt in power.doubts { reporting.note(doubt) }
    let plan = AdvertisePlan(
      identity: identity, schedule: schedule, power: power, settings: settings)
    if isDryRun { return try report(plan, nil) }
    StopSignals.install()
    var log = BroadcastLog(plan, limit: limit, reporting: reporting)
    defer { log.end() }
    try broadcast(from: source, settings, for: &log)
    log.end()
    try report(plan, log)
  }

  private func requireRadio(_ source: SourceName) throws {
    switch source {
    case .adapter, .userChannel, .h4: return
    case .monitor, .mqtt, .replay:
      throw RSSIError(
        .usage,
        "\(source) cannot advertise: name hci0, user:0, h4:tcp:HOST:PORT, h4:unix:PATH or "
          + "h4:/dev/ttyACM0"
      )
    }
  }

  private func report(_ plan: AdvertisePlan, _ log: BroadcastLog?) throws {
    let report = AdvertiseReport(plan: plan, log: log)
    try reporting.report(report.json, text: report.text)
  }
}

/// What is to be advertised, and how.
struct AdvertisePlan {
  var identity: BeaconIdentity
  var schedule: FrameSchedule
  var power: BeaconPower
  var settings: BroadcastSettings
}

extension BeaconIdentity {
  /// An identity as the command line writes it.
  fileprivate init(toAdvertise text: String) throws {
    guard let identity = BeaconPattern(text)?.identity else {
      throw RSSIError(
        .usage,
        "\"\(text)\" is no identity: write ibeacon:UUID:MAJOR:MINOR, altbeacon:ID (40 digits), "
          + "eddystone-uid:NAMESPACE:INSTANCE (20 and 12 digits) or eddystone-url:https://…")
    }
    self = identity
  }
}

/// Advertises from a source until a delegate wants no more.
private func broadcast<Delegate: BroadcastDelegate & ~Copyable>(
  from source: SourceName, _ settings: BroadcastSettings, for delegate: inout Delegate
) throws {
  switch source {
  case .adapter(let index):
    var broadcast = try hciBroadcast(index: index, settings: settings)
    try broadcast.run(for: &delegate)
  case .userChannel(let index):
    var broadcast = try userChannelBroadcast(index: index, settings: settings)
    try broadcast.run(for: &delegate)
  case .h4(let address):
    var broadcast = try h4Broadcast(address, settings: settings)
    try broadcast.run(for: &delegate)
  case .monitor, .mqtt, .replay: preconditionFailure("refused before")
  }
}
