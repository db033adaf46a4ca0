import ArgumentParser
import LivePipelines
import Registries
import Reporting
import Support
import TracePipelines

struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Measure a beacon's power at 1 m, pose by pose.",
    discussion: """
      Guides through a bench measurement on a live source of `rssi capture`, such as hci0 or \
      replay:FILE, or reads the poses from traces, recordings, tables, or - for NDJSON. A pose is a \
      stay at a known distance; a file without poses is one pose, at --distance.

      The level of a pose is a 10 % trimmed mean; the measured power is the mean over the poses at 1 m, \
      with an interval from the variation between poses. `rssi fit` estimates the mean of all packets, \
      which fading makes 0.2 to 0.5 dB lower; the report has both.

      EXAMPLES:
        rssi calibrate hci0 --beacon 5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:7
        rssi calibrate walk-1.btsnoop --distance 1m --split 10s --all-beacons
        rssi calibrate distances.csv --all-beacons --table beacons.csv
      """)

  @Argument(
    help: ArgumentHelp(
      "Source to listen to, or recordings and folders of traces to read (default: the first adapter).",
      valueName: "file"),
    completion: .file())
  var inputs: [SourcePath] = []

  @Option(
    help: ArgumentHelp(
      "Beacon to calibrate: UUID[:MAJOR[:MINOR]], an identity, an address or a name; repeatable.",
      valueName: "beacon"))
  var beacon: [String] = []

  @Flag(help: "Calibrate every beacon received.")
  var allBeacons = false

  @Option(help: ArgumentHelp("Use only sightings of this receiver.", valueName: "name"))
  var receiver: String?

  @Option(
    help: ArgumentHelp(
      "Use only poses of this series of a recording; repeatable.", valueName: "name"))
  var series: [String] = []

  @Option(help: ArgumentHelp("Target half-width of the 95 % interval, in dB.", valueName: "db"))
  var precision = 1.0

  @OptionGroup var writing: CalibrateOutputOptions
  @OptionGroup(title: "Poses") var posing: PoseOptions
  @OptionGroup(title: "Scanning") var scanning: ScanOptions
  @OptionGroup(title: "Source-specific options") var sourcing: SourceOptions
  @OptionGroup var measuring: MetricsOptions
  @OptionGroup(title: "Tables of other programs") var tables: TableOptions
  @OptionGroup var known: RegistryOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let outputs = CalibrateOutputs(
      report: writing.output?.path, table: writing.table?.path, printsJSON: reporting.json,
      record: writing.record?.path)
    var request = try request()
    try request.check()
    let sources = inputs.compactMap { try? SourceName($0.path) }
    guard inputs.isEmpty || inputs.count == 1 && sources.count == 1 else {
      try checkRecordings(sources)
      try measuring.refuse("a recording has an end: listen to a source")
      request.inputs = try inputFiles(inputs.paths)
      try outputs.check()
      return try outputs.write(
        CalibrateStage(request).run(in: reporting.context), reporting)
    }
    try guide(benchRequest(request, sources.first ?? .adapter(nil)), outputs)
  }

  private func guide(_ request: BenchRequest, _ outputs: CalibrateOutputs) throws {
    try request.check()
    try outputs.check()
    guard request.yes || BenchTerminal.hasKeys else {
      throw RSSIError(
        .usage,
        "standard input is not a terminal, so no Enter key can begin a pose: run it on one, or go "
          + "from pose to pose by time with --yes and a longer --countdown"
      )
    }
    let name = request.source.name.description
    let served = try measuring.serve("calibrate", of: name, reporting.messages)
    defer { served?.end() }
    StopSignals.install()
    var request = request
    request.person = BenchTerminal(quiet: reporting.quiet)
    let result = try BenchStage(request)
      .run(in: LiveContext(reporting).publishing(on: served?.board))
    try outputs.write(result.calibration, reporting)
    if let failure = result.failure { throw failure }
  }

  private func benchRequest(
    _ calibration: CalibrateRequest, _ source: SourceName
  ) throws -> BenchRequest {
    guard series.isEmpty else {
      throw RSSIError(.usage, "--series is for recordings: a live source has one series")
    }
    guard posing.split == nil else {
      throw RSSIError(.usage, "--split is for recordings: the poses of a live source are guided")
    }
    var request = BenchRequest(try sourcing.request(source, scanning.settings()))
    request.calibration = calibration
    request.calibration.inputs = []
    if !beacon.isEmpty {
      try request.calibration.registry.learnNames(from: source.replayedFiles())
    }
    request.record = writing.record?.path
    try posing.set(&request)
    return request
  }

  private func request() throws -> CalibrateRequest {
    var request = CalibrateRequest()
    request.inputs = inputs.paths
    request.columns = try tables.sightings()
    request.beacon = beacon
    request.allBeacons = allBeacons
    request.receiver = receiver
    request.series = series
    request.precision = precision
    request.pose = posing.pose
    request.distance = try posing.distances()
    request.split = try posing.splitLength()
    request.registry = try known.load(reporting.log)
    return request
  }

  private func checkRecordings(_ sources: [SourceName]) throws {
    if let source = sources.first {
      throw RSSIError(
        .usage,
        "\(source) is listened to alone: name one source, or files (./\(source) for a file of that "
          + "name)")
    }
    guard writing.record == nil else {
      throw RSSIError(
        .usage, "--record is for live sources: \(inputs[0]) is a recording already")
    }
    if let option = posing.optionOfLiveSources {
      throw RSSIError(
        .usage,
        "\(option) is for live sources: the poses of \(inputs[0]) are its stays, or the file is one"
      )
    }
  }
}

/// The poses, and their duration.
struct PoseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Number of poses at each distance, turning the beacon or the receiver (default: 4).",
      valueName: "n"))
  var poses: Int?

  @Option(
    help: ArgumentHelp(
      "Named pose, such as upright, instead of --poses; repeatable.", valueName: "name"))
  var pose: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Distance from beacon to receiver in metres; repeatable (default: 1m, where measured power is defined).",
      valueName: "metres"))
  var distance: [String] = []

  @Option(
    help: ArgumentHelp(
      "Cut a recording of several poses, one after the other, into poses of this length.",
      valueName: "time"))
  var split: String?

  @Option(help: ArgumentHelp("Listening time in each pose (default: 20s).", valueName: "time"))
  var duration: String?

  @Option(
    help: ArgumentHelp("Time to step back before each pose (default: 3s).", valueName: "time"))
  var countdown: String?

  @Flag(help: "Do not prompt: start each pose when its countdown ends.")
  var yes = false

  /// In metres, as given.
  func distances() throws -> [Double] { try distance.map { try parsedDistance($0) } }

  /// The length of a pose; nil if recordings are not cut.
  func splitLength() throws -> Duration? {
    try split.map { try time($0, "--split") }
  }

  /// Sets the number of poses and their duration.
  func set(_ request: inout BenchRequest) throws {
    request.poses = poses
    request.yes = yes
    if let duration { request.duration = try time(duration, "--duration", BenchRequest.durations) }
    if let countdown {
      request.countdown = try time(countdown, "--countdown", BenchRequest.countdowns)
    }
  }

  /// The first option that does not apply to a recording; nil if none was given.
  var optionOfLiveSources: String? {
    if poses != nil { return "--poses" }
    if duration != nil { return "--duration" }
    if countdown != nil { return "--countdown" }
    return yes ? "--yes" : nil
  }
}

/// The files that `rssi calibrate` writes.
struct CalibrateOutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Report to write (JSON).", valueName: "file"),
    completion: .file())
  var output: OutputStreamPath?

  @Option(
    help: ArgumentHelp(
      "Table of beacons to write (CSV), for `rssi import --nodes` and flashing tools.",
      valueName: "file"), completion: .file())
  var table: OutputStreamPath?

  @Option(
    help: ArgumentHelp(
      "Trace to write of everything a live source received, labelled with distance and pose.",
      valueName: "file"), completion: .file())
  var record: TracePath?
}

/// The outputs of a calibration.
struct CalibrateOutputs {
  /// The report (JSON); - is standard output.
  var report: String?
  /// The table of beacons (CSV); - is standard output.
  var table: String?
  /// A Boolean value that is true if standard output gets the report as JSON, in place of text.
  var printsJSON: Bool
  /// The trace of the received sightings.
  var record: String?

  /// Checks that at most one output is standard output.
  func check() throws(RSSIError) {
    guard [report == "-", table == "-", printsJSON].filter(\.self).count < 2 else {
      throw RSSIError(
        .usage,
        "of --json, -o - and --table - only one can have the standard output: name files")
    }
  }

  /// Writes and prints the results, and throws if no beacon has one.
  func write(_ result: CalibrateResult, _ reporting: ReportingOptions) throws {
    let report = CalibrateReport(result, by: .program)
    let json = jsonText(report.json)
    if let path = self.report { try writeOutput(json, to: path) }
    if let table { try writeOutput(BeaconTable(result.beacons).text, to: table) }
    if printsJSON {
      try StandardOutput.write(json)
    } else if self.report != "-", table != "-" {
      try StandardOutput.show(report.text)
    }
    for (reason, count) in result.excluded.sorted(by: { $0.key < $1.key }) {
      reporting.note("left out \(count) × \(reason)")
    }
    try result.requirePower()
  }
}
