import ArgumentParser
import LivePipelines
import Registries
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
      with an interval from the variation between poses.

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
  var inputs: [String] = []

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
  @OptionGroup var known: RegistryOptions
  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let outputs = CalibrateOutputs(
      report: writing.output, table: writing.table, printsJSON: reporting.json,
      record: writing.record)
    var request = try request()
    try request.check()
    let sources = inputs.compactMap { try? SourceName($0) }
    guard inputs.isEmpty || inputs.count == 1 && sources.count == 1 else {
      try checkRecordings(sources)
      try measuring.refuse("a recording has an end: listen to a source")
      request.inputs = try inputFiles(inputs)
      try outputs.check(filesRead(request.inputs), reporting)
      return try outputs.write(RecordedBench(request, log: reporting.log).result(), reporting)
    }
    try guide(benchRequest(request, sources.first ?? .adapter(nil)), outputs)
  }

  private func guide(_ request: BenchRequest, _ outputs: CalibrateOutputs) throws {
    try request.check()
    try outputs.check(filesRead(request.source.name.replayedFiles()), reporting)
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
    let result = try guideBench(
      request, LiveContext(reporting).publishing(on: served?.board),
      by: BenchTerminal(quiet: reporting.quiet))
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
    request.record = writing.record
    try posing.set(&request)
    return request
  }

  private func request() throws -> CalibrateRequest {
    var request = CalibrateRequest()
    request.inputs = inputs
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

  private func filesRead(_ inputs: [String]) -> CommandFiles {
    var files = CommandFiles()
    files.read(inputs)
    sourcing.login.addFiles(to: &files)
    files.read([known.path], as: "--registry")
    return files
  }
}
