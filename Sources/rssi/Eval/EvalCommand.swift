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
      Runs every algorithm at each epoch of each trace and measures the distance from the truth. An \
      epoch uses the levels of one time window: the mean of raw levels, or the latest filtered level; \
      trackers use all raw levels so far. Either side of a link may move. Traces that the constants \
      were fitted on are not scored, except with --in-sample; --cross-validate refits without each \
      trace.
      """)

  @Argument(help: "Traces with truth and anchors at known positions.")
  var inputs: [String]

  @Option(
    help: "Calibration written by `rssi fit -o`: a file, or a trace that contains one.")
  var calibration: String?

  @OptionGroup var validation: ValidationOptions

  @OptionGroup var asking: AskingOptions

  @Option(
    help:
      "all (that can answer), or names separated by commas: \(Algorithms.names.joined(separator: ", "))."
  )
  var algorithms: String?

  @Option(
    help:
      "Algorithm with parameters, such as weighted-centroid:degree=1, or exec:./mine; repeatable."
  )
  var algorithm: [String] = []

  @Option(help: "exec: time limit for one answer of a program.")
  var patience = "10s"

  @Option(
    help:
      "Also write the evaluation to this file: .html, .md, .csv (figures) or .answers.csv (every answer); repeatable."
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
