import Advertising
import ArgumentParser
import Glibc
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
  var source = SourcePath(path: "hci")

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Trace to write, or FOLDER/ for traces named by their start; nats://HOST/SUBJECT publishes to a stream; - writes NDJSON to standard output.",
      valueName: "file"),
    completion: .file())
  var output: RecordingPath

  @Option(
    help: ArgumentHelp(
      "Also write the raw HCI events to this btsnoop file, for Wireshark and for replay.",
      valueName: "file"), completion: .file())
  var btsnoop: OutputPath?

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
    let served = try measuring.serve(
      "capture", of: request.source.name.description, reporting.messages)
    defer { served?.end() }
    StopSignals.install(hangUpRotates: true)
    let context = LiveContext(reporting, showsStatus: request.output != nil)
    let result = try CaptureStage(request).run(in: context.publishing(on: served?.board))
    try report(result, request.source.name, registry)
    if let failure = result.failure { throw failure }
  }

  private func request(_ registry: Registry) throws -> CaptureRequest {
    var request = CaptureRequest(try sourcing.request(SourceName(source.path), scanning.settings()))
    if !selecting.beacon.isEmpty || !labelling.places.beaconAt.isEmpty {
      try registry.learnNames(from: request.source.name.replayedFiles())
    }
    request.output = output.path == "-" ? nil : output.path
    request.btsnoop = btsnoop?.path
    try spooling.set(&request)
    request.selection = try selecting.selection(registry)
    try labelling.set(&request, registry)
    try limits.set(&request)
    try request.check()
    return request
  }

  private func report(_ result: CaptureResult, _ source: SourceName, _ registry: Registry) throws {
    guard !result.files.isEmpty else {
      if reporting.json {
        return try reporting.report(CaptureReport(result, registry).json, text: "")
      }
      return reporting.note("\(result.sightings) sightings")
    }
    if let text = result.packets.emptiness(refused: result.rejected) {
      reporting.warn("\(source) gave \(text)")
    }
    if let doubt = try registry.learn(from: result.files) { reporting.warn(doubt) }
    let report = try CaptureReport(result, registry)
    try reporting.report(report.json, text: report.text)
  }
}

/// A trace to write, a folder for traces named by their start, a stream to publish to, or - for
/// standard output.
struct RecordingPath: FilePath {
  var path: String

  func register(in files: inout CommandFiles, as option: String) {
    guard !CaptureRequest.isPublished(path) else { return }
    files.write(path, as: option, isStream: true, isPattern: path.hasSuffix("/"), isTrace: true)
  }
}

/// The spool for messages that a NATS server has not acknowledged yet.
struct SpoolOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "-o nats: folder that keeps messages until the server acknowledges them (default: in $STATE_DIRECTORY, $XDG_STATE_HOME/rssi or ~/.local/state/rssi).",
      valueName: "folder"), completion: .directory)
  var spool: String?

  @Option(
    help: ArgumentHelp(
      "-o nats: maximum size of the spool; beyond it the oldest messages are given up and counted.",
      valueName: "size"))
  var spoolLimit = "1GB"

  func set(_ request: inout CaptureRequest) throws {
    guard let output = request.output, request.isPublished else {
      guard spool == nil else {
        throw RSSIError(.usage, "--spool is for an output such as -o nats://broker/rssi.hall-1")
      }
      return
    }
    guard let limit = byteSize(spoolLimit) else {
      throw RSSIError(
        .usage, "--spool-limit \"\(spoolLimit)\" is not a size: write 500MB, 1GB or 4GiB")
    }
    request.spoolLimit = limit
    request.spool = try spool ?? Self.place(output)
  }

  /// The folder of a subject in that of the service, or of the user (XDG Base Directory
  /// Specification).
  private static func place(_ output: String) throws -> String {
    let name = output.split(separator: "://").last?.split(separator: "@").last ?? ""
    let folders = [
      variable("STATE_DIRECTORY"), variable("XDG_STATE_HOME").map { $0 + "/rssi" },
      variable("HOME").map { $0 + "/.local/state/rssi" },
    ]
    guard let folder = folders.compactMap(\.self).first else {
      throw RSSIError(.usage, "no folder for the spool (HOME is not set): name one with --spool")
    }
    let safe = name.map {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "-"
    }
    return "\(folder)/spool/\(String(safe))"
  }

  /// Relative folders are ignored.
  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
