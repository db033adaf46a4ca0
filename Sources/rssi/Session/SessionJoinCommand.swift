import ArgumentParser
import LivePipelines
import Reporting
import Support

struct SessionJoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Join a session as a receiver.",
    discussion: """
      Waits in the lobby until the expected number of members are ready, records SOURCE (see \
      `rssi capture`) from the agreed instant, and stops when the duration has passed or at \
      `rssi session stop`. Ctrl-C leaves the session; the others continue. After a failure, join again \
      with the same --name and -o to continue in the running session, in a further file.

      EXAMPLES:
        rssi session join hall hci0 --broker mqtt://broker.local -o part.h5
        rssi session join hall hci0 --broker mqtt://broker.local --members 3 \\
          --duration 10m --merge session.h5 -o part.h5
      """)

  @Argument(help: ArgumentHelp("Name of the lobby.", valueName: "name"))
  var lobby: String

  @Argument(
    help: ArgumentHelp("Source to listen to, as in `rssi capture`.", valueName: "source"),
    completion: .list(["hci0", "user:0", "monitor", "h4:", "mqtt://", "replay:"]))
  var source: String = "hci"

  @OptionGroup(title: "Broker") var broker: BrokerOptions
  @OptionGroup(title: "Session") var session: SessionOptions
  @OptionGroup(title: "Selection") var selecting: SelectionOptions
  @OptionGroup(title: "Ground truth") var labelling: SessionLabelOptions
  @OptionGroup(title: "Scanning") var scanning: ScanOptions
  @OptionGroup var measuring: MetricsOptions
  @OptionGroup var registering: RegistryOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let registry = try registering.load(reporting.log)
    var recording = RecordRequest(try sourceRequest())
    recording.selection = try selecting.selection(registry)
    try labelling.set(&recording, registry)
    let request = try session.request(broker.request(lobby), recording)
    var files = try request.recording.files(isPart: true)
    files.write([session.merge], as: "--merge")
    broker.login.addFiles(to: &files)
    files.read([registering.path], as: "--registry")
    try files.check(reporting)
    let served = try measuring.serve(
      "session", of: request.recording.source.name.description, reporting.messages)
    defer { served?.end() }
    StopSignals.install()
    let context = LiveContext(reporting, showsStatus: true)
    let result = try joinSession(request, context.publishing(on: served?.board))
    let report = SessionReport(result, recording: try RecordReport(result.recording, registry))
    try reporting.report(report.json, text: report.text)
    if let failure = result.failure { throw failure }
  }

  private func sourceRequest() throws -> SourceRequest {
    var request = SourceRequest(try SourceName(source))
    request.scanning = try scanning.settings()
    try session.playback.set(&request)
    broker.login.set(&request.gateways)
    return request
  }
}
