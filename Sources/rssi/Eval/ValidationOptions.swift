public import ArgumentParser
import PathLoss
import TracePipelines

/// The separation of fitted and scored data.
struct ValidationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Score each trace or place with a fit of the others.", valueName: "unit"))
  var crossValidate: CrossValidation?

  @Option(
    help: ArgumentHelp(
      "With --cross-validate traces: number of folds of traces (default: one per trace).",
      valueName: "number"))
  var folds: Int?

  @Option(
    help: ArgumentHelp(
      "With --cross-validate: grouping of the fits, like `rssi fit --by` (default: pooled).",
      valueName: "group[,group]"))
  var by: Grouping?

  @Option(
    help: ArgumentHelp(
      "With --cross-validate: estimator of the fits (default: least-squares).",
      valueName: "estimator"))
  var estimator: PathLossEstimator?

  @Option(
    help: ArgumentHelp(
      "With --cross-validate: offsets of channels that each fit has, like `rssi fit --channel-offsets` (default: none).",
      valueName: "device"))
  var channelOffsets: ChannelOffsetScope?

  @Option(
    help: ArgumentHelp(
      "Group of the calibration to use for all links, such as a series of distances.",
      valueName: "name"))
  var group: String?

  @Option(
    help: ArgumentHelp(
      "Trace with truth, not scored, that fingerprint and gaussian-process learn the site from; repeatable.",
      valueName: "file"), completion: .file())
  var survey: [InputPath] = []

  @Option(
    help: ArgumentHelp(
      "Radio map written by `rssi map`, instead of --survey; it holds a calibration.",
      valueName: "file"), completion: .file())
  var radioMap: InputPath?

  @Flag(
    help:
      "Also score traces that the constants were fitted on; every output is marked as in-sample.")
  var inSample = false

  /// The options, and whether they were given.
  var given: [(name: String, isGiven: Bool)] {
    [
      ("--cross-validate", crossValidate != nil), ("--folds", folds != nil), ("--by", by != nil),
      ("--estimator", estimator != nil), ("--channel-offsets", channelOffsets != nil),
      ("--group", group != nil),
      ("--survey", !survey.isEmpty), ("--radio-map", radioMap != nil),
      ("--in-sample", inSample),
    ]
  }

  /// Fills in a request.
  func apply(to request: inout EvaluationRequest) {
    request.crossValidate = crossValidate
    request.folds = folds
    request.by = by
    request.estimator = estimator
    request.channelOffsets = channelOffsets
    request.group = group
    request.survey = survey.paths
    request.radioMap = radioMap?.path
    request.inSample = inSample
  }
}

extension CrossValidation: ExpressibleByArgument {}
