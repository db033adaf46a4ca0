import ArgumentParser
import PathLoss
import Plotting
import Registries
import Reporting
import Support
import TracePipelines
import TraceStore

struct FitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fit",
    abstract: "Fit path-loss constants to readings at known distances.",
    discussion: """
      Fits rssi = P − 10 n log10(d), or another model, with standard errors and intervals clustered \
      by position. Distances come from distance tables, or from the positions of anchors and the \
      truth of a trace. Readings of 0 dBm and above, readings without a level and distances of 0 are \
      excluded and counted. With --merge the inputs are calibrations whose readings are combined, or \
      parts, which give the bytes of one process.

      EXAMPLES:
        rssi fit distances.csv -o calibration.json
        rssi fit distances.csv --distance-at -75 --picture fit.svg
        rssi fit walks.h5 --estimator tukey --by beacon
        # a part of the work, for --merge
        rssi fit distances.csv --by beacon --part 1.ndjson

      GOALS of --plan, with assumptions that an earlier calibration can give:

      \(parameterList(of: CalibrationPlanKind.all))
      """)

  @Argument(
    help: ArgumentHelp(
      "Traces, folders of traces, tables of readings, or - for NDJSON on standard input; calibrations or parts with --merge.",
      valueName: "file"), completion: .file())
  var inputs: [InputPath] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Calibration file to write (JSON), or a trace to store it in.", valueName: "file"),
    completion: .file())
  var output: UpdatedPath?

  @Option(
    help: ArgumentHelp(
      "Also plot readings, curves and residuals to this file: .svg, .png or .pdf.",
      valueName: "file"), completion: .file())
  var picture: OutputPath?

  @Option(
    help: ArgumentHelp(
      "One fit per: pooled, beacon, receiver, series, link, or several separated by commas (default: pooled).",
      valueName: "group[,group]"))
  var by: Grouping?

  @Option(
    help: ArgumentHelp(
      "Print the places and minutes for this goal instead, such as exponent:width=0.5; a calibration as input is the pilot.",
      valueName: "goal"))
  var plan: String?

  @Flag(
    help:
      "Instead, fit powers, receiver offsets, exponent and wall losses to the links of fixed nodes that hear each other, and check their places."
  )
  var links = false

  @OptionGroup var sharing: PartOptions

  @OptionGroup var options: FitOptions

  @OptionGroup(title: "Tables of other programs") var tables: TableOptions

  @OptionGroup var known: RegistryOptions

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    if let plan { return try report(CalibrationPlanRequest(plan)) }
    guard !inputs.isEmpty else {
      throw RSSIError(.usage, "there is nothing to fit: name a trace or a table of readings")
    }
    if links { return try reportLinks() }
    let merge = sharing.merge
    let inputs = merge ? self.inputs.paths : try inputFiles(self.inputs.paths)
    try sharing.refuse(
      withPart: [("-o", output != nil), ("--picture", picture != nil)],
      withMerge: [("--share", sharing.share != nil)])
    let share = try sharing.fileShare()
    if let picture { _ = try PictureFormat(path: picture.path) }
    var request = try options.request()
    request.inputs = inputs
    request.merge = merge
    request.by = by
    request.columns = try tables.sightings()
    request.keepsTimes = picture != nil
    try request.check()
    let names = BeaconNames(try known.load(reporting.log, for: merge ? [] : inputs))
    let trace = try output.flatMap { try traceOfCalibration($0.path) }
    guard output?.path != "-" || !reporting.json else {
      throw RSSIError(.usage, "-o - and --json both write to standard output: choose one")
    }
    let stage = FitStage(request)
    let context = reporting.messages.context(
      as: merge ? .program : .shareable(inputs: self.inputs.paths))
    if let path = sharing.part?.path {
      return try reporting.report(stage.part(share, in: context).write(to: path))
    }
    let fit = try stage.run(in: context)
    if let picture { try draw(fit, to: picture.path) }
    let text = output != nil || reporting.json ? try jsonText(fit.calibration) : ""
    if let output { try write(fit.calibration, text, to: output.path, trace, inputs) }
    guard !reporting.json else { return try StandardOutput.write(text) }
    // Standard output has the calibration already.
    guard output?.path != "-" else { return }
    try StandardOutput.show(
      FitReport(
        fit.calibration, levels: fit.distanceAt, names: names,
        advice: ["receiver-effects": "--by receiver", "beacon-effects": "--by beacon"]
      ).text)
  }

  /// Reports a calibration from the links between fixed nodes.
  private func reportLinks() throws {
    try sharing.refuse(withPart: [("--links", true)], withMerge: [("--links", true)])
    guard picture == nil, by == nil || output != nil else {
      throw RSSIError(
        .usage, "--links draws no picture, and --by is for the calibration that -o writes")
    }
    var request = try options.request()
    request.inputs = try inputFiles(inputs.paths)
    request.by = by
    let trace = try output.flatMap { try traceOfCalibration($0.path) }
    let context = reporting.context
    let result = try LinkFitStage(request).run(in: context)
    if let output {
      let calibration = result.calibration(by: by ?? Grouping(), of: context.tool)
      try write(calibration, try jsonText(calibration), to: output.path, trace, request.inputs)
    }
    guard output?.path != "-" else { return }
    let report = LinkFitReport(result)
    try reporting.report(report.json, text: report.text)
  }

  /// Writes a calibration to a file, or stores it in a trace.
  private func write(
    _ calibration: Calibration, _ text: String, to path: String, _ trace: TraceReader?,
    _ inputs: [String]
  ) throws {
    guard let trace else { return try writeOutput(text, to: path) }
    try calibration.store(in: trace, document: text, inputs: inputs, by: .program)
  }

  /// Reports the size of a calibration, from a pilot or from given assumptions.
  private func report(_ goal: CalibrationPlanRequest) throws {
    try sharing.refuse(withPart: [("--plan", true)], withMerge: [("--plan", true)])
    guard output == nil, picture == nil, inputs.count < 2 else {
      throw RSSIError(
        .usage, "--plan takes at most one calibration and fits nothing: leave out -o and --picture")
    }
    let rows = goal.rows(pilot: try inputs.first.map { try Calibration(path: $0.path) })
    let planned = CalibrationPlanReport(rows, goal: goal.goal, power: goal.power)
    try reporting.report(planned.json, text: planned.text)
  }

  private func draw(_ fit: FitResult, to picture: String) throws {
    if fit.readings.timed == nil {
      reporting.note(
        "the picture shows no residuals against time: calibrations and parts hold no times")
    }
    try writeOutput(CalibrationPicture(fit).chart, to: picture)
    reporting.note("wrote \(picture)")
  }
}
