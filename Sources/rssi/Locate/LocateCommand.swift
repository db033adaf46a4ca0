import ArgumentParser
import LivePipelines
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
    let request = try request()
    let form = try output.map { try PositionForm(path: $0) }
    try checkOutput(form)
    try checkFiles(form)
    let run = try LocateRun(request, log: reporting.log)
    let isStream = inputs == ["-"]
    let events =
      spots.events
      ? SpotEventOutput(command: spots.onEvent, mayWait: !isStream, LiveContext(reporting)) : nil
    if isStream {
      try locateStream(run, form, events)
    } else {
      try locateFiles(run, form, events)
    }
  }

  private func request() throws -> LocateRequest {
    var request = LocateRequest()
    request.algorithm = algorithm
    request.patience = try nanoseconds(
      patience, of: "--patience", such: "such as 10s or 500ms")
    request.calibration = calibration
    request.group = group
    try place.apply(to: &request)
    try spots.apply(to: &request)
    try asking.apply(to: &request)
    try request.check()
    return request
  }

  private func checkOutput(_ form: PositionForm?) throws {
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
    guard inputs == ["-"] else { return }
    try refuse(
      isTrace,
      "the positions of a stream cannot go into a trace: write .csv, or record it with `rssi "
        + "capture` and locate that")
    try refuse(
      reporting.json, "--json reports on traces; of a stream every position is a line of JSON")
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
}
