import ArgumentParser
import Evaluation
import PathLoss
import Positioning
import Reporting

struct EvalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "eval",
    abstract: "Compare positioning algorithms against ground truth.",
    discussion: """
      Asks every algorithm for a position at each epoch of each trace and measures its distance from \
      the truth. An epoch uses the levels of one window of time: their mean where they are raw, the \
      latest where a filter made them; trackers use all raw levels so far. Either side of a link may \
      be the one that moves. Traces that the constants were fitted on are not scored, unless \
      --in-sample says so; --cross-validate fits anew without each trace.
      """)

  @Argument(help: "Traces with truth and with anchors at known places.")
  var inputs: [String]

  @Option(
    help: "The path-loss constants that `rssi fit -o` wrote: a file, or a trace that holds them.")
  var calibration: String?

  @OptionGroup var validation: ValidationOptions

  @OptionGroup var asking: AskingOptions

  @Option(
    help:
      "all (that can answer), or names with commas: \(Algorithms.names.joined(separator: ", ")).")
  var algorithms: String?

  @Option(
    help:
      "One algorithm with its parameters, such as weighted-centroid:degree=1, or exec:./mine; may be repeated."
  )
  var algorithm: [String] = []

  @Option(help: "The longest that a program of exec: may take for one answer.")
  var patience = "10s"

  @Option(
    help:
      "Also write the evaluation to this file: .html, .md, .csv (figures) or .answers.csv (every answer); may be repeated."
  )
  var report: [String] = []

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    try validation.check(calibration: calibration, epoch: asking.epoch)
    try asking.check()
    let forms = try report.map { try ReportForm(path: $0) }
    var files = CommandFiles()
    files.read(inputs)
    files.read([calibration], as: "--calibration")
    files.read(validation.survey, as: "--survey")
    files.read([asking.site], as: "--site")
    files.write(report, as: "--report")
    try files.check(reporting)
    let chosen = try ChosenAlgorithms(
      list: algorithms, single: algorithm, patience: patience, withSurvey: validation.hasSurvey)
    let evaluation = try EvaluationRun(
      inputs: inputs, calibration: calibration, validation: validation, asking: asking,
      algorithms: chosen, reporting: reporting)
    let document = try evaluation.document()
    for note in document.notes { reporting.note(note) }
    for form in forms { try form.write(document) }
    try reporting.report(EvalJSON(document).value, text: EvalText(document).text)
  }
}
