import Advertising
import ArgumentParser
import LivePipelines
import Registries
import Reporting
import Support
import TracePipelines
import TraceStore

struct CaptureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Record received advertisements into a trace or a stream.",
    discussion: """
      SOURCE is hci0 (raw socket of an adapter; default: the first), user:0 (an adapter, exclusively), \
      monitor (what any program on the machine receives), h4:tcp:HOST:PORT, h4:unix:PATH or \
      h4:/dev/ttyACM0[:BAUD] (an HCI controller), u-blox:/dev/ttyUSB0[:BAUD] (an anchor that writes +UUDF lines), \
      mqtt://HOST/TOPIC or mqtts://HOST/TOPIC (gateways), \
      nats://HOST/STREAM or nats+tls://HOST/STREAM (a stream of gateways), replay:FILE (a recording, \
      a trace or a folder of traces, as if live).

      The trace can be read while it is written; a crash loses at most the last --flush interval. \
      Ctrl-C and SIGTERM end the capture, SIGHUP starts a new file.

      EXAMPLES:
        rssi capture hci0 --duration 10m -o walk.h5
        rssi capture nats://broker.local/SITE --rotate 1h -o site/
        rssi capture hci0 -o nats://broker.local/rssi.hall-1
        rssi capture replay:walk-1.btsnoop --speed max -o - | head -n 3
      """)

  @Argument(
    help: ArgumentHelp("Source to listen to.", valueName: "source"),
    completion: .list(
      ["hci0", "user:0", "monitor", "h4:", "u-blox:", "mqtt://", "nats://", "replay:"]))
  var source: String = "hci"

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Trace to write, or FOLDER/ for traces named by their start; nats://HOST/SUBJECT publishes to a stream; - writes NDJSON to standard output.",
      valueName: "file"),
    completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "Also write the raw HCI events to this btsnoop file, for Wireshark and for replay.",
      valueName: "file"), completion: .file())
  var btsnoop: String?

  @OptionGroup(title: "Duration and rotation") var limits: LimitOptions
  @OptionGroup(title: "Selection") var selecting: SelectionOptions
  @OptionGroup(title: "Ground truth") var labelling: LabelOptions
  @OptionGroup(title: "Scanning") var scanning: ScanOptions
  @OptionGroup(title: "Source-specific options") var sourcing: SourceOptions
  @OptionGroup var measuring: MetricsOptions
  @OptionGroup(title: "Publishing") var spooling: SpoolOptions
  @OptionGroup var known: RegistryOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let registry = try known.load(reporting.log)
    let request = try request(registry)
    if request.output == nil, reporting.json {
      throw RSSIError(.usage, "-o - and --json both write to standard output: choose one")
    }
    if request.selection.minimumRSSI != nil {
      reporting.warn(
        "--min-rssi leaves out weak reports: levels at long range are then too high, and a fit on "
          + "them is biased"
      )
    }
    var files = try request.files()
    sourcing.login.addFiles(to: &files)
    files.read([known.path], as: "--registry")
    try files.check(reporting)
    let served = try measuring.serve(
      "capture", of: request.source.name.description, reporting.messages)
    defer { served?.end() }
    StopSignals.install(hangUpRotates: true)
    let context = LiveContext(reporting, showsStatus: request.output != nil)
    let result = try record(request, stage: "capture", context.publishing(on: served?.board))
    try report(result, request.source.name, registry)
    if let failure = result.failure { throw failure }
  }

  private func request(_ registry: Registry) throws -> RecordRequest {
    var request = RecordRequest(try sourcing.request(SourceName(source), scanning.settings()))
    request.output = output == "-" ? nil : output
    request.btsnoop = btsnoop
    try spooling.set(&request)
    request.selection = try selecting.selection(registry)
    try labelling.set(&request, registry)
    try limits.set(&request)
    try request.check()
    return request
  }

  private func report(_ result: RecordResult, _ source: SourceName, _ registry: Registry) throws {
    guard !result.files.isEmpty else {
      if reporting.json {
        return try reporting.report(RecordReport(result, registry).json, text: "")
      }
      return reporting.note("\(result.sightings) sightings")
    }
    if let text = result.packets.emptiness(refused: result.rejected) {
      reporting.warn("\(source) gave \(text)")
    }
    if let doubt = try registry.learn(from: result.files) { reporting.warn(doubt) }
    let report = try RecordReport(result, registry)
    try reporting.report(report.json, text: report.text)
  }
}

extension RecordRequest {
  /// The files that it reads and writes.
  ///
  /// - Parameter isPart: whether it records a part of a session, which is numbered and never a
  ///   stream.
  func files(isPart: Bool = false) throws -> CommandFiles {
    var files = CommandFiles()
    files.read(try source.name.replayedFiles())
    if !isPublished {
      files.write(
        [output ?? "-"], as: "-o", isStream: !isPart,
        isPattern: isPart || rotate != nil || isIntoFolder)
    }
    files.write([btsnoop], as: "--btsnoop", isPattern: rotate != nil)
    return files
  }
}
