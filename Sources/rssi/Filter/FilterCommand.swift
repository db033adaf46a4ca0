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
    help: ArgumentHelp("Trace, or - for NDJSON on standard input.", valueName: "file"),
    completion: .file())
  var input: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Trace to write; may be the input itself.", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var filters: FilterOptions

  @Option(
    help: ArgumentHelp(
      "Compare filters on a trace instead, as a table of errors.",
      discussion:
        "Separate filters with commas; join the filters of a chain with +, as in kalman,median:window=1s,hampel+kalman; all = every filter without required parameters.",
      valueName: "filters"))
  var compare: String?

  @Option(
    help: ArgumentHelp(
      "With --compare: number of levels at the start of each link that are not scored. (default: 10)",
      valueName: "n"))
  var settling: Int?

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
    if let compare { return try runComparison(compare) }
    guard pictured.isEmpty, settling == nil else {
      throw RSSIError(.usage, "--picture and --settling go with --compare: name filters there")
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
        log: reporting.log, publishingOn: served?.board
      ).run(to: StandardOutputLines())
      return
    }
    guard let output else {
      throw RSSIError(.usage, "name the trace to write with -o; it may be the input itself")
    }
    var files = CommandFiles()
    files.read([input])
    files.read([self.known.path], as: "--registry")
    files.write([output], as: "-o", mayReplace: [input])
    try files.check(reporting)
    let request = FilterRequest(
      input: input, output: output, name: name, chain: try filters.chain(),
      reorder: try filters.reorderWindow(), resetAfter: try filters.longestGap())
    let registry = try known.load()
    let outcome = try FilteredTrace(request, by: .program, log: reporting.log).run()
    let report = FilterReport(outcome, names: BeaconNames(registry, outcome.catalogue.beacons))
    try reporting.report(report.json, text: report.text(of: output))
  }

  private func runComparison(_ text: String) throws {
    guard input != "-" else {
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
    guard pictured.picture != nil || pictured.isEmpty else {
      throw RSSIError(.usage, "--picture-beacon and --picture-receiver go with --picture FILE")
    }
    if let picture = pictured.picture { _ = try PictureFormat(path: picture) }
    var files = CommandFiles()
    files.read([input])
    files.read([known.path], as: "--registry")
    files.write([pictured.picture], as: "--picture")
    try files.check(reporting)
    let registry = try known.load()
    let request = FilterComparisonRequest(
      input: input, chains: try FilterSpecification.chains(text),
      reorder: try filters.reorderWindow(), resetAfter: try filters.longestGap(),
      settling: settling ?? 10)
    let comparison = try FilterComparison(request, log: reporting.log)
    if let picture = pictured.picture {
      let link = try pictured.choose(from: comparison, registry)
      try writeOutput(ComparisonPicture(comparison, link: link).chart, to: picture)
      reporting.note("drew \(picture)")
    }
    let report = ComparisonReport(comparison)
    try reporting.report(report.json, text: report.text)
  }
}
