import ArgumentParser
import Filtering
import Plotting
import Registries
import Reporting
import Sightings
import Support
import TracePipelines
import TraceStore

struct FilterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter",
    abstract: "Filter the levels of each link in time.",
    discussion: """
      \(parameterList(of: FilterKind.all))

      Parameters follow the name, as in kalman:q=0.5,r=9 or median:window=2s; omitted parameters have \
      their defaults, and q and r are estimated from the levels. Several filters form a chain. The \
      output is a copy of the trace with the filtered levels under /filtered/NAME; a stream (-) is \
      read and written as NDJSON. docs/filters.md describes each filter.

      EXAMPLES:
        rssi filter walks.h5 -o filtered.h5
        rssi filter walks.h5 --filter hampel --filter kalman:q=1,r=9 -o filtered.h5
        rssi filter walks.h5 --compare kalman,median:window=1s,ewma
        rssi export walks.h5 --format ndjson | rssi filter - | head -n 3
      """)

  @Argument(
    help: ArgumentHelp(
      "Trace, or - for NDJSON on standard input; several traces and folders of traces with --compare; parts with --merge.",
      valueName: "file"),
    completion: .file())
  var inputs: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Trace to write; may be the input itself.", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var filters: FilterOptions

  @Option(
    help: ArgumentHelp(
      "Compare filters on traces instead, as a table of errors.",
      discussion:
        "Separate filters with commas; join the filters of a chain with +, as in kalman,median:window=1s,hampel+kalman; all = every filter without required parameters.",
      valueName: "filters"))
  var compare: String?

  @Option(
    help: ArgumentHelp(
      "With --compare: number of levels at the start of each link that are not scored. (default: 10)",
      valueName: "n"))
  var settling: Int?

  @OptionGroup var sharing: PartOptions

  @OptionGroup var pictured: PicturedLink

  @Option(
    help: ArgumentHelp(
      "Name of the filtered levels in the file (default: the filters' names joined by +).",
      valueName: "name"))
  var name: String?

  @OptionGroup var measuring: MetricsOptions

  @OptionGroup var known: RegistryOptions

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    if sharing.merge { return try mergeComparisons() }
    if let compare { return try runComparison(compare) }
    guard pictured.isEmpty, settling == nil, sharing.part == nil, sharing.share == nil else {
      throw RSSIError(
        .usage, "--picture, --settling and --part go with --compare: name filters there")
    }
    guard inputs.count == 1, let input = inputs.first else {
      throw RSSIError(.usage, "one trace is filtered at a time; --compare takes several")
    }
    if input != "-" { try measuring.refuse("a file has an end: filter a stream (-)") }
    if input == "-" {
      guard output == nil || output == "-" else {
        throw RSSIError(
          .usage, "a stream is filtered into a stream: leave -o out, or import it first")
      }
      guard !reporting.json else {
        throw RSSIError(.usage, "--json reports on a trace, not on a stream")
      }
      let served = try measuring.serve("filter", of: "-", reporting.messages)
      defer { served?.end() }
      try FilteredStream(
        filters.chain(), reorder: filters.reorderWindow(), resetAfter: filters.longestGap(),
        calibration: filters.calibration, log: reporting.log, publishingOn: served?.board
      ).run(to: StandardOutputLines())
      return
    }
    guard let output else {
      throw RSSIError(.usage, "name the trace to write with -o; it may be the input itself")
    }
    var files = CommandFiles()
    files.read([input])
    files.read([self.known.path], as: "--registry")
    files.read([filters.calibration], as: "--calibration")
    files.write([output], as: "-o", mayReplace: [input])
    try files.check(reporting)
    var request = FilterRequest(
      input: input, output: output, name: name, chain: try filters.chain(),
      reorder: try filters.reorderWindow(), resetAfter: try filters.longestGap())
    request.calibration = filters.calibration
    let registry = try known.load(reporting.log, for: [input])
    let outcome = try FilteredTrace(request, by: .program, log: reporting.log).run()
    let report = FilterReport(outcome, names: BeaconNames(registry, outcome.catalogue.beacons))
    try reporting.report(report.json, text: report.text(of: output))
  }

  private func runComparison(_ text: String) throws {
    guard !inputs.contains("-") else {
      throw RSSIError(.usage, "--compare reads a trace several times: import the stream first")
    }
    guard output == nil else {
      throw RSSIError(
        .usage, "--compare writes no trace: leave -o out; --picture FILE draws one")
    }
    guard filters.filter.isEmpty, name == nil else {
      throw RSSIError(
        .usage, "--compare names the filters itself: leave --filter and --name out")
    }
    guard filters.calibration == nil else {
      throw RSSIError(
        .usage, "--compare filters levels as they were received: leave --calibration out")
    }
    guard pictured.picture != nil || pictured.isEmpty else {
      throw RSSIError(.usage, "--picture-beacon and --picture-receiver go with --picture FILE")
    }
    try sharing.refuse(withPart: [("--picture", pictured.picture != nil)], withMerge: [])
    let share = try sharing.fileShare()
    if let picture = pictured.picture { _ = try PictureFormat(path: picture) }
    var request = FilterComparisonRequest(
      inputs: try inputFiles(inputs), chains: try FilterSpecification.chains(text),
      reorder: try filters.reorderWindow(), resetAfter: try filters.longestGap(),
      settling: settling ?? 10)
    let registry = try known.load(reporting.log)
    request.names = try pictured.names(registry)
    var files = CommandFiles()
    files.read(request.inputs)
    files.read([known.path], as: "--registry")
    files.read([filters.calibration], as: "--calibration")
    files.write([pictured.picture], as: "--picture")
    files.write([sharing.part], as: "--part")
    try files.check(reporting)
    if let path = sharing.part {
      let part = try FilterPart(
        request, share: share, by: .shareable(inputs: inputs), log: reporting.log)
      return try reporting.report(part.write(to: path))
    }
    guard let picture = pictured.picture else {
      return try report(ComparedFilters(request, log: reporting.log))
    }
    let comparison = try request.comparison(log: reporting.log)
    let link = try pictured.choose(from: comparison, registry)
    try writeOutput(ComparisonPicture(comparison, link: link).chart, to: picture)
    reporting.note("drew \(picture)")
    try report(ComparedFilters(comparison, request, log: reporting.log))
  }

  private func mergeComparisons() throws {
    try sharing.refuse(
      withPart: [],
      withMerge: [
        ("--compare", compare != nil), ("-o", output != nil), ("--settling", settling != nil),
        ("--filter", !filters.filter.isEmpty), ("--name", name != nil),
        ("--picture", !pictured.isEmpty), ("--share", sharing.share != nil),
      ])
    var files = CommandFiles()
    files.read(inputs)
    try files.check(reporting)
    try report(FilterPart(merging: inputs).comparison(log: reporting.log))
  }

  private func report(_ compared: ComparedFilters) throws {
    let report = ComparisonReport(compared)
    try reporting.report(report.json, text: report.text)
  }
}
