import ArgumentParser
import Inputs
import PathLoss
import Plotting
import Registries
import Sightings
import Support
import TraceStore

struct FitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fit",
    abstract: "Fit path-loss constants to readings at known distances.",
    discussion: """
      Fits rssi = P − 10 n log10(d), or another model, with standard errors and intervals clustered \
      by position. Distances come from distance tables, or from the positions of anchors and the \
      truth of a trace. Readings of 0 dBm and above, readings without a level and distances of 0 are \
      excluded and counted. With --merge the inputs are calibrations whose readings are combined.
      """)

  @Argument(
    help:
      "Traces, tables of readings, or - for NDJSON on standard input; calibrations with --merge.")
  var inputs: [String]

  @Option(
    name: .shortAndLong, help: "Calibration file to write (JSON), or a trace to store it in.")
  var output: String?

  @Option(
    help:
      "Also plot readings, curves and residuals to this file: .svg, .png or .pdf.")
  var picture: String?

  @Flag(help: "Refit the combined readings of several calibrations, exactly.")
  var merge = false

  @Option(
    help:
      "One fit per: pooled, beacon, receiver, series, link, or several separated by commas (default: pooled)."
  )
  var by: Grouping?

  @OptionGroup var options: FitOptions

  @OptionGroup var known: RegistryOptions

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    if let picture { _ = try PictureFormat(path: picture) }
    if merge { try options.refuseForMerge() }
    let names = BeaconNames(try known.load())
    let target = try output.map(CalibrationOutput.init)
    try checkFiles(target)
    let parts = merge ? try MergedCalibrations(inputs) : nil
    let grouping = by ?? parts?.grouping ?? Grouping(parts: [])
    let plan = try FitPlan(options, merging: parts)
    if plan.isHierarchical, grouping.parts.contains(.series) {
      throw RSSIError(
        .usage,
        "--by \(grouping) does not go with --model hierarchical: its groups are beacons, receivers "
          + "or links"
      )
    }
    if let parts, parts.agreed == nil, options.model == nil || options.estimator == nil {
      reporting.note(
        "the calibrations differ in model, estimator or settings: what the command line does not "
          + "say has its default"
      )
    }
    let readings =
      try parts?.readings
      ?? plan.gather(
        inputs, keepsTimes: picture != nil, reporting: reporting)
    guard !readings.stations.isEmpty else { throw nothingToFit(readings) }
    let calibration = plan.calibration(
      readings, by: grouping, toolVersion: ToolIdentity.program.version,
      commandLine: ToolIdentity.program.commandLine)
    for (reason, count) in calibration.excluded.sorted(by: { $0.key < $1.key }) {
      reporting.note("left out \(count) × \(reason)")
    }
    guard calibration.groups.contains(where: { $0.measuredPower != nil }) else {
      throw RSSIError(
        .badInput, "no constants could be fitted: \(calibration.groups[0].warnings[0])")
    }
    if let picture { try draw(calibration, readings, by: grouping, to: picture) }
    let text = target != nil || reporting.json ? try jsonText(calibration) : ""
    try target?.write(calibration, as: text, inputs: inputs)
    guard !reporting.json else { return try StandardOutput.write(text) }
    // The calibration itself is there already.
    guard output != "-" else { return }
    try StandardOutput.show(FitReport(calibration, levels: options.distanceAt, names: names).text)
  }

  private func checkFiles(_ target: CalibrationOutput?) throws {
    guard output != "-" || !reporting.json else {
      throw RSSIError(.usage, "-o - and --json both write to standard output: choose one")
    }
    var files = CommandFiles()
    files.read(inputs)
    files.read([options.site], as: "--site")
    files.read([known.path], as: "--registry")
    // A calibration is added to a trace.
    var traces: [String] = []
    if case .trace(let reader) = target { traces = [reader.path] }
    files.write([output], as: "-o", isStream: true, mayReplace: traces)
    files.write([picture], as: "--picture")
    try files.check(reporting)
  }

  private func draw(
    _ calibration: Calibration, _ readings: FitReadings, by grouping: Grouping, to picture: String
  ) throws {
    if readings.timed == nil {
      reporting.note("the picture shows no residuals against time: calibrations hold no times")
    }
    try writeOutput(CalibrationPicture(calibration, readings, by: grouping).chart, to: picture)
    reporting.note("drew \(picture)")
  }

  private func nothingToFit(_ readings: FitReadings) -> RSSIError {
    let reasons = readings.excluded.sorted { $0.key < $1.key }
      .map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
    if readings.excluded["no-variance"] != nil {
      return RSSIError(
        .badInput,
        "no reading has a variance to be weighted by (\(reasons)): give --filtered NAME, of a "
          + "filter that tells variances"
      )
    }
    return RSSIError(
      .badInput,
      "no reading has a distance to fit (\(reasons.isEmpty ? "no sightings" : reasons)): import a "
        + "distance table, or give anchors with --nodes and positions with --truth"
    )
  }
}
