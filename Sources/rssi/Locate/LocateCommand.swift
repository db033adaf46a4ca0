import ArgumentParser
import Glibc
import LivePipelines
import Positioning
import Registries
import Reporting
import Support
import TracePipelines
import TraceStore

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
  var inputs: [SourcePath]

  @Option(
    help: ArgumentHelp(
      "Calibration written by `rssi fit -o`: a file, or a trace that contains one (default: the input's own).",
      valueName: "file"), completion: .file())
  var calibration: InputPath?

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
  var output: PositionsPath?

  @Option(
    help: ArgumentHelp(
      "Name of the positions in an output trace (default: the algorithm's).", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Floor plan with paths and 95 % ellipses: a page (.html), a picture (.svg, .png, .pdf) or a map (.geojson); repeatable.",
      valueName: "file"), completion: .file())
  var report: [OutputPath] = []

  @Option(help: ArgumentHelp("Name of this receiver (default: the adapter's).", valueName: "name"))
  var receiver: String?

  @OptionGroup var ending: DurationOption

  @OptionGroup var sourcing: SourceOptions

  @OptionGroup var publishing: PublishOptions

  @OptionGroup var measuring: MetricsOptions

  @OptionGroup var known: RegistryOptions

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    let source = try liveSource()
    let inputs = try source == nil ? inputFiles(self.inputs.paths) : self.inputs.paths
    let registry = try known.load(reporting.log, for: source == nil ? inputs : [])
    let request = try request(registry, of: source == nil ? inputs : [])
    let form = try output.map { try PositionForm(path: $0.path) }
    let isLive = source != nil || inputs == ["-"]
    let plans = try report.map { try PlanForm(path: $0.path) }
    try checkOutput(form, of: inputs, isLive: isLive)
    if source == nil { try ending.refuse("files and streams end by themselves") }
    let basis = try LocateBasis(request, log: reporting.log)
    for plan in plans { try plan.check(basis.reference) }
    if !isLive {
      try measuring.refuse("a file has an end: locate a source or a stream (-)")
      try publishing.refuse("a file has an end: locate a source or a stream (-)")
    }
    let names = BeaconNames(registry)
    let events =
      spots.events
      ? try PlaceEventOutput(
        names, command: spots.onEvent, mayWait: !isLive, LiveContext(reporting)) : nil
    if isLive {
      try locateLive(source, basis, form, events, names)
    } else {
      try locateFiles(inputs, basis, form, plans, events, names)
    }
  }

  /// Returns the source to listen to; nil if inputs are files or a stream.
  private func liveSource() throws -> SourceRequest? {
    guard inputs.count == 1, access(inputs[0].path, F_OK) != 0,
      let name = try? SourceName(inputs[0].path)
    else { return nil }
    return try sourcing.request(name)
  }

  private func request(_ registry: Registry, of inputs: [String]) throws -> LocateRequest {
    var request = LocateRequest()
    request.algorithm = algorithm.map(Algorithms.canonical)
    request.patience = try time(
      patience, "--patience", ChosenAlgorithm.patiences)
    request.calibration = calibration?.path
    request.group = group
    try place.apply(to: &request)
    try spots.apply(to: &request)
    try asking.apply(to: &request)
    if !request.node.isEmpty { try registry.learnNames(from: inputs) }
    request.node = try request.node.map { try nodeID($0, of: "node", in: registry) }
    request.registry = registry
    try request.check()
    return request
  }
}

extension LocateCommand {
  /// - Throws: a usage failure for outputs that exclude each other, or an input.
  func checkOutput(_ form: PositionForm?, of inputs: [String], isLive: Bool) throws {
    func refuse(_ isWrong: Bool, _ words: String) throws {
      if isWrong { throw RSSIError(.usage, words) }
    }
    let isLines = form?.isStandardOutput == true
    try refuse(
      inputs.contains("-") && inputs.count > 1,
      "- is a stream that may not end: locate it alone")
    try refuse(
      spots.events && (reporting.json || isLines),
      "--events writes to standard output: leave --json out, and name a file with -o")
    try refuse(
      reporting.json && isLines,
      "-o - writes lines of JSON, --json one document: leave one of them out")
    var isTrace = false
    if case .trace(let path) = form {
      isTrace = true
      try refuse(
        inputs.count > 1,
        "-o \(path) holds the positions of one trace: locate one at a time, or write .csv")
    }
    try refuse(name != nil && !isTrace, "--name goes with -o of a trace (.h5)")
    guard isLive else { return }
    try refuse(
      !report.isEmpty,
      "--report shows traces, which have an end: record the stream with `rssi capture` and locate "
        + "that")
    try refuse(
      isTrace,
      "the positions of a stream cannot go into a trace: write .csv, or record it with `rssi "
        + "capture` and locate that")
    try refuse(
      reporting.json, "--json reports on traces; of a stream every position is a line of JSON")
  }

  /// - Parameter source: the source; nil for standard input.
  func locateLive(
    _ source: SourceRequest?, _ basis: LocateBasis, _ form: PositionForm?,
    _ events: PlaceEventOutput?,
    _ names: BeaconNames
  ) throws {
    let served = try measuring.serve("locate", of: inputs[0].path, reporting.messages)
    defer { served?.end() }
    let published = try publishing.begin(
      sourcing.login, names, knowing: basis.request.registry, asked: basis.request.node,
      epoch: basis.request.epoch, reporting.log)
    defer { published?.end() }
    if source != nil { StopSignals.install() }
    let context = LiveContext(reporting).publishing(on: served?.board)
      .ending(after: try ending.parsed())
    // Without a file, positions are lines, unless events are.
    try PositionOutput.with(
      form ?? (spots.events ? nil : .lines("-")), names, events: events
    ) { output in
      let sink = PositionSinks([output, published?.board])
      if let source {
        try LiveLocateStage(
          LiveLocateRequest(source, receiver: receiver, by: basis, into: sink)
        ).run(in: context)
      } else {
        try StreamLocateStage(StreamLocateRequest(by: basis, into: sink)).run(in: context.stage)
      }
      try events?.finish()
    }
  }

  func locateFiles(
    _ inputs: [String], _ basis: LocateBasis, _ form: PositionForm?, _ plans: [PlanForm],
    _ events: PlaceEventOutput?,
    _ names: BeaconNames
  ) throws {
    var summary = LocateReport(
      algorithm: basis.request.algorithmName, reason: basis.request.algorithmReason,
      epoch: asking.epoch, names: names)
    var request = TraceLocateRequest(inputs, by: basis)
    request.keepsTraces = !plans.isEmpty
    if case .trace(let path) = form {
      // Times are stored as they were typed.
      request.output = PositionsOutput(
        path: path, name: name,
        settings: ["epoch": asking.epoch, "window": asking.window ?? asking.epoch])
    }
    var result: TraceLocateResult?
    try PositionOutput.with(form, names, events: events) { output in
      var request = request
      request.take = { file in
        for position in file.positions { try output.receive(position) }
        for event in file.events { try output.receive(event) }
        summary.add(file, keepsPositions: form == nil)
      }
      result = try TraceLocateStage(request).run(in: reporting.context)
    }
    if let result, !plans.isEmpty {
      let page = PositionsPage(
        summary, result.traces, on: try result.floorPlan(), at: basis.reference, names,
        by: .program)
      for plan in plans { try plan.write(page) }
    }
    try events?.finish()
    if form?.isStandardOutput != true, events == nil {
      try reporting.report(summary.json, text: summary.text(listsPositions: plans.isEmpty))
    }
    try reporting.wrote((output?.path == "-" ? [] : [output?.path]) + report.paths)
  }
}
