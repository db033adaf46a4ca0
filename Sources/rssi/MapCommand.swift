import ArgumentParser
import Inputs
import Reporting
import Support
import TracePipelines

struct MapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "map",
    abstract: "Learn the radio map of a site from a survey.",
    discussion: """
      Reads traces with truth, and learns how the level of each anchor differs from its path-loss \
      curve from place to place, as `rssi eval` and `rssi locate` do with --survey. They read the \
      file with --radio-map, give the same positions, and refuse it for other anchors or constants. \
      It holds the calibration, too. A recording that the map was learned from is not scored.

      EXAMPLES:
        rssi map walks.h5 --calibration calibration.json --trace walk-1 \\
          --trace walk-2 --trace walk-3 -o map.h5 && \\
          rssi eval walks.h5 --radio-map map.h5 --trace walk-4 --trace walk-5
        # with the epochs of `rssi locate`
        rssi map walks.h5 --calibration calibration.json \\
          --epoch 1s --truth-at end -o site.h5 && \\
          rssi locate walks.h5 --radio-map site.h5 --algorithm kalman:map=yes
      """)

  @Argument(
    help: ArgumentHelp(
      "Traces, and folders of traces, with truth and anchors at known positions.",
      valueName: "file"), completion: .file())
  var inputs: [String]

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Radio map to write (.h5).", valueName: "file"),
    completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "Calibration written by `rssi fit -o`: a file, or a trace that contains one.",
      valueName: "file"), completion: .file())
  var calibration: String

  @Option(
    help: ArgumentHelp(
      "Group of the calibration to use for all links, such as a series of distances.",
      valueName: "name"))
  var group: String?

  @Option(help: ArgumentHelp("Learn from this trace only; repeatable.", valueName: "name"))
  var trace: [String] = []

  @OptionGroup var epochs: EpochOptions

  @Option(
    help: ArgumentHelp(
      "Filter whose levels to use; none for the raw levels (default: the trace's only filter, if any).",
      valueName: "filter"))
  var filtered: String?

  @Option(
    help: ArgumentHelp(
      "Site file (TOML) with anchors whose positions are missing from the traces.",
      valueName: "file"), completion: .file())
  var site: String?

  @Option(
    help: ArgumentHelp("2: positions in the plane; 3: positions and heights.", valueName: "2|3"))
  var dimensions = 2

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Height in metres of the nodes to locate, with 2 dimensions (default: the median of the anchors).",
      valueName: "metres"))
  var height: Double?

  @OptionGroup var reporting: ReportingOptions

  mutating func run() throws {
    inputs = try inputFiles(inputs)
    let request = try request()
    var files = CommandFiles()
    files.read(inputs)
    files.read([calibration], as: "--calibration")
    files.read([site], as: "--site")
    files.write([output], as: "-o")
    try files.check(reporting)
    let result = try RadioMapLearning(request, by: .program, log: reporting.log).result()
    for note in result.notes { reporting.warn(note) }
    let report = RadioMapReport(result)
    try reporting.report(report.json, text: report.text)
  }

  private func request() throws -> RadioMapRequest {
    var request = RadioMapRequest(output: output)
    request.inputs = inputs
    request.calibration = calibration
    request.group = group
    request.trace = trace
    request.epoch = try epochs.plan()
    request.truthAt = epochs.truth
    request.filtered = filtered
    guard let offset = try epochs.offset() else {
      throw RSSIError(
        .usage, "--clock-offset estimate: give a time; rssi eval shows which offset fits")
    }
    request.clockOffset = offset
    request.site = site
    request.dimensions = try dimensionsOfPositions(dimensions)
    request.height = height
    try request.check()
    return request
  }
}
