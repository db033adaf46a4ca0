import ArgumentParser
import Evaluation
import Inputs
import Positioning
import Reporting
import TracePipelines

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
    let request = try request()
    let forms = try report.map { try ReportForm(path: $0) }
    try checkFiles()
    var document = try EvaluationRun(request, by: .program, log: reporting.log).document()
    document.settings.show(asking)
    document.notes = document.notes.map(\.namingOptions)
    for note in document.notes { reporting.note(note) }
    for form in forms { try form.write(document) }
    try reporting.report(
      EvaluationJSON(document).value, text: EvaluationText(document).text)
  }

  private func request() throws -> EvaluationRequest {
    var request = EvaluationRequest()
    request.inputs = inputs
    request.calibration = calibration
    if algorithms != nil || !algorithm.isEmpty {
      request.algorithms = Algorithms.names(in: algorithms ?? "") + algorithm
    }
    request.patience = try nanoseconds(
      patience, of: "--patience", such: "such as 10s or 500ms")
    validation.apply(to: &request)
    try asking.apply(to: &request)
    try request.check()
    return request
  }

  private func checkFiles() throws {
    var files = CommandFiles()
    files.read(inputs)
    files.read([calibration], as: "--calibration")
    files.read(validation.survey, as: "--survey")
    files.read([asking.place.site], as: "--site")
    files.write(report, as: "--report")
    try files.check(reporting)
  }
}
