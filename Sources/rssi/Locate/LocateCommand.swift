import ArgumentParser
import Glibc
import LivePipelines
import Positioning
import Registries
import Reporting
import Support
import TracePipelines

struct LocateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "locate",
    abstract: "Estimate positions of moving nodes, with covariances.",
    discussion: """
      A moving node is a receiver among fixed beacons, or a beacon among fixed receivers: any node \
      without a known position. Positions are estimated at whole seconds from the sightings so far; \
      no truth is needed. A source of `rssi capture` (hci0, mqtt://…, nats://…, replay:FILE) or a stream \
      (-) is located live.

      EXAMPLES:
        rssi locate walks.h5 --calibration calibration.json -o positions.csv
        rssi locate walks.h5 --calibration calibration.json --algorithm kalman
        rssi locate walks.h5 --calibration calibration.json --site site.toml \\
          --report map.html
        rssi locate nats://broker.local/SITE --calibration calibration.json \\
          --site site.toml
      """)

  @Argument(
    help: ArgumentHelp(
      "Traces, folders of traces, a source to listen to, or - for NDJSON on standard input.",
      valueName: "file"),
    completion: .file())
  var inputs: [String]

  @Option(
    help: ArgumentHelp(
      "Calibration written by `rssi fit -o`: a file, or a trace that contains one (default: the input's own).",
      valueName: "file"), completion: .file())
  var calibration: String?

  @Option(
    help: ArgumentHelp(
      "Group of the calibration to use for all links, such as a series of distances.",
      valueName: "name"))
  var group: String?

  @Option(
    help: ArgumentHelp(
      "Algorithm of `rssi eval`, with parameters, or exec:PROGRAM (default: particle-filter, with map=yes where a survey or a radio map is given).",
      valueName: "algorithm"), completion: .list(Algorithms.names))
  var algorithm: String?

  @Option(help: ArgumentHelp("exec: time limit for one answer of a program.", valueName: "time"))
  var patience = "10s"

  @OptionGroup var asking: LocateOptions

  @OptionGroup var place: PlaceOptions

  @OptionGroup var spots: SpotOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Output for positions: .csv, .ndjson, a trace (.h5), or - for NDJSON on standard output.",
      valueName: "file"), completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Name of the positions in an output trace (default: the algorithm's).", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Floor plan with paths and 95 % ellipses: a page (.html), a picture (.svg, .png, .pdf) or a map (.geojson); repeatable.",
      valueName: "file"), completion: .file())
  var report: [String] = []

  @Option(help: ArgumentHelp("Name of this receiver (default: the adapter's).", valueName: "name"))
  var receiver: String?

  @OptionGroup var ending: DurationOption

  @OptionGroup(title: "Source-specific options") var sourcing: SourceOptions

  @OptionGroup var publishing: PublishOptions

  @OptionGroup var measuring: MetricsOptions

  @OptionGroup var known: RegistryOptions

  @OptionGroup var reporting: ReportingOptions

  mutating func run() throws {
    let source = try liveSource()
    if source == nil { inputs = try inputFiles(inputs) }
    let registry = try known.load(reporting.log, for: source == nil ? inputs : [])
    let request = try request(registry)
    let form = try output.map { try PositionForm(path: $0) }
    let isLive = source != nil || inputs == ["-"]
    let plans = try report.map { try PlanForm(path: $0) }
    try checkOutput(form, isLive: isLive)
    try checkFiles(form, source)
    if source == nil { try ending.refuse("files and streams end by themselves") }
    let run = try LocateRun(request, log: reporting.log)
    for plan in plans { try plan.check(run.reference) }
    if !isLive {
      try measuring.refuse("a file has an end: locate a source or a stream (-)")
      try publishing.refuse("a file has an end: locate a source or a stream (-)")
    }
    let names = BeaconNames(registry)
    let events =
      spots.events
      ? SpotEventOutput(
        names, command: spots.onEvent, mayWait: !isLive, LiveContext(reporting)) : nil
    if isLive {
      try locateLive(source, run, form, events, names)
    } else {
      try locateFiles(run, form, plans, events, names)
    }
  }

  /// The source to listen to; nil where inputs are files or a stream.
  private func liveSource() throws -> SourceRequest? {
    guard inputs.count == 1, access(inputs[0], F_OK) != 0, let name = try? SourceName(inputs[0])
    else { return nil }
    return try sourcing.request(name)
  }

  private func request(_ registry: Registry) throws -> LocateRequest {
    var request = LocateRequest()
    request.algorithm = algorithm
    request.patience = try time(
      patience, "--patience", ChosenAlgorithm.patiences)
    request.calibration = calibration
    request.group = group
    try place.apply(to: &request)
    try spots.apply(to: &request)
    try asking.apply(to: &request)
    request.node = try request.node.map { try nodeID($0, of: "node", in: registry) }
    request.registry = registry
    try request.check()
    return request
  }

  private func checkFiles(_ form: PositionForm?, _ source: SourceRequest?) throws {
    var files = CommandFiles()
    files.read(try source?.name.replayedFiles() ?? inputs)
    sourcing.login.addFiles(to: &files)
    files.read([calibration], as: "--calibration")
    files.read(site: place.site)
    files.read([place.nodes], as: "--nodes")
    files.read(place.survey, as: "--survey")
    files.read([place.radioMap], as: "--radio-map")
    files.read([known.path], as: "--registry")
    // Positions are added to a trace.
    var traces: [String] = []
    if case .trace = form { traces = inputs }
    files.write([output], as: "-o", isStream: true, mayReplace: traces)
    files.write(report, as: "--report")
    try files.check(reporting)
  }
}
