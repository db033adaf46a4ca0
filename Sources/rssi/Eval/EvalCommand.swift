import ArgumentParser
import Evaluation
import Positioning
import Registries
import Reporting
import Support
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

      EXAMPLES:
        rssi eval walks.h5 --calibration calibration.json
        rssi eval walks.h5 --cross-validate traces \\
          --algorithms fingerprint,maximum-likelihood,kalman --report report.html
        rssi eval walks.h5 --calibration calibration.json \\
          --algorithm weighted-centroid:degree=1 --algorithm kalman
        # a part for one job of a cluster, which --merge scores with the others
        rssi eval walks.h5 --cross-validate traces --algorithms kalman \\
          --part 1.ndjson --share 1/8

      ALGORITHMS (aliases: trilateration for range-least-squares, knn for fingerprint; docs/algorithms.md \
      describes each). Parameters follow the name, as in weighted-centroid:degree=1; omitted ones have \
      their defaults.

      \(parameterList(of: Algorithms.kinds))

      GOALS of --plan, whose assumptions come from an earlier evaluation (.json), from recordings, or \
      are given without inputs, as in difference:of=0.2,sd=0.4:

      \(parameterList(of: CampaignKind.all))
      """)

  @Argument(
    help: ArgumentHelp(
      "Traces, and folders of traces, with truth and anchors at known positions; parts with --merge.",
      valueName: "file"),
    completion: .file())
  var inputs: [InputPath] = []

  @Option(
    help: ArgumentHelp(
      "Calibration written by `rssi fit -o`: a file, or a trace that contains one; several are compared.",
      valueName: "file"), completion: .file())
  var calibration: [InputPath] = []

  @OptionGroup var validation: ValidationOptions

  @OptionGroup var asking: AskingOptions

  @Option(
    help: ArgumentHelp("all (that can answer), or names separated by commas.", valueName: "list"),
    completion: .list(Algorithms.names))
  var algorithms: String?

  @Option(
    help: ArgumentHelp(
      "Algorithm with parameters, such as weighted-centroid:degree=1, or exec:./mine; repeatable.",
      valueName: "algorithm"), completion: .list(Algorithms.names))
  var algorithm: [String] = []

  @Option(help: ArgumentHelp("exec: time limit for one answer of a program.", valueName: "time"))
  var patience = "10s"

  @Option(
    help: ArgumentHelp(
      "Also write the evaluation to this file: .html, .md, .json or .csv (figures), or .answers.csv (every answer); repeatable.",
      valueName: "file"), completion: .file())
  var report: [OutputPath] = []

  @Option(
    help: ArgumentHelp(
      "Earlier evaluation (.json): show what became better or worse since.", valueName: "file"),
    completion: .file())
  var against: InputPath?

  @Option(
    help: ArgumentHelp(
      "Print the number of traces for this goal instead, such as difference:of=0.2.",
      valueName: "goal"))
  var plan: String?

  @Flag(help: "Print every algorithm, pairwise tests, coverage, autocorrelation and refusals.")
  var full = false

  @OptionGroup var sharing: PartOptions

  @OptionGroup var known: RegistryOptions

  @OptionGroup var reporting: ReportingOptions

  func run() throws {
    if let plan { return try report(CampaignRequest(plan)) }
    guard !inputs.isEmpty else {
      throw RSSIError(.usage, "there is nothing to evaluate: name a trace")
    }
    let forms = try report.map { try ReportForm(path: $0.path) }
    if sharing.merge {
      try checkSharing()
      let earlier = try earlier()
      return try score(EvaluationShard(merging: inputs.paths), in: forms, against: earlier)
    }
    var request = try request()
    request.showsFloor = forms.contains(where: \.isPage)
    // The merged result does not name the traces that chose the folds of a part.
    var folds: Set<String> = []
    if case .traces = request.share { folds = ["--trace"] }
    let earlier = try earlier()
    request.against = earlier
    var part = try EvaluationStage(request).part(
      in: reporting.messages.context(as: .shareable(without: folds)))
    for index in part.variants.indices { part.variants[index].outline.settings.show(asking) }
    guard let path = sharing.part?.path else { return try score(part, in: forms, against: earlier) }
    try part.write(to: path)
    let written = EvaluationShardReport(part, path: path)
    try reporting.report(written.json, text: written.text)
  }

  /// Reports the size of a campaign, from a pilot or from given assumptions.
  private func report(_ goal: CampaignRequest) throws {
    try sharing.refuse(withPart: [("--plan", true)], withMerge: [("--plan", true)])
    guard report.isEmpty, against == nil else {
      throw RSSIError(
        .usage,
        "--plan has no evaluation to write or to compare: leave out --report and --against")
    }
    let rows: [CampaignRequest.Row]
    if inputs.isEmpty {
      rows = try goal.rows()
    } else if inputs.count == 1, inputs[0].path.lowercased().hasSuffix(".json") {
      let figure = LeaderboardSettings().figure
      rows = try goal.rows(from: EarlierEvaluation(path: inputs[0].path, figure: figure))
    } else {
      let document = try EvaluationStage(request()).run(in: reporting.context)
      rows = try goal.rows(from: EarlierEvaluation(document))
    }
    let planned = CampaignPlanReport(rows, power: goal.power)
    try reporting.report(planned.json, text: planned.text)
  }

  private func earlier() throws -> EarlierEvaluation? {
    try against.map { try EarlierEvaluation(path: $0.path, figure: LeaderboardSettings().figure) }
  }

  private func score(
    _ part: EvaluationShard, in forms: [ReportForm], against earlier: EarlierEvaluation?
  ) throws {
    var document = try part.document()
    document.notes = document.notes.map(\.namingOptions)
    if let earlier {
      try earlier.requireQuestions(of: document.settings)
      document.compare(with: earlier)
    }
    for note in document.notes { reporting.warn(note) }
    for form in forms { try form.write(document) }
    try reporting.report(
      EvaluationJSON(document).value,
      text: EvaluationText(document, more: full ? nil : "--full").report)
    try reporting.wrote(report.paths)
  }

  private func checkSharing() throws {
    try sharing.refuse(
      withPart: [("--report", !report.isEmpty), ("--against", against != nil)],
      withMerge: [
        ("--calibration", !calibration.isEmpty), ("--algorithms", algorithms != nil),
        ("--algorithm", !algorithm.isEmpty), ("--registry", known.registry != nil),
        ("--share", sharing.share != nil),
      ] + validation.given + asking.given)
  }

  private func request() throws -> EvaluationRequest {
    var request = EvaluationRequest()
    request.inputs = try inputFiles(inputs.paths)
    request.calibrations = calibration.paths
    request.filters = asking.filtered
    if algorithms != nil || !algorithm.isEmpty {
      request.algorithms =
        Algorithms.names(in: algorithms ?? "") + algorithm.map(Algorithms.canonical)
    }
    request.patience = try time(
      patience, "--patience", ChosenAlgorithm.patiences)
    request.names = BeaconNames(try known.load(reporting.log, for: request.inputs))
    validation.apply(to: &request)
    try asking.apply(to: &request)
    try sharing.apply(to: &request)
    try checkSharing()
    try request.check()
    return request
  }
}
