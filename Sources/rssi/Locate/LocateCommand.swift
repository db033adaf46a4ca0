import ArgumentParser
import Geometry
import LivePipelines
import PathLoss
import Positioning
import Sites
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
      no truth is needed. A stream (-) is located live: \
      rssi capture -o - | rssi locate - --calibration c.json --site site.toml
      """)

  @Argument(help: "Traces, or - for NDJSON on standard input.")
  var inputs: [String]

  @Option(
    help:
      "Calibration written by `rssi fit -o`: a file, or a trace that contains one (default: the input's own)."
  )
  var calibration: String?

  @Option(help: "Group of the calibration to use for all links, such as a series of distances.")
  var group: String?

  @Option(help: "Algorithm of `rssi eval`, with parameters, or exec:PROGRAM.")
  var algorithm = "grid-filter"

  @Option(help: "exec: time limit for one answer of a program.")
  var patience = "10s"

  @OptionGroup var asking: LocateOptions

  @OptionGroup var place: PlaceOptions

  @OptionGroup var spots: SpotOptions

  @Option(
    name: .shortAndLong,
    help: "Output for positions: .csv, .ndjson, a trace (.h5), or - for NDJSON on standard output.")
  var output: String?

  @Option(help: "Name of the positions in an output trace (default: the algorithm's).")
  var name: String?

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    try place.check()
    try spots.check(site: place.site)
    let rule = try asking.rule()
    let form = try output.map { try PositionForm(path: $0) }
    try checkOutput(form)
    try checkFiles(form)
    let chosen = try ChosenAlgorithms(
      list: nil, single: [algorithm], patience: patience, withSurvey: !place.survey.isEmpty)
    guard chosen.algorithms.count == 1 else {
      throw RSSIError(.usage, "--algorithm \(algorithm): name one")
    }
    let site = try place.site.map { try EvalSite(path: $0) }
    if spots.spots || spots.events, site?.site.spots.isEmpty == true {
      throw RSSIError(
        .badInput,
        "\(place.site ?? "the site") has no [[spots]]: add some, or leave --spots and --events out")
    }
    let plan = LocatePlan(
      rule: rule, asking: asking, place: place, spots: spots, calibration: calibration,
      group: group,
      algorithms: chosen, site: site, reporting: reporting)
    if inputs == ["-"] {
      try locateStream(plan, form)
    } else {
      try LocatedFiles(
        inputs: inputs, plan: plan, form: form, name: name, events: events(mayWait: true)
      ).run()
    }
  }

  private func checkOutput(_ form: PositionForm?) throws {
    func refuse(_ words: String) throws { throw RSSIError(.usage, words) }
    if inputs.contains("-"), inputs.count > 1 {
      try refuse("- is a stream that may not end: locate it alone")
    }
    if spots.events, reporting.json || form?.isStandardOutput == true {
      try refuse("--events writes to standard output: leave --json out, and name a file with -o")
    }
    if reporting.json, form?.isStandardOutput == true {
      try refuse("-o - writes lines of JSON, --json one document: leave one of them out")
    }
    if case .trace(let path) = form, inputs.count > 1 {
      try refuse("-o \(path) holds the positions of one trace: locate one at a time, or write .csv")
    }
    if name != nil {
      guard case .trace = form else { return try refuse("--name goes with -o of a trace (.h5)") }
    }
    guard inputs == ["-"] else { return }
    if case .trace = form {
      try refuse(
        "the positions of a stream cannot go into a trace: write .csv, or record it with `rssi "
          + "capture` and locate that"
      )
    }
    if reporting.json {
      try refuse("--json reports on traces; of a stream every position is a line of JSON")
    }
    if asking.epochsOf == .truth {
      try refuse("--epochs-of truth needs a trace, whose truth is known beforehand")
    }
    if asking.filtered != nil {
      try refuse("--filtered needs a trace; a stream is filtered by `rssi filter -`")
    }
    if calibration == nil {
      try refuse("a stream holds no path-loss constants: give them with --calibration")
    }
  }

  private func checkFiles(_ form: PositionForm?) throws {
    var files = CommandFiles()
    files.read(inputs)
    files.read([calibration], as: "--calibration")
    files.read([place.site], as: "--site")
    files.read([place.nodes], as: "--nodes")
    files.read(place.survey, as: "--survey")
    // Positions are added to a trace.
    var traces: [String] = []
    if case .trace = form { traces = inputs }
    files.write([output], as: "-o", isStream: true, mayReplace: traces)
    try files.check(reporting)
  }

  private func events(mayWait: Bool) -> SpotEventOutput? {
    guard spots.events else { return nil }
    return SpotEventOutput(command: spots.onEvent, mayWait: mayWait, LiveContext(reporting))
  }

  private func locateStream(_ plan: LocatePlan, _ form: PositionForm?) throws {
    guard plan.algorithm(anchors: []).0.isCausal else {
      throw RSSIError(
        .usage,
        "\(plan.algorithmName) answers from what comes later, and a stream has no later yet: take "
          + "a causal one, such as grid-filter"
      )
    }
    let path = calibration ?? ""
    let constants = try LinkConstants(try Calibration(path: path), of: path, group: group)
    let events = events(mayWait: false)
    func run(_ position: ((LocatedPosition) throws -> Void)?) throws {
      try LocatedStream(
        plan: plan, constants: constants, position: position, event: events.map { $0.tell }
      ).run()
      try events?.finish()
    }
    if let form {
      try form.write { try run($0) }
    } else {
      try run(spots.events ? nil : { try StandardOutput.write($0.line) })
    }
  }
}
