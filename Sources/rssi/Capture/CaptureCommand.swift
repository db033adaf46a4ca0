import Advertising
import ArgumentParser
import Capture
import Filtering
import Sightings
import TraceStore

struct CaptureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Record what a radio hears, into a trace or a stream.",
    discussion: """
      SOURCE is hci0 (raw socket of an adapter; the first one unless named), user:0 (the adapter for \
      this program alone), monitor (what any program on the machine receives), h4:tcp:HOST:PORT, \
      h4:unix:PATH or h4:/dev/ttyACM0[:BAUD] (a controller that speaks HCI), mqtt://HOST/TOPIC or \
      mqtts://HOST/TOPIC (gateways), replay:FILE (a recording or a trace, as if it were live).

      The trace can be read while it is written, and a kill costs no more than the last second. \
      Ctrl-C and SIGTERM end the capture, SIGHUP begins a new file.
      """)

  @Argument(help: "Where to listen.")
  var source: String = "hci"

  @Option(name: .shortAndLong, help: "The trace to write; - writes NDJSON to standard output.")
  var output: String

  @Option(help: "Also write the raw HCI events here, for Wireshark and for replay.")
  var btsnoop: String?

  @OptionGroup(title: "When to end, and new files") var limits: LimitOptions
  @OptionGroup(title: "What to keep") var selecting: SelectionOptions
  @OptionGroup(title: "What is known, written as truth") var labelling: LabelOptions
  @OptionGroup(title: "How to scan") var scanning: ScanOptions
  @OptionGroup(title: "Sources of their own") var sourcing: SourceOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    var plan = CapturePlan(source: try SourceName(source))
    plan.output = output == "-" ? nil : output
    plan.btsnoop = btsnoop
    plan.receiver = labelling.receiver
    plan.traceName = labelling.trace
    plan.note = labelling.note
    plan.selection = try selecting.selection()
    plan.labels = try labelling.labels(beacons: plan.selection.beacons)
    let settings = try scanning.settings()
    let speed = try sourcing.replaySpeed()
    _ = try sourcing.gateways()
    try limits.set(&plan)
    if plan.output == nil, reporting.json {
      throw Failure(Failure.usage, "-o - and --json both write to standard output: choose one")
    }
    if plan.selection.minimumRSSI != nil {
      reporting.note(
        "--min-rssi leaves out weak reports: levels at long range are then too high, and a fit on them is biased")
    }
    StopSignals.install()
    let provenance = Provenance(
      stage: "capture", toolVersion: toolVersion, commandLine: commandLine(), inputs: [])
    var recorder = try Recorder(plan, provenance: provenance, reporting: reporting)
    do {
      try listen(to: plan.source, settings, speed: speed, &recorder)
    } catch let failure where !isDiskFailure(failure) {
      // What was received until then is closed as whole, before the reason is told.
      if recorder.hasBegun {
        try recorder.finish()
        try report(&recorder, plan)
      }
      throw failure
    }
    try recorder.finish()
    try report(&recorder, plan)
  }

  private func listen(
    to source: SourceName, _ settings: ScanSettings, speed: Double, _ recorder: inout Recorder
  ) throws {
    let name = labelling.receiver
    switch source {
    case .adapter(let index):
      var source = try hciSource(index: index, settings: settings, name: name)
      try source.run(into: &recorder)
    case .userChannel(let index):
      var source = try userChannelSource(index: index, settings: settings, name: name)
      try source.run(into: &recorder)
    case .monitor:
      var source = try MonitorSource(silence: settings.silence)
      try source.run(into: &recorder)
    case .h4(let address):
      var source = try h4Source(address, settings: settings, name: name)
      try source.run(into: &recorder)
    case .replay(let file):
      var source = ReplaySource(file: file, speed: speed, receiver: name)
      try source.run(into: &recorder)
    case .mqtt(let url):
      var source = try MQTTSource(url: url, options: try sourcing.gateways())
      try source.run(into: &recorder)
    }
  }

  /// A disk that is full cannot take the end of the file either.
  private func isDiskFailure(_ error: any Error) -> Bool {
    Failure(error)?.exitCode == Failure.inputOutput
  }

  private func report(_ recorder: inout Recorder, _ plan: CapturePlan) throws {
    guard let last = recorder.paths.last else {
      return reporting.note("\(recorder.sightings) sightings")
    }
    if plan.packs, try !TraceReader(path: last).isLive {
      try pack(TraceReader(path: last), to: last, adding: nil)
    }
    let report = CaptureReport(recorder)
    if reporting.json { return try StandardOutput.write(jsonText(try report.json())) }
    try StandardOutput.write(try report.text())
  }
}
