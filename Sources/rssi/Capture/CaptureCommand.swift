import Advertising
import ArgumentParser
import Capture
import Filtering
import Inputs
import Recordings
import Registries
import Sightings
import Support
import TraceStore

struct CaptureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Record received advertisements into a trace or a stream.",
    discussion: """
      SOURCE is hci0 (raw socket of an adapter; default: the first), user:0 (an adapter, exclusively), \
      monitor (what any program on the machine receives), h4:tcp:HOST:PORT, h4:unix:PATH or \
      h4:/dev/ttyACM0[:BAUD] (an HCI controller), mqtt://HOST/TOPIC or mqtts://HOST/TOPIC (gateways), \
      replay:FILE (a recording or a trace, as if live).

      The trace can be read while it is written; a crash loses at most the last --flush interval. \
      Ctrl-C and SIGTERM end the capture, SIGHUP starts a new file.
      """)

  @Argument(help: "Source to listen to.")
  var source: String = "hci"

  @Option(name: .shortAndLong, help: "Trace to write; - writes NDJSON to standard output.")
  var output: String

  @Option(help: "Also write the raw HCI events to this btsnoop file, for Wireshark and for replay.")
  var btsnoop: String?

  @OptionGroup(title: "Duration and rotation") var limits: LimitOptions
  @OptionGroup(title: "Selection") var selecting: SelectionOptions
  @OptionGroup(title: "Ground truth") var labelling: LabelOptions
  @OptionGroup(title: "Scanning") var scanning: ScanOptions
  @OptionGroup(title: "Source-specific options") var sourcing: SourceOptions
  @OptionGroup var known: RegistryOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    var plan = CapturePlan(source: try SourceName(source))
    plan.output = output == "-" ? nil : output
    plan.btsnoop = btsnoop
    plan.receiver = labelling.receiver
    plan.traceName = labelling.trace
    plan.note = labelling.note
    let registry = try known.load()
    plan.selection = try selecting.selection(registry)
    plan.labels = try labelling.labels(beacons: plan.selection.beacons)
    let settings = try scanning.settings()
    let speed = try sourcing.replaySpeed()
    let gateways = try sourcing.gateways()
    try limits.set(&plan)
    if plan.output == nil, reporting.json {
      throw RSSIError(.usage, "-o - and --json both write to standard output: choose one")
    }
    if plan.selection.minimumRSSI != nil {
      reporting.note(
        "--min-rssi leaves out weak reports: levels at long range are then too high, and a fit on "
          + "them is biased"
      )
    }
    var files = plan.files()
    files.read([sourcing.passwordFile], as: "--password-file")
    files.read([sourcing.caFile], as: "--cafile")
    files.read([known.path], as: "--registry")
    try files.check(reporting)
    try requireOneReceiver(plan)
    StopSignals.install()
    var inputs: [String] = []
    if case .replay(let file) = plan.source {
      _ = try InputKind(path: file)
      inputs = [file]
    }
    var recorder = try Recorder(
      plan, provenance: ToolIdentity.program.provenance(of: "capture", inputs: inputs),
      reporting: reporting)
    do {
      try listen(to: plan.source, settings, speed: speed, gateways, into: &recorder)
      try recorder.finish()
    } catch {
      // What was received until then is closed as whole and reported; but a disk that is full
      // cannot take the end of the trace either.
      let isEventFailure = recorder.isOfEvents(error)
      if isEventFailure { recorder.abandonBTSnoop() }
      if recorder.hasBegun, isEventFailure || (error as? RSSIError)?.kind != .inputOutput {
        try recorder.finish()
        try report(recorder, plan, registry)
      } else if !recorder.paths.isEmpty {
        // The last file cannot be closed; it keeps what was committed.
        try show(CaptureReport(recorder, isThere: false, registry), plan)
      }
      throw error
    }
    try report(recorder, plan, registry)
  }

  /// A place and a name are those of one machine; gateways have their own.
  private func requireOneReceiver(_ plan: CapturePlan) throws {
    if case .mqtt = plan.source, plan.labels.receiver != nil || plan.receiver != nil {
      throw RSSIError(
        .usage,
        "--at and --receiver are of one receiver, but each gateway is one: give their places with "
          + "--nodes to `rssi import` of an export, and leave their names"
      )
    }
    if plan.output == nil, !plan.labels.beacons.isEmpty {
      throw RSSIError(
        .usage, "--beacon-at needs a file: a line of a stream has no place for it")
    }
  }

  private func report(
    _ recorder: borrowing Recorder, _ plan: CapturePlan, _ registry: Registry
  ) throws {
    guard let report = try finishedReport(of: recorder, packs: plan.packs, registry, reporting)
    else { return reporting.note("\(recorder.sightings) sightings") }
    try show(report, plan)
  }

  private func show(_ report: CaptureReport, _ plan: CapturePlan) throws {
    if let text = report.emptiness { reporting.note("\(plan.source) gave \(text)") }
    try reporting.report(try report.json(), text: try report.text())
  }
}
