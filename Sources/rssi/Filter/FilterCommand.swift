import ArgumentParser
import Filtering
import Plotting
import Registries
import Reporting
import Sightings
import Support
import TracePipelines
import TraceStore

struct FilterCommand: ParsableCommand, FileDeclaring {
  static let configuration = CommandConfiguration(
    commandName: "filter",
    abstract: "Filter the levels of each link in time.",
    discussion: """
      The output is a copy of the trace with the filtered levels under /filtered/NAME; a stream (-) \
      is read and written as NDJSON. Several filters form a chain.

      EXAMPLES:
        rssi filter walks.h5 -o filtered.h5
        rssi filter walks.h5 --filter hampel --filter kalman:q=1,r=9 -o filtered.h5
        rssi filter walks.h5 --compare kalman,median:window=1s,ewma
        rssi export walks.h5 --format ndjson | rssi filter - | head -n 3

      FILTERS (docs/filters.md describes each). Parameters follow the name, as in kalman:q=0.5,r=9 or \
      median:window=2s; omitted ones have their defaults, and q and r are estimated from the levels.

      \(parameterList(of: FilterKind.all))
      """)

  @Argument(
    help: ArgumentHelp(
      "Trace, or - for NDJSON on standard input; several traces and folders of traces with --compare; parts with --merge.",
      valueName: "file"),
    completion: .file())
  var inputs: [InputPath]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Trace to write; may be the input itself.", valueName: "file"),
    completion: .file())
  var output: UpdatedTracePath?

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

  func declareFiles(in files: inout CommandFiles) {
    files.allowStandardOutput(inputs.paths == ["-"])
  }

  func run() throws {
    if sharing.merge { return try mergeComparisons() }
    if let compare { return try runComparison(compare) }
    guard pictured.isEmpty, settling == nil, sharing.part == nil, sharing.share == nil else {
      throw RSSIError(
        .usage, "--picture, --settling and --part go with --compare: name filters there")
    }
    guard inputs.count == 1, let input = inputs.first?.path else {
      throw RSSIError(.usage, "one trace is filtered at a time; --compare takes several")
    }
    if input != "-" { try measuring.refuse("a file has an end: filter a stream (-)") }
    if input == "-" {
      guard output == nil || output?.path == "-" else {
        throw RSSIError(
          .usage, "a stream is filtered into a stream: leave -o out, or import it first")
      }
      guard !reporting.json else {
        throw RSSIError(.usage, "--json reports on a trace, not on a stream")
      }
      let served = try measuring.serve("filter", of: "-", reporting.messages)
      defer { served?.end() }
      try FilterStreamStage(request(input, to: "-")).run(
        in: reporting.messages.context(board: served?.board))
      return
    }
    guard let output = output?.path else {
      throw RSSIError(.usage, "name the trace to write with -o; it may be the input itself")
    }
    let registry = try known.load(reporting.log, for: [input])
    let outcome = try FilterStage(request(input, to: output))
      .run(in: reporting.context)
    let report = FilterReport(outcome, names: BeaconNames(registry, outcome.catalogue.beacons))
    try reporting.report(report.json, text: report.text(of: output))
  }

  private func request(_ input: String, to output: String) throws -> FilterRequest {
    var request = FilterRequest(
      input: input, output: output, name: name, chain: try filters.chain(),
      reorder: try filters.reorderWindow(), resetAfter: try filters.longestGap())
    request.calibration = filters.calibration?.path
    return request
  }

  private func runComparison(_ text: String) throws {
    guard !inputs.paths.contains("-") else {
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
    if let picture = pictured.picture?.path { _ = try PictureFormat(path: picture) }
    var request = FilterComparisonRequest(
      inputs: try inputFiles(inputs.paths), chains: try FilterSpecification.chains(text),
      reorder: try filters.reorderWindow(), resetAfter: try filters.longestGap(),
      settling: settling ?? 10)
    let registry = try known.load(reporting.log)
    if pictured.pictureBeacon != nil { try registry.learnNames(from: request.inputs) }
    request.names = try pictured.names(registry)
    if let path = sharing.part?.path {
      let part = try FilterShard(
        request, share: share, by: .shareable(inputs: inputs.paths), log: reporting.log)
      return try reporting.report(part.write(to: path))
    }
    guard let picture = pictured.picture?.path else {
      return try report(FilterComparisonStage(request).run(in: reporting.context))
    }
    let (comparison, result) = try FilterComparisonStage(request)
      .pictured(in: reporting.context)
    let link = try pictured.choose(from: comparison, registry)
    try writeOutput(ComparisonPicture(comparison, link: link).chart, to: picture)
    reporting.note("wrote \(picture)")
    try report(result)
  }

  private func mergeComparisons() throws {
    try sharing.refuse(
      withPart: [],
      withMerge: [
        ("--compare", compare != nil), ("-o", output != nil), ("--settling", settling != nil),
        ("--filter", !filters.filter.isEmpty), ("--name", name != nil),
        ("--picture", !pictured.isEmpty), ("--share", sharing.share != nil),
      ])
    try report(FilterShard(merging: inputs.paths).comparison(log: reporting.log))
  }

  private func report(_ compared: ComparedFilters) throws {
    let report = ComparisonReport(compared)
    try reporting.report(report.json, text: report.text)
  }
}

/// Options of the chain of filters.
struct FilterOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Filter; repeat the option for a chain. (default: kalman; of a stream multiple-model)",
      valueName: "filter"),
    completion: .list(FilterKind.all.map(\.name)))
  var filter: [String] = []

  @Option(
    help: ArgumentHelp(
      "Put sightings in time order that are behind their link's clock by up to this; twice the largest delay of times is enough (0 = none).",
      valueName: "time"))
  var reorder = "100ms"

  @Option(
    help: ArgumentHelp(
      "Calibration whose offsets of channels are subtracted first (fit --channel-offsets).",
      valueName: "file"),
    completion: .file())
  var calibration: InputPath?

  @Option(
    help: ArgumentHelp(
      "Restart the filters of a link after this time without a level (default: never).",
      valueName: "time"))
  var resetAfter: String?

  func chain() throws -> [FilterSpecification] {
    try (filter.isEmpty ? ["kalman"] : filter).map { text throws(RSSIError) in
      try FilterSpecification(text)
    }
  }

  func reorderWindow() throws -> Duration {
    try time(
      reorder, "--reorder", DurationRange(.zero...DurationRange.longest, such: "100ms, 1s or 0"))
  }

  /// The gap that restarts a link; nil = none does.
  func longestGap() throws -> Duration? {
    try resetAfter.map { try time($0, "--reset-after") }
  }
}

/// The link in a picture of filters.
struct PicturedLink: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Plot the filtered levels of one link to this file: .svg, .png or .pdf.", valueName: "file"),
    completion: .file())
  var picture: OutputPath?

  @Option(
    help: ArgumentHelp(
      "Beacon to plot: an identity or a name (default: the link with the most sightings).",
      valueName: "beacon"))
  var pictureBeacon: String?

  @Option(help: ArgumentHelp("Receiver to plot.", valueName: "name"))
  var pictureReceiver: String?

  /// A Boolean value that is true if no option is given.
  var isEmpty: Bool { picture == nil && pictureBeacon == nil && pictureReceiver == nil }

  /// The beacon to show, by its name in recordings.
  func names(_ registry: Registry) throws -> [String] {
    try [pictureBeacon].compactMap(\.self).map { try nodeID($0, of: "pictureBeacon", in: registry) }
  }

  /// The number of the link in the table.
  ///
  /// - Parameter registry: gives the names that `--picture-beacon` may use.
  func choose(from comparison: FilterComparison, _ registry: Registry) throws -> Int {
    guard
      let link = try comparison.busiestLink(
        beacon: names(registry).first, receiver: pictureReceiver)
    else {
      throw RSSIError(
        .usage,
        "no sighting is of the link that --picture-beacon and --picture-receiver name: `rssi info` "
          + "lists them"
      )
    }
    return link
  }
}
